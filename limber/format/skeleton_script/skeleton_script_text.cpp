#include "limber/format/skeleton_script/skeleton_script_text.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <utility>

#include "limber/base/number.h"
#include "limber/base/vector.h"
#include "limber/format/text/text.h"

namespace limber {

namespace {

using Check = Expected<void>;

struct ScriptToken {
  Word word;
  bool quoted = false;

  bool is(std::string_view keyword) const { return !quoted && word.is(keyword); }
};

// Words and quoted texts, without comments.
class ScriptTokens {
 public:
  ScriptTokens(std::string_view text, const std::string& file_name) : text_(text), reader_(text, file_name) {
    reader_.brackets = "\"#";
  }

  Expected<ScriptToken> next() {
    while (true) {
      const Word word = reader_.next();
      if (word.text == "\"") return quoted(word);
      if (word.text != "#") return ScriptToken{word};
      reader_.skip_line();
    }
  }

  Expected<ScriptToken> peek() {
    const std::size_t start = reader_.offset();
    Expected<ScriptToken> token = next();
    reader_.go_to(start);
    return token;
  }

  TextReader& reader() { return reader_; }
  std::string described(const ScriptToken& token) const {
    return token.quoted ? "the text " + in_quotes(token.word.text) : reader_.described(token.word);
  }

 private:
  Expected<ScriptToken> quoted(const Word& word) {
    const std::size_t begin = word.offset + 1;
    const std::size_t end = text_.find_first_of("\"\r\n", begin);
    if (end == std::string_view::npos || text_[end] != '"')
      return reader_.reject(word, "a text without a closing quote on its line", "a closing quote");
    reader_.go_to(end + 1);
    return ScriptToken{{text_.substr(begin, end - begin), word.offset}, true};
  }

  std::string_view text_;
  TextReader reader_;
};

Mat3 skeleton_orientation(double rx_deg, double ry_deg, double rz_deg) {
  return euler_rotation({2, 1, 0}, {radians(rz_deg), radians(ry_deg), radians(rx_deg)});
}

class SkeletonTextReader {
 public:
  SkeletonTextReader(std::string_view text, const std::string& file_name) : tokens_(text, file_name) {}

  Expected<SkeletonText> read() {
    if (Check done = read_script(); !done) return std::unexpected(done.error());
    return std::move(out_);
  }

 private:
  std::unexpected<Diagnostic> reject(const ScriptToken& token, std::string expected) {
    return tokens_.reader().reject(token.word, tokens_.described(token), std::move(expected));
  }
  std::unexpected<Diagnostic> reject(std::size_t offset, std::string found, std::string expected) {
    return tokens_.reader().reject(offset, std::move(found), std::move(expected));
  }
  void note(std::size_t offset, std::string text) {
    const Place place = tokens_.reader().place(offset);
    out_.notes.push_back({std::move(text), place.line, place.column});
  }

  Check expect(std::string_view keyword) {
    const Expected<ScriptToken> token = tokens_.next();
    if (!token) return std::unexpected(token.error());
    return token->is(keyword) ? Check() : reject(*token, in_quotes(keyword));
  }

  Expected<ScriptToken> text(const char* what) {
    Expected<ScriptToken> token = tokens_.next();
    if (token && !token->quoted) return reject(*token, std::string(what) + " in quotes");
    if (token && token->word.empty()) return reject(*token, std::string(what) + " that is not empty");
    return token;
  }

  // Numbers up to the next keyword or text; `limits` allows `none`.
  Expected<std::vector<double>> numbers(const char* what, std::initializer_list<std::size_t> counts,
                                        bool limits = false) {
    std::vector<double> values;
    Expected<ScriptToken> token = tokens_.peek();
    for (; token; token = tokens_.peek()) {
      if (token->quoted || token->word.empty()) break;
      const std::optional<double> value = TextReader::number(token->word);
      const bool no_limit = limits && token->is("none");
      if (!value && !no_limit) {
        if (to_number(token->word.text) || std::string_view("+-.0123456789").contains(token->word.text.front()))
          return reject(*token, std::string("a finite number for ") + what);
        break;
      }
      if (values.size() == *std::max_element(counts.begin(), counts.end()))
        return reject(*token, "no more numbers for " + std::string(what));
      values.push_back(no_limit ? std::numeric_limits<double>::quiet_NaN() : *value);
      static_cast<void>(tokens_.next());
    }
    if (!token) return std::unexpected(token.error());
    if (std::ranges::find(counts, values.size()) != counts.end()) return values;
    std::string expected;
    for (const std::size_t count : counts) expected += (expected.empty() ? "" : " or ") + std::to_string(count);
    return reject(*token, expected + " numbers for " + what + ", not " + std::to_string(values.size()));
  }

