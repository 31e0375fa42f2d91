#include "limber/format/polygon/polygon.h"

#include "limber/format/text/text.h"

namespace limber {

namespace {

using Check = Expected<void>;

class PolygonReader {
 public:
  PolygonReader(std::string_view text, const std::string& file_name, double metres_per_unit)
      : in_(text, file_name), unit_(metres_per_unit) {
    in_.brackets = "";
  }

  Expected<SegmentObject> read() {
    const Check done = in_.peek().is("OFF") ? read_off() : read_obj();
    if (!done) return std::unexpected(done.error());
    if (out_.triangles.empty()) return in_.reject(in_.offset(), "no polygon", "vertices and polygons, as OBJ or OFF");
    return std::move(out_);
  }

 private:
  Check read_obj() {
    while (!in_.at_end()) {
      const Word key = in_.next();
      if (key.text == "v") {
        if (Check done = vertex(); !done) return done;
      } else if (key.text == "f") {
        corners_.clear();
        for (Word word = in_.next_on_line(); !word.empty(); word = in_.next_on_line())
          if (Check done = obj_corner(word); !done) return done;
        if (Check done = polygon(key); !done) return done;
      }
      in_.skip_line();
    }
    return {};
  }

  Check obj_corner(const Word& word) {
    const Word index{word.text.substr(0, word.text.find('/')), word.offset};
    const std::optional<double> number = TextReader::number(index);
    const auto count = static_cast<double>(out_.vertices.size());
    const double from_zero = number ? (*number < 0.0 ? count + *number : *number - 1.0) : -1.0;
    if (!(from_zero >= 0.0 && from_zero < count) || from_zero != static_cast<int>(from_zero))
      return in_.reject(word, in_.described(word), "the number of a vertex before this line, from 1");
    corners_.push_back(static_cast<int>(from_zero));
    return {};
  }

  Check read_off() {
    in_.next();
    skip_comments();
    const Expected<long> vertices = in_.integer("the number of vertices", 0, max_count);
    if (!vertices) return std::unexpected(vertices.error());
    const Expected<long> faces = in_.integer("the number of faces", 0, max_count);
    if (!faces) return std::unexpected(faces.error());
    in_.skip_line();
    for (long k = 0; k < *vertices; ++k) {
      skip_comments();
      if (Check done = vertex(); !done) return done;
      in_.skip_line();
    }
    for (long k = 0; k < *faces; ++k) {
      skip_comments();
      const Word at = in_.peek();
      const Expected<long> count = in_.integer("the number of corners", 0, max_count);
      if (!count) return std::unexpected(count.error());
      corners_.clear();
      for (long c = 0; c < *count; ++c) {
        const Expected<long> index = in_.integer("a vertex", 0, static_cast<long>(out_.vertices.size()) - 1);
        if (!index) return std::unexpected(index.error());
        corners_.push_back(static_cast<int>(*index));
      }
      if (Check done = polygon(at); !done) return done;
      in_.skip_line();
    }
    return {};
  }

  void skip_comments() {
    while (!in_.at_end() && in_.peek().text.starts_with('#')) {
      in_.next();
      in_.skip_line();
    }
  }

  Check vertex() {
    Vec3 x;
    for (double& number : x) {
      const Expected<double> read = in_.number_on_line("a coordinate");
      if (!read) return std::unexpected(read.error());
      number = unit_ * *read;
    }
    out_.vertices.push_back(x);
    return {};
  }

  Check polygon(const Word& at) {
    if (corners_.size() < 3)
      return in_.reject(at, "a polygon with " + std::to_string(corners_.size()) + " corners", "at least three");
    for (std::size_t k = 2; k < corners_.size(); ++k)
      out_.triangles.push_back({corners_[0], corners_[k - 1], corners_[k]});
    return {};
  }

  static constexpr long max_count = 100'000'000;

  TextReader in_;
  double unit_;
  std::vector<int> corners_;
  SegmentObject out_;
};

}  // namespace

Expected<SegmentObject> read_polygons(std::string_view bytes, const std::string& file_name, double metres_per_unit) {
  const Expected<std::string_view> text = plain_text(bytes, file_name);
  if (!text) return std::unexpected(text.error());
  return PolygonReader(*text, file_name, metres_per_unit).read();
}

}  // namespace limber
