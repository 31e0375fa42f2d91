// Arrays between Python and the library.
#include <cstring>

#include "bind.h"

namespace limber::python {

namespace {

// A NumPy array of doubles with these numbers. Only what is not one yet goes through numpy.asarray().
using Input = nb::ndarray<const double, nb::device::cpu>;

std::string shape_of(const Input& array) {
  std::string text;
  for (std::size_t k = 0; k < array.ndim(); ++k) text += (k ? ", " : "") + std::to_string(array.shape(k));
  return "(" + text + (array.ndim() == 1 ? ",)" : ")");
}

std::string shape_of(std::initializer_list<Eigen::Index> shape) {
  std::string text;
  for (const Eigen::Index n : shape) text += (text.empty() ? "" : ", ") + (n < 0 ? "N" : std::to_string(n));
  return "(" + text + (shape.size() == 1 ? ",)" : ")");
}

[[noreturn]] void wrong_shape(const char* what, const Input& array, std::initializer_list<Eigen::Index> shape) {
  fail(what, "an array of shape " + shape_of(array), "one of shape " + shape_of(shape));
}

// nanobind reads memory of NumPy arrays only: of NumPy's scalars of dates it would crash.
bool is_array(nb::handle value) {
  static PyObject* const type = nb::object(nb::module_::import_("numpy").attr("ndarray")).release().ptr();
  return PyObject_TypeCheck(value.ptr(), reinterpret_cast<PyTypeObject*>(type));
}

Input numbers(const ArrayLike& source, const char* what, const char* expected = "numbers") {
  Input array;
  if (is_array(source.value) && nb::try_cast(source.value, array, false)) return array;
  const nb::object any = as_array(source.value, what, expected);
  const std::string kind = text_of(nb::object(nb::object(any.attr("dtype")).attr("kind")));
  if (kind != "f" && kind != "i" && kind != "u" && kind != "b")
    fail(what, "an array of " + text_of(nb::object(any.attr("dtype"))), expected);
  const nb::object doubles = any.attr("astype")("float64");
  if (!nb::try_cast(doubles, array)) fail(what, repr_of(source.value), expected);
  return array;
}

bool has_shape(const Input& array, std::initializer_list<Eigen::Index> shape) {
  if (array.ndim() != shape.size()) return false;
  std::size_t k = 0;
  for (const Eigen::Index n : shape)
    if (const auto found = static_cast<Eigen::Index>(array.shape(k++)); n >= 0 && found != n) return false;
  return true;
}

// The numbers in C order, whatever the strides.
void copy(const Input& array, double* to) {
  const std::size_t rank = array.ndim();
  if (array.size() == 0) return;
  if (rank == 1) {
    const std::int64_t stride = array.stride(0);
    const double* from = array.data();
    for (std::size_t i = 0; i < array.shape(0); ++i) to[i] = from[static_cast<std::int64_t>(i) * stride];
    return;
  }
  std::vector<std::size_t> at(rank, 0);
  for (std::size_t n = 0; n < array.size(); ++n) {
    std::int64_t offset = 0;
    for (std::size_t k = 0; k < rank; ++k) offset += static_cast<std::int64_t>(at[k]) * array.stride(k);
    to[n] = array.data()[offset];
    for (std::size_t k = rank; k-- > 0;) {
      if (++at[k] < array.shape(k)) break;
      at[k] = 0;
    }
  }
}

bool is_contiguous(const Input& array) {
  std::int64_t expected = 1;
  for (std::size_t k = array.ndim(); k-- > 0;) {
    if (array.shape(k) > 1 && array.stride(k) != expected) return false;
    expected *= static_cast<std::int64_t>(array.shape(k));
  }
  return true;
}

void copy_fast(const Input& array, double* to) {
  if (is_contiguous(array) && array.size() > 0)
    std::memcpy(to, array.data(), array.size() * sizeof(double));
  else
    copy(array, to);
}

}  // namespace

std::string text_of(nb::handle value) {
  const nb::object text = nb::steal(PyObject_Str(value.ptr()));
  std::string words;
  if (!text.is_valid()) throw nb::python_error();
  return nb::try_cast(text, words) ? words : std::string("?");
}

std::string repr_of(nb::handle value) {
  const nb::object text = nb::steal(PyObject_Repr(value.ptr()));
  std::string words;
  if (!text.is_valid()) throw nb::python_error();
  if (!nb::try_cast(text, words)) return "?";
  std::size_t end = 100;
  if (words.size() <= end) return words;
  while (end > 0 && (static_cast<unsigned char>(words[end]) & 0xC0U) == 0x80U) --end;  // between two characters
  return words.substr(0, end) + "…";
}

nb::object as_array(nb::handle value, const char* what, const char* expected) {
  try {
    const nb::module_ numpy = nb::module_::import_("numpy");
    const bool dlpack = nb::hasattr(value, "__dlpack__") && !nb::hasattr(value, "__array__");
    return numpy.attr(dlpack ? "from_dlpack" : "asarray")(value);
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_TypeError) && !error.matches(PyExc_ValueError)) throw;
    fail(what, text_of(error.value()), expected);
  }
}

