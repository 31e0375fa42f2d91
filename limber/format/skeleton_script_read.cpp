#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "limber/base/euler.h"
#include "limber/base/number.h"
#include "limber/format/skeleton_script.h"
#include "limber/format/text.h"

namespace limber {

namespace {

using Check = Expected<void>;

constexpr int none = -1;
// A rest value may be outside of its limit by the rounding of degrees, relative to the limit.
constexpr double rest_tolerance = 1e-12;

// --- Words ---------------------------------------------------------------------------------------

struct Token {
  Word word;
  bool quoted = false;

  bool is(std::string_view keyword) const { return !quoted && word.is(keyword); }
};

// Words, texts in quotes, and no comments.
class Tokens {
 public:
  Tokens(std::string_view text, const std::string& file_name) : text_(text), reader_(text, file_name) {
    reader_.brackets = "\"#";
  }

  Expected<Token> next() {
    while (true) {
      const Word word = reader_.next();
      if (word.text == "\"") return quoted(word);
      if (word.text != "#") return Token{word};
      reader_.skip_line();
    }
  }

  Expected<Token> peek() {
    const std::size_t here = reader_.offset();
    Expected<Token> token = next();
    reader_.go_to(here);
    return token;
  }

  TextReader& reader() { return reader_; }
  std::string described(const Token& token) const {
    return token.quoted ? "the text " + in_quotes(token.word.text) : reader_.described(token.word);
  }

 private:
  Expected<Token> quoted(const Word& word) {
    const std::size_t begin = word.offset + 1;
    const std::size_t end = text_.find_first_of("\"\r\n", begin);
    if (end == std::string_view::npos || text_[end] != '"')
      return reader_.refuse(word, "a text that does not end on its line", "a second quote");
    reader_.go_to(end + 1);
    return Token{{text_.substr(begin, end - begin), word.offset}, true};
  }

  std::string_view text_;
  TextReader reader_;
};

// --- What a script says ---------------------------------------------------------------------------

// hinge or slide.
struct OneFreedom {
  Motion motion = Motion::rotate;
  Vec3 axis = Vec3::UnitX();
  int letter = none;                           // 0, 1, 2 where the axis was written as x, y, z
  double lower = -infinity, upper = infinity;  // as written: degrees, or lengths
};

struct Tip {
  std::string name = {};
  std::size_t offset = 0;
  Frame frame = {};  // lengths as written
};

struct Definition {
  std::size_t offset = 0;  // in the text
  std::string object = {};
  Frame frame = {};  // offset and orientation
  std::optional<OneFreedom> motion = {};
  std::vector<double> rest = {};  // as written
  std::size_t rest_offset = 0;
  double mass = 0.0;
  Vec3 mass_centre = Vec3::Zero();
  std::string mirror = {};
  std::size_t mirror_offset = 0;
  std::vector<Tip> tips = {};
};

struct Listed {
  std::string name;
  std::size_t offset = 0;
  int parent = none;
};

Mat3 orientation(double rx_deg, double ry_deg, double rz_deg) {
  return euler_rotation({2, 1, 0}, {radians(rz_deg), radians(ry_deg), radians(rx_deg)});
}

// The image across x = 0, with M = diag(-1, 1, 1): offsets M p, rotations M R M. A turn by q about u becomes one by q
// about -M u, a shift along u one along M u. An axis that was written as a letter stays, and where its direction would
// change, q changes its sign instead. Where a tip points, its x axis, is reflected, and its y axis; z is their product.
Definition mirror_image(const Definition& of) {
  const Mat3 M = Vec3(-1, 1, 1).asDiagonal();
  Definition image;
  image.offset = of.offset;
  image.frame = {M * of.frame.R * M, M * of.frame.p};
  image.mass = of.mass;
  image.mass_centre = M * of.mass_centre;
  image.rest = of.rest;
  image.rest_offset = of.rest_offset;
  if (of.motion) {
    OneFreedom motion = *of.motion;
    const Vec3 axis = motion.motion == Motion::rotate ? Vec3(-(M * motion.axis)) : Vec3(M * motion.axis);
    if (motion.letter == none || axis == motion.axis) {
      motion.axis = axis;
    } else {
      std::swap(motion.lower, motion.upper);
      motion.lower = -motion.lower;
      motion.upper = -motion.upper;
      for (double& value : image.rest) value = -value;
    }
    image.motion = motion;
  }
  const Mat3 flip_z = Vec3(1, 1, -1).asDiagonal();
  for (const Tip& tip : of.tips) image.tips.push_back({{}, tip.offset, {M * tip.frame.R * flip_z, M * tip.frame.p}});
  return image;
}

// --- The reader ----------------------------------------------------------------------------------

class ScriptReader {
 public:
  ScriptReader(std::string_view text, const std::string& file_name, const ReadOptions& options)
      : tokens_(text, file_name) {
    content_.format = "skeleton script";
    content_.space.up = options.up.value_or(Up::y);
    content_.space.metres_per_unit = options.metres_per_unit.value_or(1.0);
  }