  Check read_script() {
    bool has_skeleton = false;
    while (true) {
      const Expected<ScriptToken> token = tokens_.next();
      if (!token) return std::unexpected(token.error());
      if (!token->quoted && token->word.empty()) {
        if (!has_skeleton) return reject(*token, "\"define skeleton\"");
        return {};
      }
      if (!token->is("define")) return reject(*token, "\"define skeleton\" or \"define joint\"");
      const Expected<ScriptToken> what = tokens_.next();
      if (!what) return std::unexpected(what.error());
      if (what->is("skeleton")) {
        if (std::exchange(has_skeleton, true)) return reject(*what, "one skeleton in a file");
        if (Check done = read_skeleton(); !done) return done;
      } else if (what->is("joint")) {
        if (Check done = read_definition(); !done) return done;
      } else {
        return reject(*what, "\"skeleton\" or \"joint\" after \"define\"");
      }
    }
  }

  // A joint is the child of the preceding one; after a group, of the one before the group.
  Check read_skeleton() {
    const Expected<ScriptToken> name = text("the name of the skeleton");
    if (!name) return std::unexpected(name.error());
    out_.name = std::string(name->word.text);
    int current = none, groups = 0;
    std::vector<int> before_group;
    std::size_t first_group = 0;
    while (true) {
      const Expected<ScriptToken> token = tokens_.next();
      if (!token) return std::unexpected(token.error());
      if (token->is("joint")) {
        const Expected<ScriptToken> joint = text("the name of a joint");
        if (!joint) return std::unexpected(joint.error());
        if (Check listed = list_joint(*joint, current); !listed) return listed;
        current = static_cast<int>(out_.listed.size()) - 1;
      } else if (token->is("group")) {
        if (const Expected<ScriptToken> group = text("the name of a group"); !group)
          return std::unexpected(group.error());
        before_group.push_back(current);
        if (groups++ == 0) first_group = token->word.offset;
      } else if (token->is("end") && !before_group.empty()) {
        if (Check ended = expect("group"); !ended) return ended;
        current = before_group.back();
        before_group.pop_back();
      } else if (token->is("end")) {
        if (Check ended = expect("skeleton"); !ended) return ended;
        break;
      } else {
        return reject(*token, "\"joint\", \"group\" or \"end\"");
      }
    }
    if (out_.listed.empty()) return reject(name->word.offset, "a skeleton without a joint", "at least one");
    if (groups > 0) note(first_group, "the names of groups are not kept: " + std::to_string(groups));
    return {};
  }

  Check list_joint(const ScriptToken& token, int parent) {
    const std::string name(token.word.text);
    if (parent == none && !out_.listed.empty())
      return reject(token, "one root: this joint is not a child of " + in_quotes(out_.listed.front().name));
    if (out_.listed.size() >= max_joints) return reject(token, "at most " + std::to_string(max_joints) + " joints");
    if (!out_.index_by_name.emplace(name, static_cast<int>(out_.listed.size())).second)
      return reject(token.word.offset, "the joint " + in_quotes(name) + " a second time", "each joint once");
    out_.listed.push_back({name, token.word.offset, parent});
    return {};
  }

  Check read_definition() {
    const Expected<ScriptToken> name = text("the name of a joint");
    if (!name) return std::unexpected(name.error());
    SkeletonJoint definition;
    definition.offset = name->word.offset;
    std::vector<std::string> seen;
    while (true) {
      const Expected<ScriptToken> token = tokens_.next();
      if (!token) return std::unexpected(token.error());
      if (token->is("end")) {
        if (Check ended = expect("joint"); !ended) return ended;
        break;
      }
      const std::string keyword = token->quoted ? std::string() : lower_case(token->word.text);
      // A joint has one DOF, so only one of hinge and slide is allowed. Only tips may repeat.
      const std::string statement = keyword == "slide" ? "hinge" : keyword;
      if (keyword != "tip" && std::ranges::find(seen, statement) != seen.end())
        return reject(
            token->word.offset, "a second " + in_quotes(keyword) + " in one joint",
            statement == "hinge" ? "one: write a joint with several DOF as several coincident joints" : "one");
      if (keyword != "tip") seen.push_back(statement);
      if (Check read = read_statement(keyword, *token, definition); !read) return read;
    }
    if (out_.definitions.size() >= max_joints)
      return reject(*name, "at most " + std::to_string(max_joints) + " definitions");
    if (!out_.definitions.emplace(name->word.text, std::move(definition)).second)
      return reject(name->word.offset, "a second definition of " + in_quotes(name->word.text), "one per joint");
    return {};
  }

