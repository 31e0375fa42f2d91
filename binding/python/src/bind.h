// What the files of the binding share: errors, arrays, calls that take long.
//
// The library throws nothing and knows no Python. Here every std::expected becomes a value or the exception
// limber.Error, arrays of any kind become vectors and matrices, and matrices become NumPy arrays without a copy.
#pragma once

#include <limber/limber.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace limber::python {

namespace nb = nanobind;
using namespace nb::literals;

// --- Errors

[[noreturn]] void fail(const Diagnostic& diagnostic);
[[noreturn]] inline void fail(std::string where, std::string found, std::string expected) {
  fail(Diagnostic{std::move(where), std::move(found), std::move(expected)});
}

template <class T>
T unwrap(Expected<T> value) {
  if (!value) fail(value.error());
  return std::move(*value);
}
inline void unwrap(const Expected<void>& value) {
  if (!value) fail(value.error());
}

// What Python shows of a value: str() and repr().
std::string text_of(nb::handle value);
std::string repr_of(nb::handle value);

// --- Arrays in: lists, NumPy arrays of any type and stride, whatever knows __array__ or DLPack.

struct ArrayLike {
  nb::object value;
};

// `what` names the argument in the error; a size of -1 is any.
nb::object as_array(nb::handle value, const char* what, const char* expected = "numbers");  // numpy.asarray()
VecX to_vector(const ArrayLike& array, const char* what, Eigen::Index size = -1);
Vec3 to_vec3(const ArrayLike& array, const char* what);
std::vector<Vec3> to_points(const ArrayLike& array, const char* what);
// One row of the array per column of the matrix: (N, rows) as it lies in memory.
MatX to_columns(const ArrayLike& array, const char* what, Eigen::Index rows);
// A matrix as it is written: (rows, columns).
MatX to_matrix(const ArrayLike& array, const char* what, Eigen::Index rows, Eigen::Index columns);
Mat3 to_rotation(const ArrayLike& array, const char* what);
// 4 x 4, or three numbers for a translation.
Frame to_frame(const ArrayLike& array, const char* what);
// 32-bit indices, (N, 3).
std::vector<std::array<int, 3>> to_triangles(const ArrayLike& array, const char* what);
std::vector<int> to_indices(const ArrayLike& array, const char* what);

// --- Arrays out.

using Array = nb::ndarray<nb::numpy, double>;
using Array1 = nb::ndarray<nb::numpy, double, nb::ndim<1>>;
using Array2 = nb::ndarray<nb::numpy, double, nb::ndim<2>>;
using Array3 = nb::ndarray<nb::numpy, double, nb::ndim<3>>;
using Array4 = nb::ndarray<nb::numpy, double, nb::ndim<4>>;
using IntArray = nb::ndarray<nb::numpy, std::int32_t>;
using BoolArray = nb::ndarray<nb::numpy, bool, nb::ndim<1>>;

// Memory that belongs to an object of the binding; the array keeps that object alive (rv_policy::reference_internal).
inline Array1 view(VecX& v) { return Array1(v.data(), {static_cast<std::size_t>(v.size())}); }
inline Array1 view(Vec3& v) { return Array1(v.data(), {3}); }
// One row per column of the matrix.
inline Array2 view_columns(MatX& m) {
  return Array2(m.data(), {static_cast<std::size_t>(m.cols()), static_cast<std::size_t>(m.rows())});
}

// New arrays that own their numbers.
inline std::pair<double*, nb::capsule> new_numbers(std::size_t count) {
  double* data = std::make_unique<double[]>(count).release();
  return {data, nb::capsule(data, [](void* p) noexcept { delete[] static_cast<double*>(p); })};
}
template <class A>
using New = decltype(std::declval<A&>().cast());
New<Array1> new_array(const VecX& v);
New<Array1> new_array(const Vec3& v);
New<Array1> new_array(const std::vector<double>& v);
New<Array2> new_points(const std::vector<Vec3>& points);
New<Array2> new_array(const Mat3& R);
New<Array2> new_array(const Frame& X);
// As it is written, (rows, columns).
New<Array2> new_matrix(const MatX& m);
// The columns of the matrix as rows; takes its memory.
New<Array2> take_columns(MatX&& m);
New<BoolArray> new_flags(const std::vector<char>& flags);
New<IntArray> new_triangles(const std::vector<std::array<int, 3>>& triangles);