VecX to_vector(const ArrayLike& source, const char* what, Eigen::Index size) {
  const Input array = numbers(source, what);
  if (!has_shape(array, {size})) wrong_shape(what, array, {size});
  VecX v(static_cast<Eigen::Index>(array.shape(0)));
  copy_fast(array, v.data());
  return v;
}

Vec3 to_vec3(const ArrayLike& source, const char* what) {
  Vec3 v;
  // Lists and tuples of three numbers are the usual ones.
  if (PyList_CheckExact(source.value.ptr()) || PyTuple_CheckExact(source.value.ptr())) {
    const bool list = PyList_CheckExact(source.value.ptr());
    const Py_ssize_t size = list ? PyList_Size(source.value.ptr()) : PyTuple_Size(source.value.ptr());
    if (size == 3) {
      bool all = true;
      for (Py_ssize_t k = 0; k < 3 && all; ++k) {
        PyObject* item = list ? PyList_GetItem(source.value.ptr(), k) : PyTuple_GetItem(source.value.ptr(), k);
        all = PyFloat_CheckExact(item) || PyLong_CheckExact(item);
        if (all) v[k] = PyFloat_AsDouble(item);
        if (PyErr_Occurred()) {
          PyErr_Clear();
          all = false;
        }
      }
      if (all) return v;
    }
  }
  const Input array = numbers(source, what);
  if (!has_shape(array, {3})) wrong_shape(what, array, {3});
  copy(array, v.data());
  return v;
}

std::vector<Vec3> to_points(const ArrayLike& source, const char* what) {
  const Input array = numbers(source, what);
  if (!has_shape(array, {-1, 3})) wrong_shape(what, array, {-1, 3});
  std::vector<Vec3> points(array.shape(0));
  if (!points.empty()) copy_fast(array, points.front().data());
  return points;
}

MatX to_columns(const ArrayLike& source, const char* what, Eigen::Index rows) {
  const Input array = numbers(source, what);
  if (!has_shape(array, {-1, rows})) wrong_shape(what, array, {-1, rows});
  MatX m(static_cast<Eigen::Index>(array.shape(1)), static_cast<Eigen::Index>(array.shape(0)));
  copy_fast(array, m.data());
  return m;
}

MatX to_matrix(const ArrayLike& source, const char* what, Eigen::Index rows, Eigen::Index columns) {
  const Input array = numbers(source, what);
  if (!has_shape(array, {rows, columns})) wrong_shape(what, array, {rows, columns});
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> m(static_cast<Eigen::Index>(array.shape(0)),
                                                                           static_cast<Eigen::Index>(array.shape(1)));
  copy_fast(array, m.data());
  return m;
}

Mat3 to_rotation(const ArrayLike& source, const char* what) {
  const Mat3 R = to_matrix(source, what, 3, 3);
  if (!(rotation_defect(R) < 1e-6)) fail(what, "a matrix that is no rotation", "orthonormal columns, right-handed");
  return R;
}

Frame to_frame(const ArrayLike& source, const char* what) {
  const Input array = numbers(source, what);
  if (has_shape(array, {3})) return at(to_vec3(source, what));
  if (!has_shape(array, {4, 4})) wrong_shape(what, array, {4, 4});
  const Eigen::Matrix4d X = to_matrix(source, what, 4, 4);
  if (X.row(3) != Eigen::RowVector4d(0.0, 0.0, 0.0, 1.0))
    fail(what, "a last row that is not 0, 0, 0, 1", "a rigid transform, 4 x 4");
  return {to_rotation({nb::cast(new_array(Mat3(X.topLeftCorner<3, 3>())))}, what), X.topRightCorner<3, 1>()};
}

std::vector<int> to_indices(const ArrayLike& source, const char* what) {
  const VecX numbers = to_vector(source, what);
  std::vector<int> indices;
  for (const double number : numbers) {
    if (!(number >= 0.0 && number < 2147483648.0) || number != std::floor(number))
      fail(what, repr_of(nb::cast(number)), "indices from 0 on");
    indices.push_back(static_cast<int>(number));
  }
  return indices;
}

