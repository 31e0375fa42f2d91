// Options of a solve, by the table of the library: every row is an argument of solve() and a property of Options.
#include <limber/solver/option_table.h>

#include <algorithm>
#include <deque>

#include "objects.h"

namespace limber::python {

namespace {

// Signatures must stay where they are.
const char* lasting(std::string text) {
  static std::deque<std::string> texts;
  return texts.emplace_back(std::move(text)).c_str();
}

std::string type_of(const OptionRow& row) {
  switch (row.kind) {
    case OptionKind::flag:
      return "bool";
    case OptionKind::whole:
      return row.may_be_unset ? "int | None" : "int";
    case OptionKind::number:
      return "float";
    case OptionKind::name: {
      std::string names;
      for (const std::string_view name : row.names) names += (names.empty() ? "'" : ", '") + std::string(name) + "'";
      return "typing.Literal[" + names + "]";
    }
    case OptionKind::parameters:
      return "numpy.typing.ArrayLike | collections.abc.Mapping[str, float] | None";
  }
  return "object";
}

nb::object value_of(const Options& options, const OptionRow& row) {
  if (row.kind == OptionKind::parameters) return options.gain.size() ? nb::cast(new_array(options.gain)) : nb::none();
  const double value = row.get(options);
  switch (row.kind) {
    case OptionKind::flag:
      return nb::bool_(value != 0.0);
    case OptionKind::whole:
      return std::isnan(value) ? nb::none() : nb::object(nb::int_(static_cast<long>(value)));
    case OptionKind::name:
      return nb::cast(row.names[static_cast<std::size_t>(value)]);
    default:
      return nb::cast(value);
  }
}

std::string default_of(const OptionRow& row) {
  const auto text = repr_of(value_of(Options(), row));
  return text == "inf" ? "float('inf')" : text;
}

[[noreturn]] void wrong_value(const OptionRow& row, const nb::handle& value) {
  fail("options, " + std::string(row.key), repr_of(value), expected_of(row));
}

void set_row(Options& options, const Figure* figure, const OptionRow& row, const nb::handle& value) {
  if (row.kind == OptionKind::parameters) {
    if (value.is_none())
      options.gain = {};
    else if (figure && nb::hasattr(value, "items"))
      options.gain = by_name(*figure, nb::borrow(value), "gain", 1.0);
    else
      options.gain = to_vector({nb::borrow(value)}, "options, gain");
    return;
  }
  if (row.kind == OptionKind::name) {
    std::string name;
    if (nb::try_cast(value, name))
      for (std::size_t k = 0; k < row.names.size(); ++k)
        if (row.names[k] == name) return row.set(options, static_cast<double>(k));
    wrong_value(row, value);
  }
  if (value.is_none() && row.may_be_unset) return row.set(options, std::numeric_limits<double>::quiet_NaN());
  if (row.kind == OptionKind::flag) {
    if (!PyBool_Check(value.ptr())) fail("options, " + std::string(row.key), repr_of(value), "True or False");
    return row.set(options, value.is(nb::bool_(true)) ? 1.0 : 0.0);
  }
  double number = 0.0;
  if (!nb::try_cast(value, number)) wrong_value(row, value);
  if (!(std::isinf(number) && number > 0.0 && row.unlimited) && !is_in_range(row, number)) wrong_value(row, value);
  row.set(options, number);
}

Method to_method(const nb::handle& value) {
  std::string name, all;
  const bool is_text = nb::try_cast(value, name);
  std::ranges::replace(name, '_', '-');
  for (const MethodRow& row : method_table) {
    if (is_text && row.name == name) return row.method;
    all += (all.empty() ? "'" : ", '") + std::string(row.name) + "'";
  }
  fail("options, method", repr_of(value), "one of " + all);
}

std::string method_type() {
  std::string names;
  for (const MethodRow& row : method_table) names += (names.empty() ? "'" : ", '") + std::string(row.name) + "'";
  return "typing.Literal[" + names + "]";
}

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1] ? 1 : 0)});
      diagonal = above;
    }
  }
  return row.back();
}

[[noreturn]] void unknown_option(const std::string& key) {
  std::string nearest = "method";
  for (const OptionRow& row : option_table())
    if (distance(key, row.key) < distance(key, nearest)) nearest = row.key;
  fail("options", "'" + key + "'", "an option such as '" + nearest + "'");
}

}  // namespace