// --- Long calls. The interpreter is free meanwhile; Ctrl-C ends the call, with the objects as they are then.
//
//   Interrupts watch;
//   options.observer = [&](const Progress&) { return watch.proceed(); };
//   { nb::gil_scoped_release release; … }
//   watch.rethrow();

class Interrupts {
 public:
  Interrupts() : caller_(std::this_thread::get_id()), next_(Clock::now() + interval) {}

  // Without the interpreter's lock. Whether to go on; on the thread of the call, looks for signals now and then.
  bool proceed();
  // Calls Python, with the lock: false stops, an exception too.
  template <class Call>
  bool ask(Call&& call) {
    if (stopped_) return false;
    const nb::gil_scoped_acquire lock;
    return guarded(std::forward<Call>(call));
  }
  bool stopped() const { return stopped_; }
  // With the lock: the exception that ended the call, if any.
  void rethrow();

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds interval{50};

  template <class Call>
  bool guarded(Call&& call) {
    try {
      if (!call()) stopped_ = true;
    } catch (nb::python_error& error) {
      if (!error_) error_.emplace(std::move(error));
      stopped_ = true;
    }
    return !stopped_;
  }

  std::thread::id caller_;
  Clock::time_point next_;
  std::atomic<bool> stopped_ = false;
  std::optional<nb::python_error> error_;
};

// What an observer in Python answers: None goes on.
inline bool goes_on(const nb::object& answer) { return answer.is_none() || nb::cast<bool>(nb::bool_(answer)); }

// --- Names of an enumeration, as in scenes: "at-most". Anything else is rejected with the names that there are.

template <class Enum, std::size_t N>
using Names = std::array<std::pair<const char*, Enum>, N>;

template <class Enum, std::size_t N>
Enum to_enum(const Names<Enum, N>& names, std::string_view text, const char* what) {
  std::string all;
  for (const auto& [name, value] : names) {
    if (text == name) return value;
    all += (all.empty() ? "'" : ", '") + std::string(name) + "'";
  }
  fail(what, "'" + std::string(text) + "'", "one of " + all);
}
template <class Enum, std::size_t N>
const char* name_in(const Names<Enum, N>& names, Enum value) {
  for (const auto& [name, known] : names)
    if (known == value) return name;
  return "?";
}

// --- Sequences that cannot be changed: a change to a copy would be lost.

template <class T>
struct Tuple {
  std::vector<T> items;
};
template <class T>
Tuple<T> tuple_of(std::vector<T> items) {
  return {std::move(items)};
}

// --- The parts of the module, one per file.

void bind_figure(nb::module_& m);
void bind_description(nb::module_& m);
void bind_goal(nb::module_& m);
void bind_obstacle(nb::module_& m);
void bind_problem(nb::module_& m);
void bind_options(nb::module_& m);
void bind_solve(nb::module_& m);
void bind_batch(nb::module_& m);
void bind_posing(nb::module_& m);
void bind_clip(nb::module_& m);
void bind_sequence(nb::module_& m);
void bind_timed(nb::module_& m);
void bind_motion(nb::module_& m);
void bind_file(nb::module_& m);
void bind_scene(nb::module_& m);
void bind_reach(nb::module_& m);
void bind_assess(nb::module_& m);
void bind_picture(nb::module_& m);

}  // namespace limber::python

namespace nanobind::detail {

template <>
struct type_caster<limber::python::ArrayLike> {
  NB_TYPE_CASTER(limber::python::ArrayLike, const_name("numpy.typing.ArrayLike"))

  bool from_python(handle source, uint32_t, cleanup_list*) noexcept {
    if (source.is_none()) return false;
    value.value = borrow(source);
    return true;
  }
};

template <class T>
struct type_caster<limber::python::Tuple<T>> {
  NB_TYPE_CASTER(limber::python::Tuple<T>, const_name("tuple[") + make_caster<T>::Name + const_name(", ...]"))

  static handle from_cpp(const limber::python::Tuple<T>& source, rv_policy, cleanup_list* cleanup) noexcept {
    std::vector<T> items = source.items;  // moved into objects of their own, whatever the policy of a property
    const object list = steal(type_caster<std::vector<T>>::from_cpp(std::move(items), rv_policy::move, cleanup));
    return list.is_valid() ? PyList_AsTuple(list.ptr()) : nullptr;
  }
};

}  // namespace nanobind::detail
