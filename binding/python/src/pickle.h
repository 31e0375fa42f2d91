// Values of the library as bytes, for pickle: every member, bit for bit.
//
// A struct is written by its members, which visit() lists once, for writing and reading.
#pragma once

#include <bit>
#include <cstring>
#include <type_traits>

#include "bind.h"

namespace limber::python {

template <class A>
void visit(A& a, Frame& x) {
  a(x.R, x.p);
}
template <class A>
void visit(A& a, Range& x) {
  a(x.lower, x.upper, x.rest, x.rigidity, x.stiffness);
}
template <class A>
void visit(A& a, Curve::Knot& x) {
  a(x.theta, x.value);
}
template <class A>
void visit(A& a, FreedomDescription& x) {
  a(x.name, x.motion, x.axis, x.range);
}
template <class A>
void visit(A& a, JointDescription& x) {
  a(x.name, x.parent, x.child, x.in_parent, x.in_child, x.freedoms);
}
template <class A>
void visit(A& a, SegmentDescription& x) {
  a(x.name, x.mass, x.mass_centre, x.object, x.inertia);
}
template <class A>
void visit(A& a, SiteDescription& x) {
  a(x.name, x.segment, x.frame);
}
template <class A>
void visit(A& a, GroupParameter& x) {
  a(x.name, x.range);
}
template <class A>
void visit(A& a, GroupTerm& x) {
  a(x.parameter, x.curve);
}
template <class A>
void visit(A& a, GroupDriver& x) {
  a(x.joint, x.freedom, x.terms);
}
template <class A>
void visit(A& a, GroupDescription& x) {
  a(x.name, x.parameters, x.drivers);
}
template <class A>
void visit(A& a, LimitTerm& x) {
  a(x.parameter, x.coefficient);
}
template <class A>
void visit(A& a, LimitDescription& x) {
  a(x.name, x.terms, x.relation, x.bound);
}
template <class A>
void visit(A& a, MirrorPair& x) {
  a(x.left, x.right);
}
template <class A>
void visit(A& a, PriorTerm& x) {
  a(x.parameter, x.mean, x.spread, x.translates);
}
template <class A>
void visit(A& a, PriorDescription& x) {
  a(x.terms, x.correlation, x.up_segment, x.up, x.up_spread);
}
template <class A>
void visit(A& a, FigureDescription& x) {
  a(x.name, x.segments, x.joints, x.sites, x.groups, x.limits, x.mirror_pairs, x.mirror_normal, x.prior);
}
template <class A>
void visit(A& a, Element& x) {
  a(x.kind, x.segment, x.local, x.segment_end);
}
template <class A>
void visit(A& a, Handle& x) {
  a(x.name, x.shape);
  for (Element& element : x.plus) a(element);
  for (Element& element : x.minus) a(element);
  a(x.minus_count);
}

// Goals
template <class A>
void visit(A& a, Capsule& x) {
  a(x.a, x.b, x.radius);
}
template <class A>
void visit(A& a, Face& x) {
  a(x.p, x.v);
}
template <class A>
void visit(A& a, Position& x) {
  a(x.p);
}
template <class A>
void visit(A& a, Direction& x) {
  a(x.v, x.c);
}
template <class A>
void visit(A& a, Orientation& x) {
  a(x.x, x.y, x.c_x, x.c_y);
}
template <class A>
void visit(A& a, Placement& x) {
  a(x.p, x.orientation, x.w_p, x.w_o);
}
template <class A>
void visit(A& a, AimAt& x) {
  a(x.p, x.c);
}
template <class A, class G>
  requires(std::is_same_v<G, Line> || std::is_same_v<G, Plane> || std::is_same_v<G, HalfSpace>)
void visit(A& a, G& x) {
  a(x.p, x.v);
}
template <class A>
void visit(A& a, Distance& x) {
  a(x.p, x.d, x.bound);
}
template <class A, class G>
  requires(std::is_same_v<G, InsidePolyhedron> || std::is_same_v<G, OutsidePolyhedron>)
void visit(A& a, G& x) {
  a(x.faces);
}
template <class A, class G>
  requires(std::is_same_v<G, InsideCapsule> || std::is_same_v<G, OutsideCapsule>)
void visit(A& a, G& x) {
  a(x.capsule);
}
template <class A, class G>
  requires(std::is_same_v<G, Coincide> || std::is_same_v<G, Hold>)
void visit(A& a, G& x) {
  a(x.c);
}

class Writer {
 public:
  template <class... T>
  void operator()(T&... values) {
    (put(values), ...);
  }
  std::string take() { return std::move(bytes_); }

