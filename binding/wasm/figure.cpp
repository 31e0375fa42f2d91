#include <algorithm>

#include "binding/wasm/exchange.h"
#include "limber/body/body_mesh.h"
#include "limber/body/bone.h"
#include "limber/format/gltf/gltf.h"
#include "limber/format/roles_file.h"
#include "limber/format/text/json.h"
#include "limber/kinematics/ground.h"
#include "limber/posing/posing_for.h"
#include "limber/problem/figure_limits.h"
#include "limber/roles/assumed.h"

namespace limber::wasm {

namespace {

using Layout = JsonWriter::Layout;

void write_frame(JsonWriter& out, const Frame& frame) {
  out.begin_array(Layout::row);
  for (int column = 0; column < 3; ++column)
    for (int row = 0; row < 3; ++row) out.value(frame.R(row, column));
  for (int row = 0; row < 3; ++row) out.value(frame.p[row]);
  out.end();
}

void write_numbers(JsonWriter& out, const auto& numbers) {
  out.begin_array(Layout::row);
  for (const auto number : numbers) out.integer(number);
  out.end();
}

int set_mesh(const body::BodyMesh& mesh) {
  std::string bytes;
  const auto put = [&](const auto& list) {
    if (list.empty()) return;
    bytes.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(list[0]));
  };
  put(std::vector<int>{size_of(mesh.segment), size_of(mesh.part)});
  put(mesh.segment);
  put(mesh.position);
  put(mesh.normal);
  put(mesh.triangle);
  put(mesh.part);
  put(mesh.material);
  return set_text(std::move(bytes));
}

void write_segments(JsonWriter& out, const Figure& figure) {
  const Bones bones = measure_bones(figure);
  out.key("segments").begin_array();
  for (std::size_t s = 0; s < figure.segments().size(); ++s) {
    const Segment& segment = figure.segments()[s];
    const Joint& joint = figure.joints()[s];
    const Bone& bone = bones.list[s];
    out.begin_object(Layout::row).member("name", segment.name).member("joint", joint.name);
    out.key("parent").integer(segment.parent).key("end").integer(segment.subtree_end);
    out.member("mass", segment.mass).member("centre", segment.mass_centre);
    out.key("freedoms").begin_array(Layout::row).integer(joint.freedom_begin).integer(joint.freedom_end).end();
    out.member("length", bone.longest).member("radius", bone.radius);
    out.member("at", bone.start).member("tip", bone.ends.empty() ? bone.tip : bone.ends.front().p);
    out.end();
  }
  out.end();
}

void write_freedoms(JsonWriter& out, const Figure& figure) {
  out.key("freedoms").begin_array();
  for (const Freedom& freedom : figure.freedoms()) {
    out.begin_object(Layout::row).member("name", freedom.name).key("joint").integer(freedom.joint);
    out.member("turns", freedom.motion == limber::Motion::rotate);
    out.member("lower", freedom.lower).member("upper", freedom.upper).key("terms").begin_array(Layout::row);
    for (int k = freedom.term_begin; k < freedom.term_end; ++k)
      out.integer(figure.terms()[static_cast<std::size_t>(k)].parameter);
    out.end().end();
  }
  out.end();
}

void write_parameters(JsonWriter& out, const Figure& figure) {
  const VecX rest = figure.rest().theta;
  out.key("parameters").begin_array();
  for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
    const Parameter& parameter = figure.parameters()[j];
    out.begin_object(Layout::row).member("name", parameter.name);
    out.member("lower", parameter.range.lower).member("upper", parameter.range.upper);
    out.member("rest", rest[static_cast<Eigen::Index>(j)]).member("rigidity", parameter.range.rigidity);
    out.key("group").integer(parameter.group).member("metres", parameter.translates).key("drives");
    write_numbers(out, parameter.drives);
    out.end();
  }
  out.end();
}

// Of several figures, what is each one's own: from the first to one past the last.
void write_parts(JsonWriter& out, const Figure& figure) {
  if (figure.parts().empty()) return;
  out.key("figures").begin_array();
  for (const FigurePart& part : figure.parts()) {
    out.begin_object(Layout::row).member("name", part.name).key("segments");
    write_numbers(out, std::array{part.segment_begin, part.segment_end});
    out.key("parameters");
    write_numbers(out, std::array{part.parameter_begin, part.parameter_end});
    out.end();
  }
  out.end();
}

}  // namespace

int describe(const Figure& figure) {
  JsonWriter out;
  out.begin_object().member("name", figure.name()).member("length", figure.length()).member("mass", figure.mass());
  write_segments(out, figure);
  write_freedoms(out, figure);
  write_parameters(out, figure);
  out.key("sites").begin_array();
  for (const Site& site : figure.sites()) {
    out.begin_object(Layout::row).member("name", site.name).key("segment").integer(site.segment).key("frame");
    write_frame(out, site.frame);
    out.end();
  }
  out.end().key("groups").begin_array();
  for (const Group& group : figure.groups()) {
    out.begin_object(Layout::row).member("name", group.name).key("parameters");
    write_numbers(out, group.parameters);
    out.end();
  }
  out.end().key("root");
  write_numbers(out, root_parameters(figure));
  out.member("mirrors", !figure.mirror().empty()).member("natural", has_prior(figure));
  write_parts(out, figure);
  out.end();
  return set_text(out.take());
}

