#include "limber/format/gltf/gltf_data.h"

#include <bit>
#include <map>

#include "limber/format/gltf/gltf_bytes.h"

namespace limber {

namespace {

constexpr int max_bytes = std::numeric_limits<int>::max();

// The stored number.
double stored(const char* at, GltfComponent component) {
  switch (component) {
    case GltfComponent::int8:
      return static_cast<signed char>(*at);
    case GltfComponent::uint8:
      return static_cast<unsigned char>(*at);
    case GltfComponent::int16:
      return static_cast<std::int16_t>(little_endian_16(at));
    case GltfComponent::uint16:
      return little_endian_16(at);
    case GltfComponent::uint32:
      return little_endian_32(at);
    case GltfComponent::float32:
      return static_cast<double>(std::bit_cast<float>(little_endian_32(at)));
  }
  return 0.0;
}

// The divisor of a normalized integer.                                                 glTF 2.0, section 3.11
double normalization_divisor(GltfComponent component) {
  switch (component) {
    case GltfComponent::int8:
      return 127.0;
    case GltfComponent::uint8:
      return 255.0;
    case GltfComponent::int16:
      return 32767.0;
    case GltfComponent::uint16:
      return 65535.0;
    default:
      return 1.0;
  }
}

std::size_t size_of(GltfComponent component) {
  switch (component) {
    case GltfComponent::int8:
    case GltfComponent::uint8:
      return 1;
    case GltfComponent::int16:
    case GltfComponent::uint16:
      return 2;
    default:
      return 4;
  }
}

struct Shape {
  std::string_view name;
  int width;
  int columns;  // of a matrix, each starting at a multiple of four bytes; else 1
};
constexpr Shape shapes[] = {{"SCALAR", 1, 1}, {"VEC2", 2, 1}, {"VEC3", 3, 1}, {"VEC4", 4, 1},
                            {"MAT2", 4, 2},   {"MAT3", 9, 3}, {"MAT4", 16, 4}};

std::size_t row_size(const Shape& shape, GltfComponent component) {
  const std::size_t column = size_of(component) * static_cast<std::size_t>(shape.width / shape.columns);
  return shape.columns == 1 ? column : (column + 3) / 4 * 4 * static_cast<std::size_t>(shape.columns);
}

struct View {
  int buffer = 0;
  std::size_t offset = 0;
  std::size_t length = 0;
  std::size_t stride = 0;  // 0: none given
};

class DataReader {
 public:
  DataReader(JsonDocument& document, const std::string_view* binary, const FileLoader& load, GltfAsset& asset,
             std::vector<Note>& notes)
      : document_(document), binary_(binary), load_(load), asset_(asset), notes_(notes) {}

  void read() {
    for (const JsonValue& buffer : elements(document_.root(), "buffers")) {
      if (document_.error()) return;
      asset_.buffers.push_back(read_buffer(buffer, asset_.buffers.empty()));
    }
    if (binary_) notes_.emplace_back("the binary chunk belongs to no buffer: it will not be written");
    for (const JsonValue& view : elements(document_.root(), "bufferViews")) {
      if (document_.error()) return;
      views_.push_back(read_view(view));
    }
    for (const JsonValue& accessor : elements(document_.root(), "accessors")) {
      if (document_.error()) return;
      asset_.accessors.push_back(read_accessor(accessor));
    }
  }

 private:
  GltfBuffer read_buffer(const JsonValue& value, bool first) {
    GltfBuffer buffer;
    if (!value.object()) return buffer;
    buffer.length = static_cast<std::size_t>(value["byteLength"].integer(1, max_bytes));
    const JsonValue uri = value["uri"];
    if (uri) {
      buffer.bytes = bytes_of(uri, buffer.embedded);
    } else if (first && binary_) {
      buffer.bytes = std::make_shared<const std::string>(*binary_);
      buffer.is_chunk = true;
      binary_ = nullptr;
    }
    if (buffer.bytes && buffer.bytes->size() < buffer.length)
      value["byteLength"].fail("a buffer of " + std::to_string(buffer.length) + " bytes",
                               "at most the " + std::to_string(buffer.bytes->size()) + " available");
    return buffer;
  }