 private:
  template <class T>
  void put(T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
      bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    else
      visit(*this, value);
  }
  void put(std::string& text) {
    size(text.size());
    bytes_ += text;
  }
  void put(std::string_view& text) {
    size(text.size());
    bytes_ += text;
  }
  template <class T>
  void put(std::optional<T>& value) {
    bool has = value.has_value();
    put(has);
    if (has) put(*value);
  }
  template <class T>
  void put(std::vector<T>& list) {
    size(list.size());
    for (T& item : list) put(item);
  }
  template <int R, int C>
  void put(Eigen::Matrix<double, R, C>& m) {
    size(static_cast<std::size_t>(m.rows()));
    size(static_cast<std::size_t>(m.cols()));
    bytes_.append(reinterpret_cast<const char*>(m.data()), static_cast<std::size_t>(m.size()) * sizeof(double));
  }
  void put(Curve& curve) {
    double slope = curve.slope();
    std::vector<Curve::Knot> knots = curve.knots();
    (*this)(slope, knots);
  }
  void put(Figure& figure) {
    FigureDescription description = figure.description();
    (*this)(description);
    size(figure.parts().size());
    for (FigurePart part : figure.parts()) (*this)(part.name, part.figure, part.X_world_figure);
  }
  void size(std::size_t n) {
    auto number = static_cast<std::uint64_t>(n);
    put(number);
  }

  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  template <class... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  bool done() const { return bytes_.empty(); }

 private:
  std::string_view next(std::size_t n) {
    if (n > bytes_.size()) fail("pickle", "bytes that end too early", "those that this version of limber writes");
    const std::string_view part = bytes_.substr(0, n);
    bytes_.remove_prefix(n);
    return part;
  }
  template <class T>
  void get(T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
      std::memcpy(&value, next(sizeof value).data(), sizeof value);
    else
      visit(*this, value);
  }
  void get(std::string& text) { text = next(size()); }
  void get(std::string_view& text) { text = next(size()); }  // valid as long as the bytes
  template <class T>
  void get(std::optional<T>& value) {
    bool has = false;
    get(has);
    value.reset();
    if (has) get(value.emplace());
  }
  template <class T>
  void get(std::vector<T>& list) {
    const std::size_t count = size();
    list.clear();
    for (std::size_t k = 0; k < count; ++k) get(list.emplace_back());
  }
  template <int R, int C>
  void get(Eigen::Matrix<double, R, C>& m) {
    const std::size_t rows = size(), columns = size();
    const std::string_view part =
        next(rows > bytes_.size() || columns > bytes_.size() ? bytes_.size() + 1 : rows * columns * sizeof(double));
    m.resize(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
    std::memcpy(m.data(), part.data(), part.size());
  }
  void get(Curve& curve) {
    double slope = 1.0;
    std::vector<Curve::Knot> knots;
    (*this)(slope, knots);
    curve = knots.empty() ? Curve::linear(slope) : Curve::smooth(std::move(knots));
  }
  void get(Figure& figure) {
    FigureDescription description;
    (*this)(description);
    const std::string name = description.name;
    std::vector<FigurePart> parts;
    for (std::size_t k = size(); k > 0; --k) {
      FigurePart part{.name = {}, .figure = figure};
      (*this)(part.name, part.figure, part.X_world_figure);
      parts.push_back(std::move(part));
    }
    figure = parts.empty() ? unwrap(build_figure(std::move(description))) : unwrap(join_figures(parts, name));
  }
  std::size_t size() {
    std::uint64_t number = 0;
    get(number);
    return number;
  }

  std::string_view bytes_;
};

template <class T>
nb::bytes to_bytes(const T& value) {
  Writer writer;
  T copy = value;
  writer(copy);
  const std::string bytes = writer.take();
  return nb::bytes(bytes.data(), bytes.size());
}

template <class T>
T from_bytes(const nb::bytes& bytes) {
  Reader reader(std::string_view(bytes.c_str(), bytes.size()));
  if constexpr (std::is_same_v<T, Figure>) {
    Figure figure = *simple_human();  // there is no empty one
    reader(figure);
    return figure;
  } else {
    T value;
    reader(value);
    return value;
  }
}

// Lets a class of the binding copy and pickle by its members.
template <class T>
void def_bytes(nb::class_<T>& c) {
  c.def("__getstate__", [](const T& t) { return to_bytes(t); })
      .def("__setstate__", [](T& t, const nb::bytes& state) { new (&t) T(from_bytes<T>(state)); })
      .def("__copy__", [](const T& t) { return t; })
      .def("__deepcopy__", [](const T& t, const nb::object&) { return t; }, "memo"_a);
}

}  // namespace limber::python