  Expected<Content> read() {
    if (Check done = read_script(); !done) return std::unexpected(done.error());
    if (Check done = mirror_definitions(); !done) return std::unexpected(done.error());
    if (Check done = match_definitions(); !done) return std::unexpected(done.error());
    for (std::size_t k = 0; k < listed_.size(); ++k)
      if (Check done = add_joint(listed_[k], definitions_[listed_[k].name]); !done)
        return std::unexpected(done.error());
    return build();
  }

 private:
  std::unexpected<Diagnostic> refuse(const Token& token, std::string expected) {
    return tokens_.reader().refuse(token.word, tokens_.described(token), std::move(expected));
  }
  std::unexpected<Diagnostic> refuse(std::size_t offset, std::string found, std::string expected) {
    return tokens_.reader().refuse(offset, std::move(found), std::move(expected));
  }
  void note(std::size_t offset, std::string text) {
    const Place place = tokens_.reader().place(offset);
    content_.notes.push_back({std::move(text), place.line, place.column});
  }

  Check expect(std::string_view keyword) {
    const Expected<Token> token = tokens_.next();
    if (!token) return std::unexpected(token.error());
    return token->is(keyword) ? Check() : refuse(*token, in_quotes(keyword));
  }

  Expected<Token> text(const char* what) {
    Expected<Token> token = tokens_.next();
    if (token && !token->quoted) return refuse(*token, std::string(what) + " in quotes");
    if (token && token->word.empty()) return refuse(*token, std::string(what) + " that is not empty");
    return token;
  }

  // Numbers up to the next keyword or text; with `none` where there is no limit.
  Expected<std::vector<double>> numbers(const char* what, std::initializer_list<std::size_t> counts,
                                        bool limits = false) {
    std::vector<double> values;
    Expected<Token> token = tokens_.peek();
    for (; token; token = tokens_.peek()) {
      if (token->quoted || token->word.empty()) break;
      const std::optional<double> value = TextReader::number(token->word);
      const bool no_limit = limits && token->is("none");
      if (!value && !no_limit) {
        if (to_number(token->word.text) || std::string_view("+-.0123456789").contains(token->word.text.front()))
          return refuse(*token, std::string("a finite number for ") + what);
        break;
      }
      if (values.size() == *std::max_element(counts.begin(), counts.end()))
        return refuse(*token, "no more numbers for " + std::string(what));
      values.push_back(no_limit ? std::numeric_limits<double>::quiet_NaN() : *value);
      static_cast<void>(tokens_.next());
    }
    if (!token) return std::unexpected(token.error());
    if (std::ranges::find(counts, values.size()) != counts.end()) return values;
    std::string expected;
    for (const std::size_t count : counts) expected += (expected.empty() ? "" : " or ") + std::to_string(count);
    return refuse(*token, expected + " numbers for " + what + ", not " + std::to_string(values.size()));
  }

  // --- The text ----------------------------------------------------------------------------------

  Check read_script() {
    bool had_skeleton = false;
    while (true) {
      const Expected<Token> token = tokens_.next();
      if (!token) return std::unexpected(token.error());
      if (!token->quoted && token->word.empty()) {
        if (!had_skeleton) return refuse(*token, "\"define skeleton\"");
        return {};
      }
      if (!token->is("define")) return refuse(*token, "\"define skeleton\" or \"define joint\"");
      const Expected<Token> what = tokens_.next();
      if (!what) return std::unexpected(what.error());
      if (what->is("skeleton")) {
        if (std::exchange(had_skeleton, true)) return refuse(*what, "one skeleton in a file");
        if (Check done = read_skeleton(); !done) return done;
      } else if (what->is("joint")) {
        if (Check done = read_definition(); !done) return done;
      } else {
        return refuse(*what, "\"skeleton\" or \"joint\" after \"define\"");
      }
    }
  }

