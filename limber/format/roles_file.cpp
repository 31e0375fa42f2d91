#include "limber/format/roles_file.h"

#include <algorithm>

#include "limber/format/text/json.h"
#include "limber/kinematics/forward.h"

namespace limber {

namespace {

using Layout = JsonWriter::Layout;

constexpr const char* roles_tag = "roles 1";
constexpr BodyPlan plans[] = {BodyPlan::unknown, BodyPlan::person, BodyPlan::quadruped};

double certainty(const Roles& roles, const RolePart& part) {
  return part.side == Side::middle ? part.confidence : part.confidence * roles.side_confidence;
}

// "right_index_2"; nothing for a name that is none.
std::optional<RolePart> part_named(std::string_view name) {
  for (const Side side : {Side::left, Side::right, Side::middle})
    for (int role = 0; role <= static_cast<int>(Role::ball); ++role) {
      RolePart part{static_cast<Role>(role), side};
      const std::string stem = name_of(part);
      if (!name.starts_with(stem)) continue;
      const std::string_view rest = name.substr(stem.size());
      if (rest.empty()) return part;
      for (part.order = 1; part.order < 100; ++part.order)
        if (rest == "_" + std::to_string(part.order + 1)) return part;
    }
  return std::nullopt;
}

void set_part(Roles& roles, const RolePart& part) {
  std::erase_if(roles.parts, [&](const RolePart& old) {
    return old.role == part.role && old.side == part.side && old.order == part.order;
  });
  std::erase_if(roles.aside, [&](const RoleAside& aside) { return aside.segment == part.first; });
  if (part.first >= 0) roles.parts.push_back(part);
}

// Left is where the left hip or shoulder is.
void set_sides(const Figure& figure, Roles& roles) {
  const Kinematics rest = forward(figure, figure.rest());
  for (const Role role : {Role::hip, Role::shoulder}) {
    const RolePart *left = roles.find(role, Side::left), *right = roles.find(role, Side::right);
    if (!left || !right) continue;
    Vec3 across = rest.segments[static_cast<std::size_t>(left->first)].p -
                  rest.segments[static_cast<std::size_t>(right->first)].p;
    across.y() = 0.0;
    if (!(across.norm() > 0.0)) continue;
    roles.left = across.normalized();
    roles.forward = roles.left.cross(Vec3::UnitY());
    roles.side_confidence = 1.0;
    return;
  }
}

void read_part(const Figure& figure, const JsonValue& value, Roles& roles) {
  std::optional<RolePart> part = part_named(value.key());
  if (!part) return value.fail_at_key("'" + std::string(value.key()) + "'", "a part such as left_knee or spine_2");
  const std::string bone = value.text();
  part->first = part->segment = -1;
  if (!bone.empty()) {
    const Expected<int> segment = figure.find_segment(bone);
    if (!segment) return value.fail(segment.error());
    part->first = part->segment = *segment;
  }
  part->confidence = 1.0;
  const RolePart* known = roles.find(part->role, part->side, part->order);
  if (known && known->first == part->first) part->segment = known->segment;
  set_part(roles, *part);
}

}  // namespace

std::string write_roles(const Figure& figure, const Roles& roles) {
  JsonWriter out;
  out.begin_object().member("limber", roles_tag).member("body", std::string(name_of(roles.plan)));
  out.key("parts").begin_object();
  for (const RolePart& part : roles.parts)
    out.member(name_of(part), figure.segments()[static_cast<std::size_t>(part.first)].name);
  out.end().key("confidence").begin_object();
  for (const RolePart& part : roles.parts)
    out.member(name_of(part), std::round(100.0 * certainty(roles, part)) / 100.0);
  return out.end().end().take();
}

Expected<Roles> read_roles(const Figure& figure, std::string_view text, const std::string& file_name) {
  JsonDocument document(text, file_name);
  const JsonValue root = document.root();
  Roles roles = roles_of(figure);
  if (!document.error() && root.object({"limber", "body", "parts", "confidence"})) {
    if (root["limber"].text() != roles_tag)
      root["limber"].fail(root["limber"].described(), std::string("\"") + roles_tag + "\"");
    if (root["body"]) {
      const auto plan = std::ranges::find(plans, root["body"].text(), [](BodyPlan one) { return name_of(one); });
      if (plan == std::end(plans))
        root["body"].fail(root["body"].described(), "\"person\", \"quadruped\" or \"unknown\"");
      else
        roles.plan = *plan;
    }
    if (root["parts"] && root["parts"].object())
      for (const JsonValue part : root["parts"]) read_part(figure, part, roles);
  }
  if (document.error()) return std::unexpected(*document.error());
  roles.plan_confidence = 1.0;
  set_sides(figure, roles);
  return roles;
}

}  // namespace limber
