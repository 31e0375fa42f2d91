// Reads one demand of a motion script: when, what, of which place, and its weight.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "limber/base/number.h"
#include "limber/document/motion_script/motion_script_text.h"
#include "limber/problem/balance.h"

namespace limber {

namespace {

using Check = Expected<void>;

constexpr const char* a_place = "the name of a place";
// The word for the centre of mass where a place is expected.
constexpr std::string_view mass_centre_word = "mass_centre";

class DemandReader {
 public:
  explicit DemandReader(ScriptText& text) : text_(text) {}

  Expected<ScriptDemand> read() {
    demand_.place = text_.place();
    if (Check when = read_span(); !when) return std::unexpected(when.error());
    for (;;) {
      if (Check what = read_verb(); !what) return std::unexpected(what.error());
      if (Check how = read_clauses(); !how) return std::unexpected(how.error());
      if (Check done = finish(); !done) return std::unexpected(done.error());
      if (!text_.take("or")) break;
      if (Check begun = begin_alternative(); !begun) return std::unexpected(begun.error());
    }
    return whole();
  }

 private:
  struct Clause {
    const char* word;
    Check (DemandReader::*read)();
    bool DemandReader::* allowed;  // nothing: in all demands
  };
  struct Verb {
    const char* word;
    Check (DemandReader::*read)();
  };

  static std::unexpected<Diagnostic> pass_on(const auto& rejected) { return std::unexpected(rejected.error()); }

  // --- When ----------------------------------------------------------------------------------------

  Check read_span() {
    Span& span = demand_.span;
    if (text_.take("throughout")) return {};
    if (text_.take("at")) {
      const Expected<double> time = text_.time("the moment");
      if (!time) return pass_on(time);
      span.from = span.to = *time;
      return {};
    }
    if (text_.take("from")) {
      const Expected<double> time = text_.time("the beginning");
      if (!time) return pass_on(time);
      span.from = *time;
    }
    const Word until = text_.peek();
    if (!text_.take("until")) return {};
    const Expected<double> time = text_.time("the end");
    if (!time) return pass_on(time);
    span.to = *time;
    if (span.to < span.from)
      return text_.reject(until, "an end at " + to_text(span.to) + " s, before the beginning",
                          to_text(span.from) + " s or later");
    return {};
  }

  // --- What ----------------------------------------------------------------------------------------

  Check read_verb() {
    static constexpr Verb verbs[] = {{"hold", &DemandReader::read_hold},      {"lock", &DemandReader::read_lock},
                                     {"place", &DemandReader::read_place},    {"turn", &DemandReader::read_turn},
                                     {"aim", &DemandReader::read_aim},        {"move", &DemandReader::read_move},
                                     {"keep", &DemandReader::read_keep},      {"join", &DemandReader::read_join},
                                     {"balance", &DemandReader::read_balance}};
    const Word word = text_.peek();
    for (const Verb& verb : verbs)
      if (text_.take(verb.word)) {
        verb_ = word;
        return (this->*verb.read)();
      }
    std::vector<std::string> known;
    for (const Verb& verb : verbs) known.emplace_back(verb.word);
    return text_.reject_word("what to do", known);
  }

  // The place of the demand; `kind` is the kind of its handle.
  Check read_handle(const char* verb, SceneHandle::Kind kind) {
    const Word word = text_.peek();
    // "mass_centre", or "guest.mass_centre" of one of several figures.
    const std::size_t dot = word.text.rfind('.');
    const bool of_one = dot != std::string_view::npos && word.text.substr(dot + 1) == mass_centre_word;
    const bool centre = kind == SceneHandle::Kind::point && (of_one || word.text == mass_centre_word);
    const Expected<ScriptName> name = text_.name(a_place);
    if (!name) return pass_on(name);
    std::string place = name->text;
    if (centre) place.resize(of_one ? dot : 0);
    demand_.handle = {.kind = centre ? SceneHandle::Kind::mass_centre : kind, .place = std::move(place)};
    demand_.place_of_name = name->place;
    demand_.name = std::string(verb) + " " + name->text;
    return {};
  }

  Check read_hold() {
    demand_.goal = SceneHold{};
    return read_handle("hold", SceneHandle::Kind::point);
  }

  Check read_lock() {
    if (Check handle = read_handle("lock", SceneHandle::Kind::frame); !handle) return handle;
    demand_.goal = SceneHold{};
    if (!text_.take("at")) return {};
    turns_ = must_turn_ = true;
    return read_point(point_, "where to lock it");
  }