  // A joint is the child of the one before it; after a group, that is again the one before the group.
  Check read_skeleton() {
    const Expected<Token> name = text("the name of the skeleton");
    if (!name) return std::unexpected(name.error());
    figure_.name = std::string(name->word.text);
    int current = none, groups = 0;
    std::vector<int> before_group;
    std::size_t first_group = 0;
    while (true) {
      const Expected<Token> token = tokens_.next();
      if (!token) return std::unexpected(token.error());
      if (token->is("joint")) {
        const Expected<Token> joint = text("the name of a joint");
        if (!joint) return std::unexpected(joint.error());
        if (Check listed = list_joint(*joint, current); !listed) return listed;
        current = static_cast<int>(listed_.size()) - 1;
      } else if (token->is("group")) {
        if (const Expected<Token> group = text("the name of a group"); !group) return std::unexpected(group.error());
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
        return refuse(*token, "\"joint\", \"group\" or \"end\"");
      }
    }
    if (listed_.empty()) return refuse(name->word.offset, "a skeleton without a joint", "at least one");
    if (groups > 0) note(first_group, "the names of groups are not kept: " + std::to_string(groups));
    return {};
  }

  Check list_joint(const Token& token, int parent) {
    const std::string name(token.word.text);
    if (parent == none && !listed_.empty())
      return refuse(token, "one root: this joint is no child of " + in_quotes(listed_.front().name));
    if (listed_.size() >= most_joints) return refuse(token, "at most " + std::to_string(most_joints) + " joints");
    if (!index_by_name_.emplace(name, static_cast<int>(listed_.size())).second)
      return refuse(token.word.offset, "the joint " + in_quotes(name) + " a second time", "each joint once");
    listed_.push_back({name, token.word.offset, parent});
    return {};
  }

  Check read_definition() {
    const Expected<Token> name = text("the name of a joint");
    if (!name) return std::unexpected(name.error());
    Definition definition;
    definition.offset = name->word.offset;
    std::vector<std::string> had;
    while (true) {
      const Expected<Token> token = tokens_.next();
      if (!token) return std::unexpected(token.error());
      if (token->is("end")) {
        if (Check ended = expect("joint"); !ended) return ended;
        break;
      }
      const std::string keyword = token->quoted ? std::string() : lower_case(token->word.text);
      // A joint has one freedom, so hinge and slide are one thing. Tips there may be many.
      const std::string once = keyword == "slide" ? "hinge" : keyword;
      if (keyword != "tip" && std::ranges::find(had, once) != had.end())
        return refuse(
            token->word.offset, "a second " + in_quotes(keyword) + " in one joint",
            once == "hinge" ? "one: write a joint of several freedoms as several joints at one place" : "one");
      if (keyword != "tip") had.push_back(once);
      if (Check read = read_statement(keyword, *token, definition); !read) return read;
    }
    if (definitions_.size() >= most_joints)
      return refuse(*name, "at most " + std::to_string(most_joints) + " definitions");
    if (!definitions_.emplace(name->word.text, std::move(definition)).second)
      return refuse(name->word.offset, "a second definition of " + in_quotes(name->word.text), "one a joint");
    return {};
  }

  Check read_statement(std::string_view keyword, const Token& token, Definition& to) {
    if (keyword == "object" || keyword == "mirror") {
      const Expected<Token> value = text(keyword == "object" ? "the name of a file" : "the name of a joint");
      if (!value) return std::unexpected(value.error());
      (keyword == "object" ? to.object : to.mirror) = std::string(value->word.text);
      if (keyword == "mirror") to.mirror_offset = value->word.offset;
    } else if (keyword == "offset" || keyword == "orientation") {
      const Expected<std::vector<double>> v = numbers(keyword == "offset" ? "offset" : "orientation", {3});
      if (!v) return std::unexpected(v.error());
      if (keyword == "offset")
        to.frame.p = {(*v)[0], (*v)[1], (*v)[2]};
      else
        to.frame.R = orientation((*v)[0], (*v)[1], (*v)[2]);
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
      if (to.mass < 0.0) return refuse(token.word.offset, "mass " + to_text(to.mass), "0 or more");
      if (v->size() == 4) to.mass_centre = {(*v)[1], (*v)[2], (*v)[3]};
    } else if (keyword == "tip") {
      if (++tips_ > most_joints) return refuse(token, "at most " + std::to_string(most_joints) + " tips");
      const Expected<std::vector<double>> v = numbers("tip", {3, 6});
      if (!v) return std::unexpected(v.error());
      Tip tip{{}, token.word.offset, at({(*v)[0], (*v)[1], (*v)[2]})};
      if (v->size() == 6) tip.frame.R = orientation((*v)[3], (*v)[4], (*v)[5]);
      const Expected<Token> name = tokens_.peek();
      if (!name) return std::unexpected(name.error());
      if (name->quoted) {
        if (const Expected<Token> own = text("the name of a tip"); !own) return std::unexpected(own.error());
        tip.name = std::string(name->word.text);
      }
      to.tips.push_back(std::move(tip));
    } else {
      return refuse(token, "object, offset, orientation, hinge, slide, rest, mass, mirror, tip or \"end joint\"");
    }
    return {};
  }