void set_option(Options& options, const Figure* figure, const std::string& key, const nb::handle& value) {
  if (key == "method") {
    options.method = to_method(value);
    return;
  }
  const OptionRow* row = option_of(key);
  if (!row) unknown_option(key);
  set_row(options, figure, *row, value);
}

Options to_options(const Figure& figure, const nb::kwargs& given) {
  Options options;
  if (given.size() == 0) return options;
  if (given.contains("options")) {
    const nb::object value = given["options"];
    if (!nb::isinstance<Options>(value)) fail("options", repr_of(value), "limber.Options");
    options = nb::cast<const Options&>(value);
  }
  for (const auto [key, value] : given)
    if (const auto name = nb::cast<std::string>(key); name != "options") set_option(options, &figure, name, value);
  return options;
}

std::string option_arguments() {
  std::string text = "options: Options = ..., method: " + method_type() + " = 'automatic'";
  for (const OptionRow& row : option_table())
    text += ", " + std::string(row.key) + ": " + type_of(row) + " = " + default_of(row);
  return text;
}

void bind_options(nb::module_& m) {
  nb::class_<Options> options(m, "Options",
                              "How to solve: a method and its options, each also an argument of solve().\n\n"
                              ">>> limber.Options(method='active-set-bfgs', iterations=50).iterations\n"
                              "50\n"
                              ">>> limber.Options(iteration=50)\n"
                              "Traceback (most recent call last):\n"
                              "  ...\n"
                              "limber.Error: options: found 'iteration'; expected an option such as 'iterations'");
  const char* init = lasting("def __init__(self, *, " + option_arguments() + ") -> None");
  options.def(
      "__init__",
      [](Options* self, const nb::kwargs& given) {
        Options value;
        for (const auto [key, item] : given) {
          const auto name = nb::cast<std::string>(key);
          if (name != "options") continue;
          if (!nb::isinstance<Options>(item)) fail("options", repr_of(item), "limber.Options");
          value = nb::cast<const Options&>(item);
        }
        for (const auto [key, item] : given) {
          const auto name = nb::cast<std::string>(key);
          if (name != "options") set_option(value, nullptr, name, item);
        }
        new (self) Options(value);
      },
      nb::sig(init));
  options.def_prop_rw(
      "method", [](const Options& o) { return std::string(name_of(o.method)); },
      [](Options& o, const nb::object& value) { o.method = to_method(value); }, "How the problem is solved.",
      nb::for_getter(nb::sig(lasting("def method(self) -> " + method_type()))),
      nb::for_setter(nb::sig(lasting("def method(self, value: " + method_type() + ", /) -> None"))));
  for (const OptionRow& row : option_table()) {
    const std::string key(row.key);
    std::string help(row.help);
    if (row.lists_methods()) help += "; of " + methods_of(row);
    const std::string type =
        row.kind == OptionKind::parameters ? "numpy.typing.NDArray[numpy.float64] | None" : type_of(row);
    options.def_prop_rw(
        lasting(key), [&row](const Options& o) { return value_of(o, row); },
        [&row](Options& o, const nb::object& value) { set_row(o, nullptr, row, value); }, lasting(help + "."),
        nb::arg("value").none(), nb::for_getter(nb::sig(lasting("def " + key + "(self) -> " + type))),
        nb::for_setter(nb::sig(lasting("def " + key + "(self, value: " + type_of(row) + ", /) -> None"))));
  }
  options.def("__getstate__", [](const Options& o) {
    nb::dict state;
    state["method"] = std::string(name_of(o.method));
    for (const OptionRow& row : option_table()) state[lasting(std::string(row.key))] = value_of(o, row);
    return state;
  });
  options.def("__setstate__", [](Options& self, const nb::dict& state) {
    new (&self) Options();
    for (const auto [key, value] : state) set_option(self, nullptr, nb::cast<std::string>(key), value);
  });
  options.def("__repr__", [](const Options& o) {
    std::string text = "limber.Options(method='" + std::string(name_of(o.method)) + "'";
    for (const OptionRow& row : option_table())
      if (!is_default(row, o)) text += ", " + std::string(row.key) + "=" + repr_of(value_of(o, row));
    return text + ")";
  });

  std::vector<std::string> methods;
  for (const MethodRow& row : method_table) methods.emplace_back(row.name);
  m.attr("methods") = nb::cast(tuple_of(methods));
  std::vector<std::string> keys{"method"};
  for (const OptionRow& row : option_table()) keys.emplace_back(row.key);
  m.attr("option_names") = nb::cast(tuple_of(keys));
}

}  // namespace limber::python