  std::shared_ptr<const std::string> bytes_of(const JsonValue& value, bool& embedded) {
    const std::string_view uri = value.long_text();
    embedded = uri.starts_with("data:");
    if (embedded) {
      constexpr std::string_view base64 = ";base64";
      const std::size_t comma = uri.find(',');
      if (comma == std::string_view::npos || !uri.substr(0, comma).ends_with(base64)) {
        value.fail("a data URI " + in_quotes(uri), "\"data:application/octet-stream;base64,...\"");
        return {};
      }
      std::optional<std::string> bytes = from_base64(uri.substr(comma + 1));
      if (!bytes) value.fail("a data URI with bad base64", "letters, digits, + and /, in groups of four");
      return bytes ? std::make_shared<const std::string>(std::move(*bytes)) : nullptr;
    }
    const Expected<std::string> name = file_of_uri(uri);
    if (!name) {
      if (!document_.error()) value.fail(name.error());
      return {};
    }
    if (const auto known = files_.find(*name); known != files_.end()) return known->second;
    if (!load_) {
      value.fail("data in the file " + in_quotes(*name),
                 "a document with embedded data, or access to the files next to it");
      return {};
    }
    Expected<std::string> bytes = load_(*name);
    if (!bytes) {
      value.fail(bytes.error());
      return {};
    }
    return files_[*name] = std::make_shared<const std::string>(std::move(*bytes));
  }

  View read_view(const JsonValue& value) {
    View view;
    if (!value.object()) return view;
    view.buffer = index_of(value["buffer"], asset_.buffers.size(), "buffer");
    view.length = static_cast<std::size_t>(value["byteLength"].integer(1, max_bytes));
    if (value["byteOffset"]) view.offset = static_cast<std::size_t>(value["byteOffset"].integer(0, max_bytes));
    if (value["byteStride"]) view.stride = static_cast<std::size_t>(value["byteStride"].integer(1, 252));
    if (document_.error()) return view;
    const std::size_t whole = asset_.buffers[static_cast<std::size_t>(view.buffer)].length;
    if (view.offset + view.length > whole)
      value.fail("bytes " + std::to_string(view.offset) + " to " + std::to_string(view.offset + view.length) +
                     " of buffer " + std::to_string(view.buffer),
                 "bytes within its " + std::to_string(whole));
    return view;
  }

  // The start of `rows` rows in a view, after checking that they lie within it.
  const char* begin_of(const JsonValue& value, std::size_t rows, std::size_t stride, std::size_t size, bool& readable) {
    const auto v = static_cast<std::size_t>(index_of(value["bufferView"], views_.size(), "bufferView"));
    const std::size_t offset =
        value["byteOffset"] ? static_cast<std::size_t>(value["byteOffset"].integer(0, max_bytes)) : 0;
    if (document_.error()) return nullptr;
    const View& view = views_[v];
    if (stride == 0) stride = view.stride > 0 ? view.stride : size;
    if (stride < size) {
      value.fail("rows of " + std::to_string(size) + " bytes, " + std::to_string(stride) + " apart",
                 "a byteStride at least the size of a row");
      return nullptr;
    }
    const std::size_t end = offset + stride * (rows - 1) + size;
    if (end > view.length) {
      value.fail(std::to_string(rows) + " rows that end at byte " + std::to_string(end) + " of bufferView " +
                     std::to_string(v),
                 "rows within its " + std::to_string(view.length) + " bytes");
      return nullptr;
    }
    const GltfBuffer& buffer = asset_.buffers[static_cast<std::size_t>(view.buffer)];
    readable = readable && buffer.bytes;
    return buffer.bytes ? buffer.bytes->data() + view.offset + offset : nullptr;
  }

  GltfComponent read_component(const JsonValue& value, bool only_unsigned) {
    const int code = value.integer(5120, 5126);
    const bool is_unsigned = code == 5121 || code == 5123 || code == 5125;
    if (code == 5124 || (only_unsigned && !is_unsigned))
      value.fail(value.described(), only_unsigned ? "5121, 5123 or 5125" : "5120, 5121, 5122, 5123, 5125 or 5126");
    return static_cast<GltfComponent>(code == 5124 ? 5126 : code);
  }