  // x, y or z, or three numbers; then two limits or none.
  Check read_motion(Motion kind, const Token& token, Definition& to) {
    const char* what = kind == Motion::rotate ? "hinge" : "slide";
    OneFreedom motion;
    motion.motion = kind;
    const Expected<Token> axis = tokens_.peek();
    if (!axis) return std::unexpected(axis.error());
    for (int k = 0; k < 3; ++k)
      if (axis->is(std::string_view("xyz").substr(k, 1))) motion.letter = k;
    if (motion.letter != none) static_cast<void>(tokens_.next());
    const bool letter = motion.letter != none;
    if (!letter && !TextReader::number(axis->word)) return refuse(*axis, "x, y, z or three numbers");
    const Expected<std::vector<double>> read = letter ? numbers(what, {0, 2}, true) : numbers(what, {3, 5}, true);
    if (!read) return std::unexpected(read.error());
    const std::vector<double>& v = *read;
    motion.axis = letter ? Vec3(Vec3::Unit(motion.letter)) : Vec3(v[0], v[1], v[2]);
    const double length = motion.axis.norm();
    if (!std::isfinite(length) || length <= std::numeric_limits<double>::min())
      return refuse(axis->word.offset, "an axis of length " + to_text(length), "a direction");
    if (const std::size_t first = letter ? 0 : 3; v.size() > first) {
      motion.lower = std::isnan(v[first]) ? -infinity : v[first];
      motion.upper = std::isnan(v[first + 1]) ? infinity : v[first + 1];
    }
    if (motion.lower > motion.upper)
      return refuse(token.word.offset,
                    "lower limit " + to_text(motion.lower) + " above upper limit " + to_text(motion.upper),
                    "lower <= upper");
    to.motion = motion;
    return {};
  }

  // --- The figure --------------------------------------------------------------------------------

  Check mirror_definitions() {
    std::vector<std::pair<std::string, Definition>> images;
    std::map<std::string, std::string> partner;
    bool lost_object = false;
    for (const auto& [name, definition] : definitions_) {
      const std::string& other = definition.mirror;
      if (other.empty()) continue;
      const std::size_t place = definition.mirror_offset;
      if (other == name) return refuse(place, "a joint that mirrors itself", "another joint");
      if (!index_by_name_.contains(other) || !index_by_name_.contains(name))
        return refuse(place, in_quotes(other), "a joint of the skeleton, as the one that mirrors it");
      const auto has_another = [&](const std::string& side, const std::string& image) {
        const auto found = partner.find(side);
        return found != partner.end() && found->second != image;
      };
      if (has_another(name, other) || has_another(other, name))
        return refuse(place, "a second mirror image of " + in_quotes(has_another(name, other) ? name : other),
                      "one a joint");
      const bool known = partner.contains(name);
      partner[name] = other;
      partner[other] = name;
      if (!known) {
        const bool left = lower_case(name).find("left") != std::string::npos;
        figure_.mirror_pairs.push_back(left ? MirrorPair{name, other} : MirrorPair{other, name});
      }
      if (definitions_.contains(other)) continue;
      images.push_back({other, mirror_image(definition)});
      if (!definition.object.empty() && !std::exchange(lost_object, true))
        note(definition.offset,
             "an object has no mirror image: " + in_quotes(other) + " and others defined so have none");
    }
    for (auto& [name, image] : images) definitions_.emplace(name, std::move(image));
    return {};
  }

  Check match_definitions() {
    const Definition* unlisted = nullptr;
    std::string unlisted_name;
    for (const auto& [name, definition] : definitions_)
      if (!index_by_name_.contains(name) && (unlisted == nullptr || definition.offset < unlisted->offset)) {
        unlisted = &definition;
        unlisted_name = name;
      }
    if (unlisted != nullptr)
      return refuse(unlisted->offset, "a definition of " + in_quotes(unlisted_name), "a joint that the skeleton lists");
    std::size_t missing = 0;
    const Listed* first = nullptr;
    for (const Listed& listed : listed_)
      if (!definitions_.contains(listed.name) && missing++ == 0) first = &listed;
    if (missing > 0)
      note(first->offset, "joint " + in_quotes(first->name) + " is not defined" +
                              (missing > 1 ? ", and " + std::to_string(missing - 1) + " more" : "") +
                              ": rigid, at its parent's place");
    return {};
  }