  Check read_place() {
    if (Check handle = read_handle("place", SceneHandle::Kind::point); !handle) return handle;
    turns_ = demand_.handle.kind == SceneHandle::Kind::point;
    if (Check at = text_.expect("at", ""); !at) return at;
    return read_point(point_, "where to place it");
  }

  Check read_turn() {
    turns_ = true;
    return read_handle("turn", SceneHandle::Kind::frame);
  }

  Check read_aim() {
    if (Check handle = read_handle("aim", SceneHandle::Kind::ray); !handle) return handle;
    if (Check at = text_.expect("at", ""); !at) return at;
    if (text_.peek().text == "(") {
      const Expected<Vec3> p = text_.vector("what to aim at");
      if (!p) return pass_on(p);
      demand_.goal = SceneAimAt{*p};
      return {};
    }
    // Relative to the other place, which then is the origin.
    demand_.goal = SceneAimAt{};
    return read_script_other(text_, "at", demand_);
  }

  Check read_keep() {
    if (Check handle = read_handle("keep", SceneHandle::Kind::point); !handle) return handle;
    return read_script_where(text_, demand_);
  }

  Check read_join() {
    if (Check handle = read_handle("join", SceneHandle::Kind::point); !handle) return handle;
    if (Check to = text_.expect("to", ""); !to) return to;
    demand_.goal = SceneCoincide{};
    return read_script_other(text_, "to", demand_);
  }

  Check read_move() {
    if (Check handle = read_handle("move", SceneHandle::Kind::point); !handle) return handle;
    turns_ = demand_.handle.kind == SceneHandle::Kind::point;
    moves_ = true;
    if (!std::isfinite(demand_.span.from) || !std::isfinite(demand_.span.to) || demand_.span.from == demand_.span.to)
      return text_.reject(verb_, "a way without a beginning or an end in time",
                          "\"from\" one time \"until\" a later one");
    if (Check along = text_.expect("along", ""); !along) return along;
    do {
      const Expected<Vec3> p = text_.vector("a point of the way");
      if (!p) return pass_on(p);
      if (path_.points.size() >= max_script_values)
        return text_.reject_word("at most " + std::to_string(max_script_values) + " points");
      path_.points.push_back(*p);
    } while (text_.peek().text == "(" || path_.points.size() < 2);
    return {};
  }

  // balance over NAME …: of names that are no clauses.
  Check read_balance() {
    if (Check over = text_.expect("over", ", and the feet"); !over) return over;
    ScriptBalance balance;
    do {
      const Expected<ScriptName> foot = text_.name("a foot");
      if (!foot) return pass_on(foot);
      if (balance.feet.size() >= max_scene_feet)
        return text_.reject_word("at most " + std::to_string(max_scene_feet) + " feet");
      balance.feet.push_back(*foot);
    } while (!text_.at_end_of_line() && !is_clause(text_.peek()));
    balances_ = true;
    if (!weighed_ && std::isfinite(demand_.weight)) demand_.weight = balance_weight;
    demand_.place_of_name = balance.feet.front().place;
    demand_.name = "balance";
    demand_.goal = std::move(balance);
    return {};
  }

  // --- How -----------------------------------------------------------------------------------------

  // Facing, …, margin belong to one of several alternatives, the others to the demand.
  static constexpr std::size_t clause_count = 11;
  static const Clause (&clauses()) [clause_count] {
    static constexpr Clause all[] = {{"facing", &DemandReader::read_facing, &DemandReader::turns_},
                                     {"up", &DemandReader::read_up, &DemandReader::turns_},
                                     {"straight", &DemandReader::read_straight, &DemandReader::moves_},
                                     {"evenly", &DemandReader::read_evenly, &DemandReader::moves_},
                                     {"progress", &DemandReader::read_progress, &DemandReader::moves_},
                                     {"margin", &DemandReader::read_margin, &DemandReader::balances_},
                                     {"weight", &DemandReader::read_weight, nullptr},
                                     {"must", &DemandReader::read_must, nullptr},
                                     {"ease", &DemandReader::read_ease, nullptr},
                                     {"chain", &DemandReader::read_chain, nullptr},
                                     {"named", &DemandReader::read_named, nullptr}};
    return all;
  } bool is_clause(const Word& word) {
    return !text_.is_quoted() &&
           (word.is("or") || std::ranges::any_of(clauses(), [&](const Clause& one) { return word.is(one.word); }));
  }