Expected<Figure> made_ready(const Figure& figure) {
  const Roles roles = roles_of(figure);
  const Figure person = with_assumed_masses(with_mirror_pairs(figure, roles), roles);
  Expected<Figure> named = with_common_names(person, roles);
  if (!named || !root_parameters(*named).empty() || !named->point("left_foot")) return named;
  const Expected<Figure> free = with_free_root(person);  // a robot with feet is described as bolted down, and walks
  return free ? with_common_names(*free, roles) : named;
}

bool are_same_body(const Figure& from, const Figure& to) {
  const auto names = [](const Figure& figure) {
    std::vector<std::string> list;
    for (const Segment& segment : figure.segments()) list.push_back(segment.name);
    std::ranges::sort(list);
    return list;
  };
  constexpr std::size_t free_root = 6;
  const std::vector<FigurePart>& parts = to.parts();
  if (parts.empty()) return root_parameters(to).size() == free_root && names(from) == names(to);
  return std::ranges::all_of(parts, [&](const FigurePart& part) {
    const FigurePart* old = find_part(from, part.name);
    return old && (old->figure.parameters().size() == part.figure.parameters().size()) &&
           (root_parameters(part.figure).size() == free_root ? names(old->figure) == names(part.figure)
                                                             : root_parameters(part.figure).empty());
  });
}

}  // namespace limber::wasm

using namespace limber;
using namespace limber::wasm;

int limber_figure_read(const char* json, int size) {
  Expected<SourcedFigure> read = read_figure(text_at(json, size), "figure", figure_loader());
  return read ? keep(std::move(read->figure)) : rejected(read.error());
}

int limber_figure_describe(int number) {
  const Figure* figure = figure_at(number);
  return figure ? describe(*figure) : 0;
}

int limber_figure_parameters(int number) {
  const Figure* figure = figure_at(number);
  return figure ? size_of(figure->parameters()) : 0;
}

int limber_figure_segments(int number) {
  const Figure* figure = figure_at(number);
  return figure ? size_of(figure->segments()) : 0;
}

int limber_figure_write(int number) {
  const Figure* figure = figure_at(number);
  return figure ? set_text(write_figure(*figure)) : 0;
}

void limber_figure_rest(int number, double* theta) {
  if (const Figure* figure = figure_at(number))
    Eigen::Map<VecX>(theta, size_of(figure->parameters())) = figure->rest().theta;
}

void limber_figure_bound(int number, double* theta) {
  const Figure* figure = figure_at(number);
  if (!figure) return;
  VecX within = wasm::pose_at(*figure, theta);
  FigureLimits(*figure).project(within);
  Eigen::Map<VecX>(theta, within.size()) = within;
}

int limber_figure_mirror(int number, const double* theta, double* mirrored) {
  const Figure* figure = figure_at(number);
  if (!figure) return 0;
  if (figure->mirror().empty())
    return rejected({"figure '" + figure->name() + "'", "no mirror pairs", "a figure with a left and a right"});
  const Pose image = figure->mirrored({wasm::pose_at(*figure, theta)});
  Eigen::Map<VecX>(mirrored, image.theta.size()) = image.theta;
  return 1;
}

void limber_figure_place(int number, const double* theta, double* frames) {
  const Figure* figure = figure_at(number);
  if (!figure) return;
  const Kinematics state = forward(*figure, Pose{wasm::pose_at(*figure, theta)});
  for (const Frame& frame : state.segments) {
    frames = std::copy(frame.R.data(), frame.R.data() + 9, frames);
    frames = std::copy(frame.p.data(), frame.p.data() + 3, frames);
  }
}

void limber_figure_axes(int number, const double* theta, double* axes) {
  const Figure* figure = figure_at(number);
  if (!figure) return;
  const Kinematics state = forward(*figure, Pose{wasm::pose_at(*figure, theta)});
  for (std::size_t i = 0; i < state.axes.size(); ++i) {
    axes = std::copy(state.axes[i].data(), state.axes[i].data() + 3, axes);
    axes = std::copy(state.points[i].data(), state.points[i].data() + 3, axes);
  }
}

void limber_figure_mass_centre(int number, const double* theta, double* point) {
  const Figure* figure = figure_at(number);
  if (!figure) return;
  const Kinematics state = forward(*figure, Pose{wasm::pose_at(*figure, theta)});
  Element centre;
  centre.kind = Element::Kind::mass_centre;
  const Vec3 x = figure->mass() > 0.0 ? evaluate(*figure, state, centre) : Vec3(Vec3::Zero());
  std::copy(x.data(), x.data() + 3, point);
}

