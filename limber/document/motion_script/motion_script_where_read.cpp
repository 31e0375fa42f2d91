// Reads where a demand keeps its place: what follows "keep left_palm".
#include "limber/base/number.h"
#include "limber/document/motion_script/motion_script_text.h"

namespace limber {

namespace {

using Check = Expected<void>;

class WhereReader {
 public:
  WhereReader(ScriptText& text, ScriptDemand& demand) : text_(text), demand_(demand) {}

  Check read() {
    if (text_.take("above")) return read_height(1.0, "above");
    if (text_.take("below")) return read_height(-1.0, "below");
    if (text_.take("inside")) return read_sphere(SceneRegion::Side::inside);
    if (text_.take("outside")) return read_sphere(SceneRegion::Side::outside);
    if (text_.take("in")) {
      for (const char* word : {"front", "of", "plane"})
        if (Check next = text_.expect(word, ": in front of plane through … facing …"); !next) return next;
      return read_flat<HalfSpace>("facing", "in front of a plane");
    }
    if (text_.take("on")) {
      if (text_.take("plane")) return read_flat<Plane>("facing", "on a plane");
      if (text_.take("line")) return read_flat<Line>("along", "on a line");
      return text_.reject_word("\"plane\" or \"line\"");
    }
    if (text_.take("within")) return read_distance(Distance::Bound::at_most, "within", "of");
    if (text_.take("beyond")) return read_distance(Distance::Bound::at_least, "beyond", "of");
    if (text_.take("exactly")) return read_distance(Distance::Bound::equal, "exactly", "from");
    return text_.reject_word("where to keep it",
                             {"above", "below", "inside", "outside", "on", "in", "within", "beyond", "exactly"});
  }

 private:
  static std::unexpected<Diagnostic> pass_on(const auto& rejected) { return std::unexpected(rejected.error()); }

  // A bound on the height, in metres.
  Check read_height(double side, const char* word) {
    const Word at = text_.peek();
    const Expected<double> height = text_.number("a height");
    if (!height) return pass_on(height);
    demand_.name += std::string(" ") + word + " " + std::string(at.text);
    demand_.goal = HalfSpace{*height * Vec3::UnitY(), side * Vec3::UnitY()};
    return {};
  }

  // A bound on the distance to a point or to another place, in metres.
  Check read_distance(Distance::Bound bound, const char* word, const char* preposition) {
    const Word at = text_.peek();
    const Expected<double> d = text_.number("a distance");
    if (!d) return pass_on(d);
    if (*d < 0.0) return text_.reject(at, "a distance of " + to_text(*d), "0 or more");
    Distance goal{Vec3::Zero(), *d, bound};
    demand_.name += std::string(" ") + word + " " + std::string(at.text);
    if (Check of = text_.expect(preposition, ""); !of) return of;
    if (text_.peek().text != "(") {
      demand_.goal = goal;
      return read_script_other(text_, preposition, demand_);
    }
    if (Check p = read_point(goal.p, "the point"); !p) return p;
    demand_.goal = goal;
    demand_.name += std::string(" ") + preposition + " a point";
    return {};
  }

  template <class Flat>
  Check read_flat(const char* word, const char* place) {
    if (Check through = text_.expect("through", ""); !through) return through;
    Flat flat;
    if (Check p = read_point(flat.p, "where it is"); !p) return p;
    if (Check along = text_.expect(word, ""); !along) return along;
    const Expected<Vec3> v = text_.direction("its direction");
    if (!v) return pass_on(v);
    flat.v = *v;
    demand_.goal = flat;
    demand_.name += std::string(" ") + place;
    return {};
  }

  Check read_sphere(SceneRegion::Side side) {
    SceneSphere sphere;
    if (Check word = text_.expect("sphere", ""); !word) return word;
    if (Check at = text_.expect("at", ""); !at) return at;
    if (Check p = read_point(sphere.centre, "its centre"); !p) return p;
    if (Check radius = text_.expect("radius", ""); !radius) return radius;
    const Word at = text_.peek();
    const Expected<double> radius = text_.number("the radius");
    if (!radius) return pass_on(radius);
    if (*radius < 0.0) return text_.reject(at, "a radius of " + to_text(*radius), "0 or more");
    sphere.radius = *radius;
    demand_.goal = SceneRegion{side, sphere};
    demand_.name += side == SceneRegion::Side::inside ? " inside a sphere" : " outside a sphere";
    return {};
  }

  Check read_point(Vec3& to, const char* what) {
    const Expected<Vec3> p = text_.vector(what);
    if (!p) return pass_on(p);
    to = *p;
    return {};
  }

  ScriptText& text_;
  ScriptDemand& demand_;
};

}  // namespace

Expected<void> read_script_other(ScriptText& text, const char* word, ScriptDemand& demand) {
  const Expected<ScriptName> other = text.name("the name of a place");
  if (!other) return std::unexpected(other.error());
  demand.place_of_other = other->place;
  demand.name += std::string(" ") + word + " " + other->text;
  SceneHandle difference{.kind = SceneHandle::Kind::difference};
  difference.of = {demand.handle, {.kind = SceneHandle::Kind::point, .place = other->text}};
  demand.handle = std::move(difference);
  return {};
}

Expected<void> read_script_where(ScriptText& text, ScriptDemand& demand) { return WhereReader(text, demand).read(); }

}  // namespace limber