  // Up to the next alternative, if any.
  Check read_clauses() {
    const auto& clauses = DemandReader::clauses();
    bool had[clause_count] = {};
    while (!text_.at_end_of_line()) {
      const Word word = text_.peek();
      if (word.is("or")) return {};
      const Clause* found = nullptr;
      for (const Clause& clause : clauses)
        if ((!clause.allowed || this->*clause.allowed) && text_.take(clause.word)) {
          found = &clause;
          break;
        }
      if (!found) {
        std::vector<std::string> known;
        for (const Clause& clause : clauses)
          if (!clause.allowed || this->*clause.allowed) known.emplace_back(clause.word);
        known.emplace_back("or");
        return text_.reject_word("the end of the line or how to do it", known);
      }
      const auto k = static_cast<std::size_t>(found - clauses);
      bool& before = found->allowed ? had[k] : had_[k];
      if (std::exchange(before, true)) return text_.reject(word, "a second " + in_quotes(found->word), "one");
      if (Check read = (this->*found->read)(); !read) return read;
    }
    return {};
  }
  Check read_margin() {
    const Word at = text_.peek();
    const Expected<double> margin = text_.number("the margin");
    if (!margin) return pass_on(margin);
    if (*margin < 0.0) return text_.reject(at, "a margin of " + to_text(*margin), "metres, 0 or more");
    std::get<ScriptBalance>(demand_.goal).margin = *margin;
    return {};
  }

  Check read_point(Vec3& to, const char* what) {
    const Expected<Vec3> p = text_.vector(what);
    if (!p) return pass_on(p);
    to = *p;
    return {};
  }
  Check read_facing() {
    const Expected<Vec3> v = text_.direction("where it points");
    if (!v) return pass_on(v);
    turned_.x = *v;
    return {};
  }
  Check read_up() {
    const Expected<Vec3> v = text_.direction("what of it is up");
    if (!v) return pass_on(v);
    turned_.y = *v;
    return {};
  }
  Check read_straight() {
    path_.straight = true;
    return {};
  }
  Check read_evenly() {
    path_.evenly = true;
    return {};
  }
  // PART at TIME, …: the distance along the path over time.                                              W93 2.2.1,
  // BH89
  Check read_progress() {
    std::vector<SpeedProfile::Key>& progress = path_.progress;
    const auto is_number = [](const Word& word) {
      return !word.empty() && std::string_view("0123456789.+-").contains(word.text.front());
    };
    while (progress.size() < 2 || is_number(text_.peek())) {
      const Word word = text_.peek();
      const Expected<double> part = text_.number("the part of the way");
      if (!part) return pass_on(part);
      if (!(*part >= 0.0 && *part <= 1.0))
        return text_.reject(word, to_text(*part) + " of the way", "0, at its first point, to 1, at its last");
      if (Check at = text_.expect("at", " and a time"); !at) return at;
      const Word when = text_.peek();
      const Expected<double> time = text_.time("when it is there");
      if (!time) return pass_on(time);
      if (!(*time >= demand_.span.from && *time <= demand_.span.to))
        return text_.reject(when, to_text(*time) + " s",
                            to_text(demand_.span.from) + " s to " + to_text(demand_.span.to) + " s, while it moves");
      if (!progress.empty() && !(*time > progress.back().time))
        return text_.reject(when, to_text(*time) + " s after " + to_text(progress.back().time) + " s", "a later time");
      if (progress.size() >= max_script_values)
        return text_.reject(when, "one more time", "at most " + std::to_string(max_script_values));
      progress.push_back({*time, *part});
    }
    return {};
  }
  Check read_weight() {
    const Word at = text_.peek();
    const Expected<double> weight = text_.number("the weight");
    if (!weight) return pass_on(weight);
    if (!std::isfinite(demand_.weight)) return text_.reject(at, "a weight of a hard constraint", "one of the two");
    if (*weight < 0.0) return text_.reject(at, "a weight of " + to_text(*weight), "0 or more");
    demand_.weight = *weight;
    weighed_ = true;
    return {};
  }
  Check read_must() {
    if (weighed_) return text_.reject(verb_, "a weight and \"must\"", "one of the two");
    demand_.weight = must;
    return {};
  }
  Check read_ease() {
    const Expected<Ease> ease = read_script_ease(text_);
    if (!ease) return pass_on(ease);
    demand_.span.ease_in = ease->in;
    demand_.span.ease_out = ease->out;
    return {};
  }
  Check read_chain() {
    const Expected<ScriptName> name = text_.name("the name of a joint, segment or group");
    if (!name) return pass_on(name);
    demand_.chain = *name;
    return {};
  }
  Check read_named() {
    const Expected<ScriptName> name = text_.name("a name for the report");
    if (!name) return pass_on(name);
    named_ = name->text;
    return {};
  }