  Check read_statement(std::string_view keyword, const ScriptToken& token, SkeletonJoint& to) {
    if (keyword == "object" || keyword == "mirror") {
      const Expected<ScriptToken> value = text(keyword == "object" ? "the name of a file" : "the name of a joint");
      if (!value) return std::unexpected(value.error());
      (keyword == "object" ? to.object : to.mirror) = std::string(value->word.text);
      if (keyword == "mirror") to.mirror_offset = value->word.offset;
    } else if (keyword == "offset" || keyword == "orientation") {
      const Expected<std::vector<double>> v = numbers(keyword == "offset" ? "offset" : "orientation", {3});
      if (!v) return std::unexpected(v.error());
      if (keyword == "offset")
        to.frame.p = {(*v)[0], (*v)[1], (*v)[2]};
      else
        to.frame.R = skeleton_orientation((*v)[0], (*v)[1], (*v)[2]);
    } else if (keyword == "hinge" || keyword == "slide") {
      return read_motion(keyword == "hinge" ? Motion::rotate : Motion::translate, token, to);
    } else if (keyword == "rest") {
      const Expected<std::vector<double>> v = numbers("rest", {1, 3, 4});
      if (!v) return std::unexpected(v.error());
      to.rest = *v;
      to.rest_offset = token.word.offset;
    } else if (keyword == "mass") {
      const Expected<std::vector<double>> v = numbers("mass", {1, 4});
      if (!v) return std::unexpected(v.error());
      to.mass = v->front();
      if (to.mass < 0.0) return reject(token.word.offset, "mass " + to_text(to.mass), "0 or more");
      if (v->size() == 4) to.mass_centre = {(*v)[1], (*v)[2], (*v)[3]};
    } else if (keyword == "tip") {
      if (++tips_ > max_joints) return reject(token, "at most " + std::to_string(max_joints) + " tips");
      const Expected<std::vector<double>> v = numbers("tip", {3, 6});
      if (!v) return std::unexpected(v.error());
      SkeletonTip tip{{}, token.word.offset, at({(*v)[0], (*v)[1], (*v)[2]})};
      if (v->size() == 6) tip.frame.R = skeleton_orientation((*v)[3], (*v)[4], (*v)[5]);
      const Expected<ScriptToken> name = tokens_.peek();
      if (!name) return std::unexpected(name.error());
      if (name->quoted) {
        if (const Expected<ScriptToken> own = text("the name of a tip"); !own) return std::unexpected(own.error());
        tip.name = std::string(name->word.text);
      }
      to.tips.push_back(std::move(tip));
    } else {
      return reject(token, "object, offset, orientation, hinge, slide, rest, mass, mirror, tip or \"end joint\"");
    }
    return {};
  }

  // x, y or z, or three numbers; then two limits or none.
  Check read_motion(Motion kind, const ScriptToken& token, SkeletonJoint& to) {
    const char* what = kind == Motion::rotate ? "hinge" : "slide";
    SkeletonFreedom motion;
    motion.motion = kind;
    const Expected<ScriptToken> axis = tokens_.peek();
    if (!axis) return std::unexpected(axis.error());
    for (int k = 0; k < 3; ++k)
      if (axis->is(std::string_view("xyz").substr(k, 1))) motion.letter = k;
    if (motion.letter != none) static_cast<void>(tokens_.next());
    const bool letter = motion.letter != none;
    if (!letter && !TextReader::number(axis->word)) return reject(*axis, "x, y, z or three numbers");
    const Expected<std::vector<double>> read = letter ? numbers(what, {0, 2}, true) : numbers(what, {3, 5}, true);
    if (!read) return std::unexpected(read.error());
    const std::vector<double>& v = *read;
    motion.axis = letter ? Vec3(Vec3::Unit(motion.letter)) : Vec3(v[0], v[1], v[2]);
    const double length = motion.axis.norm();
    if (!std::isfinite(length) || length <= std::numeric_limits<double>::min())
      return reject(axis->word.offset, "an axis of length " + to_text(length), "a direction");
    if (const std::size_t first = letter ? 0 : 3; v.size() > first) {
      motion.lower = std::isnan(v[first]) ? -infinity : v[first];
      motion.upper = std::isnan(v[first + 1]) ? infinity : v[first + 1];
    }
    if (motion.lower > motion.upper)
      return reject(token.word.offset,
                    "lower limit " + to_text(motion.lower) + " above upper limit " + to_text(motion.upper),
                    "lower <= upper");
    to.motion = motion;
    return {};
  }

  ScriptTokens tokens_;
  SkeletonText out_;
  int tips_ = 0;
};

}  // namespace

Expected<SkeletonText> read_skeleton_text(std::string_view text, const std::string& file_name) {
  return SkeletonTextReader(text, file_name).read();
}

}  // namespace limber