std::vector<std::array<int, 3>> to_triangles(const ArrayLike& source, const char* what) {
  const MatX numbers = to_columns(source, what, 3);
  std::vector<std::array<int, 3>> triangles(static_cast<std::size_t>(numbers.cols()));
  for (Eigen::Index t = 0; t < numbers.cols(); ++t)
    for (Eigen::Index k = 0; k < 3; ++k) {
      const double number = numbers(k, t);
      if (!(number >= 0.0 && number < 2147483648.0) || number != std::floor(number))
        fail(what, repr_of(nb::cast(number)), "indices of vertices, from 0 on");
      triangles[static_cast<std::size_t>(t)][static_cast<std::size_t>(k)] = static_cast<int>(number);
    }
  return triangles;
}

// --- Out

New<Array1> new_array(const VecX& v) {
  const auto size = static_cast<std::size_t>(v.size());
  auto [data, owner] = new_numbers(size);
  std::copy(v.data(), v.data() + v.size(), data);
  return Array1(data, {size}, owner).cast();
}

New<Array1> new_array(const Vec3& v) {
  auto [data, owner] = new_numbers(3);
  std::copy(v.data(), v.data() + 3, data);
  return Array1(data, {3}, owner).cast();
}

New<Array1> new_array(const std::vector<double>& v) {
  auto [data, owner] = new_numbers(v.size());
  std::copy(v.begin(), v.end(), data);
  return Array1(data, {v.size()}, owner).cast();
}

New<Array2> new_points(const std::vector<Vec3>& points) {
  auto [data, owner] = new_numbers(3 * points.size());
  for (std::size_t k = 0; k < points.size(); ++k) std::copy(points[k].data(), points[k].data() + 3, data + 3 * k);
  return Array2(data, {points.size(), 3}, owner).cast();
}

New<Array2> new_matrix(const MatX& m) {
  const auto rows = static_cast<std::size_t>(m.rows()), columns = static_cast<std::size_t>(m.cols());
  auto [data, owner] = new_numbers(rows * columns);
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(data, m.rows(), m.cols()) = m;
  return Array2(data, {rows, columns}, owner).cast();
}

New<Array2> new_array(const Mat3& R) { return new_matrix(R); }

New<Array2> new_array(const Frame& X) {
  Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
  m.topLeftCorner<3, 3>() = X.R;
  m.topRightCorner<3, 1>() = X.p;
  return new_matrix(m);
}

New<Array2> take_columns(MatX&& m) {
  auto owned = std::make_unique<MatX>(std::move(m));
  MatX* matrix = owned.release();
  const nb::capsule owner(matrix, [](void* p) noexcept { delete static_cast<MatX*>(p); });
  return Array2(matrix->data(), {static_cast<std::size_t>(matrix->cols()), static_cast<std::size_t>(matrix->rows())},
                owner)
      .cast();
}

New<BoolArray> new_flags(const std::vector<char>& flags) {
  auto copy = std::make_unique<bool[]>(flags.size());
  for (std::size_t k = 0; k < flags.size(); ++k) copy[k] = flags[k] != 0;
  bool* data = copy.release();
  const nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<bool*>(p); });
  return BoolArray(data, {flags.size()}, owner).cast();
}

New<IntArray> new_triangles(const std::vector<std::array<int, 3>>& triangles) {
  auto copy = std::make_unique<std::int32_t[]>(3 * triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    std::copy(triangles[t].begin(), triangles[t].end(), copy.get() + 3 * t);
  std::int32_t* data = copy.release();
  const nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<std::int32_t*>(p); });
  return IntArray(data, {triangles.size(), 3}, owner).cast();
}

// --- Errors and interrupts

void fail(const Diagnostic& d) {
  const nb::object kind = nb::module_::import_("limber._error").attr("Error");
  const nb::object error = kind(d.where, d.found, d.expected, d.line, d.column);
  PyErr_SetObject(kind.ptr(), error.ptr());
  throw nb::python_error();
}

bool Interrupts::proceed() {
  if (stopped_) return false;
  if (std::this_thread::get_id() != caller_) return true;
  const Clock::time_point now = Clock::now();
  if (now < next_) return true;
  next_ = now + interval;
  return ask([] {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    return true;
  });
}

void Interrupts::rethrow() {
  if (error_) throw nb::python_error(std::move(*error_));
}

}  // namespace limber::python