int limber_figure_feet_on_ground(int number, const double* theta, const char* json, int size) {
  const Figure* figure = figure_at(number);
  if (!figure) return 0;
  JsonDocument document(text_at(json, size), "feet");
  std::vector<std::string> names;
  if (document.root().array())
    for (const JsonValue name : document.root()) names.push_back(name.text());
  if (document.error()) return rejected(*document.error());
  const Kinematics state = forward(*figure, Pose{wasm::pose_at(*figure, theta)});
  std::vector<FootPlaces> feet;
  for (const std::string& name : names) {
    const Expected<int> segment = figure->find_joint(name);
    if (!segment) return rejected(segment.error());
    feet.push_back(foot_from(*figure, state, *segment));
  }
  const double ground = ground_under(feet);
  JsonWriter out;
  out.begin_array();
  for (std::size_t k = 0; k < feet.size(); ++k)
    if (stands_on(feet[k], ground, figure->length())) out.value(names[k]);
  out.end();
  return set_text(out.take());
}

int limber_figure_posing(int number, const double* theta) {
  const Figure* figure = figure_at(number);
  if (!figure) return 0;
  const PosingOptions options = posing_for(*figure, {wasm::pose_at(*figure, theta)});
  JsonWriter out;
  out.begin_object().key("pins").begin_array();
  for (const PinnedPlace& pin : options.pins)
    out.begin_object(Layout::row).member("place", pin.place).member("lifts", pin.lifts).end();
  out.end().key("feet").begin_array(Layout::row);
  for (const std::string& foot : options.feet) out.value(foot);
  out.end().end();
  return set_text(out.take());
}

int limber_figure_roles(int number) {
  const Figure* figure = figure_at(number);
  return figure ? set_text(write_roles(*figure, roles_of(*figure))) : 0;
}

int limber_figure_hung_from(int number, const char* place, int size) {
  const Figure* figure = figure_at(number);
  if (!figure) return 0;
  Expected<Figure> hung = hung_from(*figure, text_at(place, size));
  return hung ? keep(std::move(*hung)) : rejected(hung.error());
}

int limber_figure_placed_as(int number, const double* theta, int other, const double* near, double* placed) {
  const Figure* from = figure_at(number);
  const Figure* to = from ? figure_at(other) : nullptr;
  if (!to) return 0;
  if (!are_same_body(*from, *to))
    return rejected(
        {"figure '" + to->name() + "'", "other segments or no free root", "this figure, hung from a segment"});
  const Pose pose = placed_as(*from, {wasm::pose_at(*from, theta)}, *to, {wasm::pose_at(*to, near)});
  Eigen::Map<VecX>(placed, pose.theta.size()) = pose.theta;
  return 1;
}

int limber_figure_limits_from(int number, int clips, const double* list, double margin, double outliers,
                              int with_root) {
  const Figure* figure = figure_at(number);
  if (!figure) return 0;
  LimitEstimate estimate(*figure);
  for (int k = 0; k < clips; ++k) {
    const wasm::Motion* motion = find<wasm::Motion>(static_cast<int>(list[k]));
    if (!motion) return 0;
    if (!std::ranges::equal(motion->figure.parameters(), figure->parameters(), {}, &Parameter::name, &Parameter::name))
      return rejected({"clip " + std::to_string(k), "a motion of another figure", "one of this figure"});
    estimate.add(motion->clip);
  }
  Expected<Figure> made = estimate.figure({margin, outliers, with_root != 0});
  return made ? keep(std::move(*made)) : rejected(made.error());
}

int limber_figure_body(int number, int detail) {
  const Figure* figure = figure_at(number);
  return figure ? set_mesh(body::body_mesh(*figure, std::clamp(detail, 4, 64))) : 0;
}

int limber_content_body(int content_number, int number, int detail) {
  const Content* content = find<Content>(content_number);
  const Figure* figure = content ? figure_at(number) : nullptr;
  if (!figure) return 0;
  if (content->objects.empty()) return set_text("");
  const body::BodyMesh mesh = body::body_mesh(*figure, std::clamp(detail, 4, 64));
  return set_mesh(body::with_objects(mesh, *figure, content->objects));
}

// The second mode goes up while the parent moves this part alone; rigid parts count with what carries them.
int limber_figure_chain(int number, int segment, int mode) {
  const Figure* figure = figure_at(number);
  if (!figure || segment < 0 || segment >= size_of(figure->segments())) return -1;
  const auto freedoms = [&](int s) {
    const Joint& joint = figure->joints()[static_cast<std::size_t>(s)];
    return joint.freedom_end - joint.freedom_begin;
  };
  const auto parent = [&](int s) { return figure->segments()[static_cast<std::size_t>(s)].parent; };
  const auto moving_children = [&](int s) {
    int count = 0;
    const int end = figure->segments()[static_cast<std::size_t>(s)].subtree_end;
    for (int child = s + 1; child < end; child = figure->segments()[static_cast<std::size_t>(child)].subtree_end)
      count += freedoms(child) > 0 || figure->segments()[static_cast<std::size_t>(child)].subtree_end > child + 1;
    return count;
  };
  int at = segment;
  while (freedoms(at) == 0 && parent(at) != no_parent) at = parent(at);
  while (mode == 1 && parent(at) != no_parent && parent(parent(at)) != no_parent && moving_children(parent(at)) < 2)
    at = parent(at);
  return at;
}