  Check add_joint(const Listed& listed, const Definition& definition) {
    const double unit = content_.space.metres_per_unit;
    const bool root = listed.parent == none;
    const Mat3& R = definition.frame.R;
    JointDescription joint{listed.name, root ? "" : listed_[listed.parent].name, listed.name};
    joint.in_parent = {R, unit * definition.frame.p};
    if (root) {
      // Along the axes of the file, which the orientation of the root does not turn.
      const char* names[] = {"tx", "ty", "tz"};
      for (int k = 0; k < 3; ++k)
        joint.freedoms.push_back({names[k], Motion::translate, R.transpose() * Vec3::Unit(k)});
      joint.in_parent = Frame{content_.space.R_inside_file()} * joint.in_parent;
    }
    if (definition.motion) {
      const OneFreedom& motion = *definition.motion;
      FreedomDescription freedom{motion.motion == Motion::rotate ? "angle" : "slide", motion.motion, motion.axis};
      freedom.range.lower = inside(motion.lower, motion.motion);
      freedom.range.upper = inside(motion.upper, motion.motion);
      freedom.range.rest = std::clamp(0.0, freedom.range.lower, freedom.range.upper);
      joint.freedoms.push_back(std::move(freedom));
    }
    if (Check rest = set_rest(joint, definition); !rest) return rest;
    figure_.joints.push_back(std::move(joint));
    figure_.segments.push_back({listed.name, definition.mass, unit * definition.mass_centre, definition.object});
    figure_.sites.push_back({listed.name, listed.name});
    return {};
  }

  double inside(double value, Motion motion) const {
    return motion == Motion::rotate ? radians(value) : content_.space.metres_per_unit * value;
  }

  Check set_rest(JointDescription& joint, const Definition& definition) {
    if (definition.rest.empty()) return {};
    if (definition.rest.size() != joint.freedoms.size())
      return refuse(definition.rest_offset, std::to_string(definition.rest.size()) + " rest values",
                    "one for each freedom of the joint: " + std::to_string(joint.freedoms.size()));
    for (std::size_t k = 0; k < joint.freedoms.size(); ++k) {
      Range& range = joint.freedoms[k].range;
      const double rest = inside(definition.rest[k], joint.freedoms[k].motion);
      range.rest = std::clamp(rest, range.lower, range.upper);
      if (std::fabs(range.rest - rest) > rest_tolerance * std::fmax(1.0, std::fabs(rest)))
        return refuse(definition.rest_offset, "rest value " + to_text(definition.rest[k]), "one within the limits");
    }
    return {};
  }

  void add_tips() {
    UniqueNames unique;
    for (const Listed& listed : listed_) unique(listed.name, "joint");
    bool renamed = false;
    for (const Listed& listed : listed_)
      for (const Tip& tip : definitions_[listed.name].tips) {
        const std::string wanted = tip.name.empty() ? listed.name + " tip" : tip.name;
        const std::string name = unique(wanted, "tip");
        if (name != wanted && !tip.name.empty() && !std::exchange(renamed, true))
          note(tip.offset, "the tip " + in_quotes(wanted) + " and others get a number: the name is taken");
        figure_.sites.push_back({name, listed.name, {tip.frame.R, content_.space.metres_per_unit * tip.frame.p}});
      }
  }

  Expected<Content> build() {
    add_tips();
    Expected<Figure> figure = build_figure(figure_);
    if (!figure && !figure_.mirror_pairs.empty()) {
      // Perhaps it is only that the figure is not symmetric.
      const std::string reason = figure.error().text();
      figure_.mirror_pairs.clear();
      figure = build_figure(std::move(figure_));
      if (figure) content_.notes.push_back({"the figure has no mirror image, so \"mirror\" only copies: " + reason});
    }
    if (!figure) {
      Diagnostic error = figure.error();
      error.where = tokens_.reader().file_name() + ": " + error.where;
      return std::unexpected(std::move(error));
    }
    content_.figure = std::move(*figure);
    return std::move(content_);
  }

  Tokens tokens_;
  Content content_;
  FigureDescription figure_;
  int tips_ = 0;
  std::vector<Listed> listed_;
  std::map<std::string, int, std::less<>> index_by_name_;  // into listed_
  std::map<std::string, Definition, std::less<>> definitions_;
};

}  // namespace

Expected<Content> read_skeleton_script(std::string_view bytes, const std::string& file_name,
                                       const ReadOptions& options) {
  const Expected<std::string_view> text = plain_text(bytes, file_name);
  if (!text) return std::unexpected(text.error());
  return ScriptReader(*text, file_name, options).read();
}

}  // namespace limber