  GltfAccessor read_accessor(const JsonValue& value) {
    GltfAccessor accessor;
    if (!value.object()) return accessor;
    accessor.component = read_component(value["componentType"], false);
    accessor.rows = static_cast<std::size_t>(value["count"].integer(1, max_bytes));
    if (value["normalized"]) accessor.normalized = value["normalized"].boolean();
    const std::string type = value["type"].text();
    const Shape* shape = nullptr;
    for (const Shape& candidate : shapes)
      if (candidate.name == type) shape = &candidate;
    if (!shape)
      value["type"].fail(value["type"].described(),
                         "\"SCALAR\", \"VEC2\", \"VEC3\", \"VEC4\", \"MAT2\", \"MAT3\", \"MAT4\"");
    if (document_.error()) return accessor;
    accessor.width = shape->width;
    accessor.row_size = row_size(*shape, accessor.component);
    accessor.stride = accessor.row_size;
    if (const JsonValue view = value["bufferView"]) {
      accessor.bytes = begin_of(value, accessor.rows, 0, accessor.row_size, accessor.readable);
      if (document_.error()) return accessor;
      if (const std::size_t stride = views_[static_cast<std::size_t>(view.integer(0, max_bytes))].stride; stride > 0)
        accessor.stride = stride;
    }
    if (value["sparse"]) read_sparse(value["sparse"], accessor);
    return accessor;
  }

  void read_sparse(const JsonValue& value, GltfAccessor& accessor) {
    if (!value.object()) return;
    const std::size_t count = static_cast<std::size_t>(value["count"].integer(1, static_cast<int>(accessor.rows)));
    const JsonValue indices = value["indices"], values = value["values"];
    if (!indices.object() || !values.object()) return;
    accessor.replaced_rows_component = read_component(indices["componentType"], true);
    const std::size_t index_size = size_of(accessor.replaced_rows_component);
    accessor.replaced_rows = begin_of(indices, count, index_size, index_size, accessor.readable);
    accessor.replaced_values = begin_of(values, count, accessor.row_size, accessor.row_size, accessor.readable);
    if (document_.error() || !accessor.readable) return;
    accessor.replaced = count;
  }

  JsonDocument& document_;
  const std::string_view* binary_;
  const FileLoader& load_;
  GltfAsset& asset_;
  std::vector<Note>& notes_;
  std::vector<View> views_;
  std::map<std::string, std::shared_ptr<const std::string>> files_;
};

}  // namespace

std::vector<JsonValue> elements(const JsonValue& object, std::string_view key) {
  const JsonValue array = object[key];
  std::vector<JsonValue> found;
  if (!array || !array.array()) return found;
  found.reserve(array.size());
  for (const JsonValue element : array) found.push_back(element);
  return found;
}

int index_of(const JsonValue& value, std::size_t size, const char* thing) {
  if (value.is(JsonKind::number))
    if (const double n = value.number(); n >= 0.0 && n < static_cast<double>(size) && n == std::floor(n))
      return static_cast<int>(n);
  value.fail(value.described(),
             size == 0 ? std::string("the index of a ") + thing + "; there are none"
                       : std::string("the index of a ") + thing + ", from 0 to " + std::to_string(size - 1));
  return 0;
}

void add_note(std::vector<Note>& notes, const JsonValue& value, std::string text) {
  constexpr std::size_t max_placed_notes = 20;
  const Place place = notes.size() < max_placed_notes ? value.place() : Place{0, 0};
  notes.push_back({std::move(text), place.line, place.column});
}

void read_data(JsonDocument& document, const std::string_view* binary, const FileLoader& load, GltfAsset& asset,
               std::vector<Note>& notes) {
  DataReader(document, binary, load, asset, notes).read();
}

std::size_t GltfAccessor::replaced_row(std::size_t k) const {
  return static_cast<std::size_t>(
      stored(replaced_rows + k * size_of(replaced_rows_component), replaced_rows_component));
}

bool GltfAccessor::replaces_in_order() const {
  for (std::size_t k = 0; k < replaced; ++k)
    if (replaced_row(k) >= rows || (k > 0 && replaced_row(k) <= replaced_row(k - 1))) return false;
  return true;
}

double GltfAccessor::at(std::size_t row, int column) const {
  const char* begin = bytes ? bytes + row * stride : nullptr;
  if (replaced > 0) {
    std::size_t low = 0, high = replaced;  // the first replaced row >= row
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (replaced_row(middle) < row)
        low = middle + 1;
      else
        high = middle;
    }
    if (low < replaced && replaced_row(low) == row) begin = replaced_values + low * row_size;
  }
  if (!begin) return 0.0;
  const double value = stored(begin + static_cast<std::size_t>(column) * size_of(component), component);
  return normalized ? std::fmax(value / normalization_divisor(component), -1.0) : value;
}

}  // namespace limber