  // --- Together ------------------------------------------------------------------------------------

  Check finish() {
    const bool has_turn = turned_.x || turned_.y;
    if (must_turn_ && !(turned_.x && turned_.y))
      return text_.reject(verb_, "a lock at a point, but not how it is turned", "\"facing\" and \"up\" too");
    if (has_turn && turned_.x && turned_.y && turned_.x->cross(*turned_.y).norm() <= min_sine)
      return text_.reject(verb_, "\"facing\" and \"up\" along one line", "two directions");
    if (path_.evenly && !path_.progress.empty())
      return text_.reject(verb_, "\"evenly\" and \"progress\"", "one of the two");
    if (moves_) {
      if (has_turn) path_.turned = turned_;
      demand_.goal = std::move(path_);
    } else if (verb_.is("turn")) {
      if (!has_turn) return text_.reject_word("\"facing\", \"up\" or both");
      demand_.goal = turned_;
    } else if (point_given()) {
      if (has_turn)
        demand_.goal = ScenePlacement{point_, turned_};
      else
        demand_.goal = Position{point_};
    }
    if (has_turn) demand_.handle.kind = SceneHandle::Kind::frame;
    if (balances_ && !std::isfinite(demand_.weight))
      return text_.reject(verb_, "a balance that \"must\" hold",
                          "a weight, such as " + to_text(balance_weight) + ": the edge of a support is no equation");
    return {};
  }

  // What has been read goes to the alternatives; the next one begins.
  Check begin_alternative() {
    if (alternatives_.size() + 1 >= max_script_alternatives)
      return text_.reject_word("at most " + std::to_string(max_script_alternatives) + " alternatives");
    alternatives_.push_back(demand_);
    demand_.handle = {};
    demand_.goal = SceneHold{};
    demand_.place_of_other = {};
    turned_ = {};
    path_ = {};
    turns_ = must_turn_ = moves_ = balances_ = false;
    return {};
  }

  // The first alternative with the others. What was written last of the whole is in the last one.
  ScriptDemand whole() {
    if (!named_.empty()) demand_.name = named_;
    if (alternatives_.empty()) return std::move(demand_);
    alternatives_.push_back(std::move(demand_));
    ScriptDemand first = std::move(alternatives_.front());
    const ScriptDemand& last = alternatives_.back();
    first.span = last.span;
    first.weight = last.weight;
    first.chain = last.chain;
    first.others.assign(std::make_move_iterator(alternatives_.begin() + 1),
                        std::make_move_iterator(alternatives_.end()));
    if (named_.empty()) return first;
    first.name = named_ + " (1)";
    for (std::size_t k = 0; k < first.others.size(); ++k)
      first.others[k].name = named_ + " (" + std::to_string(k + 2) + ")";
    return first;
  }

  bool point_given() const { return verb_.is("place") || must_turn_; }

  // Min sine of the angle between two axes of one frame; goal/ rejects only axes that are closer still.
  static constexpr double min_sine = 1e-6;

  ScriptText& text_;
  ScriptDemand demand_;
  Word verb_ = {};
  Vec3 point_ = Vec3::Zero();
  SceneOrientation turned_ = {};
  ScriptPath path_ = {};
  bool turns_ = false;      // facing and up may follow
  bool must_turn_ = false;  // and must
  bool moves_ = false;
  bool balances_ = false;
  bool weighed_ = false;
  std::string named_;
  bool had_[clause_count] = {};  // of the whole demand
  std::vector<ScriptDemand> alternatives_;
};

}  // namespace

Expected<Ease> read_script_ease(ScriptText& text) {
  const auto seconds = [&]() -> Expected<double> {
    const Word at = text.peek();
    Expected<double> time = text.time("the easing");
    if (time && *time < 0.0) return text.reject(at, "easing of " + to_text(*time) + " s", "0 or more");
    return time;
  };
  Ease ease;
  const bool in = text.take("in"), out = !in && text.take("out");
  const Expected<double> first = seconds();
  if (!first) return std::unexpected(first.error());
  if (!out) ease.in = *first;
  if (!in) ease.out = *first;
  if (in && text.take("out")) {
    const Expected<double> second = seconds();
    if (!second) return std::unexpected(second.error());
    ease.out = *second;
  }
  return ease;
}

Expected<ScriptDemand> read_script_demand(ScriptText& text) { return DemandReader(text).read(); }

}  // namespace limber
