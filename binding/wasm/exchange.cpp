#include "binding/wasm/exchange.h"

#include <cstdlib>

#include "limber/format/text/json.h"
#include "limber/solver/option_table.h"

namespace limber::wasm {

namespace {

std::vector<Object>& objects() {
  static std::vector<Object> list(1);  // number 0 is none
  return list;
}

std::string& answer() {
  static std::string text;
  return text;
}

Object nothing;

// With it, the method `automatic` is one that uses the option.
Secondary needs_second(const OptionRow& row) { return row.key == "secondary" ? Secondary::comfort : Secondary::none; }

void write_option_row(JsonWriter& out, const OptionRow& row) {
  static constexpr const char* kinds[] = {"flag", "whole", "number", "name", "parameters"};
  const Options plain;
  out.begin_object(JsonWriter::Layout::row)
      .member("key", row.key)
      .member("kind", kinds[static_cast<int>(row.kind)])
      .member("help", row.help)
      .member("unlimited", row.unlimited);
  if (row.get && !row.may_be_unset) out.member("default", row.get(plain));
  out.key("names").begin_array(JsonWriter::Layout::row);
  for (const std::string_view name : row.names) out.value(name);
  out.end().key("methods").begin_array(JsonWriter::Layout::row);  // that use it
  for (const MethodRow& method : method_table)
    if (is_used(row, chosen_method(method.method, needs_second(row)))) out.value(method.name);
  out.end().end();
}

}  // namespace

// The table of options.
static void write_options(JsonWriter& out) {
  out.key("options").begin_array();
  for (const OptionRow& row : option_table()) write_option_row(out, row);
  out.end();
}

int keep(Object object) {
  std::vector<Object>& list = objects();
  for (std::size_t k = 1; k < list.size(); ++k)
    if (std::holds_alternative<std::monostate>(list[k])) {
      list[k] = std::move(object);
      return static_cast<int>(k);
    }
  list.push_back(std::move(object));
  return size_of(list) - 1;
}

Object& object(int number) {
  return number > 0 && number < size_of(objects()) ? objects()[static_cast<std::size_t>(number)] : nothing;
}

Figure* figure_at(int number) {
  if (Figure* found = std::get_if<Figure>(&object(number))) return found;
  rejected({"object " + std::to_string(number), "no figure", "a number that a call has given"});
  return nullptr;
}

int set_text(std::string text) {
  answer() = std::move(text);
  return 1;
}

int rejected(const Diagnostic& why) {
  JsonWriter out;
  out.begin_object()
      .member("where", why.where)
      .member("found", why.found)
      .member("expected", why.expected)
      .key("line")
      .integer(why.line)
      .key("column")
      .integer(why.column)
      .member("text", why.text())
      .end();
  set_text(out.take());
  return 0;
}

}  // namespace limber::wasm

using namespace limber::wasm;

void* limber_allocate(int bytes) { return std::malloc(static_cast<std::size_t>(bytes > 0 ? bytes : 1)); }
void limber_release(void* room) { std::free(room); }
const char* limber_text() { return answer().data(); }
int limber_text_size() { return size_of(answer()); }

void limber_drop(int number) { object(number) = {}; }

int limber_objects() {
  int count = 0;
  for (const Object& one : objects()) count += std::holds_alternative<std::monostate>(one) ? 0 : 1;
  return count;
}

int limber_constants() {
  limber::JsonWriter out;
  out.begin_object().key("methods").begin_array();
  for (const limber::MethodRow& row : limber::method_table)
    out.begin_object(limber::JsonWriter::Layout::row)
        .member("name", row.name)
        .member("locks", row.locks)
        .member("rows", row.linear_limits)
        .member("levels", row.levels)
        .member("cannot", row.cannot)
        .end();
  out.end();
  limber::wasm::write_options(out);
  out.key("exits").begin_array();
  for (int k = 0; k <= static_cast<int>(limber::Exit::rejected); ++k)
    out.value(limber::name_of(static_cast<limber::Exit>(k)));
  out.end().key("formats").begin_array();
  for (const limber::FileFormat& format : limber::file_formats())
    out.begin_object(limber::JsonWriter::Layout::row)
        .member("key", format.key)
        .member("name", format.name)
        .member("extensions", format.extensions)
        .member("writes", format.writes)
        .member("motions", format.motions != limber::FileMotions::none)
        .member("refers", format.refers)
        .key("preference")
        .integer(format.preference)
        .end();
  out.end().end();
  return set_text(out.take());
}
