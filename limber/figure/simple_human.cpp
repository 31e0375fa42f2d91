// The simpler body: five torso joints with three DOF each, ball shoulders with box limits, no groups.
//                                                                         ZB94 Figures 6 to 8, ZB89 Figures 3 to 7
// A torso joint stands for a run of vertebrae: it lies in the middle of the run, and its share of the spine's range is
// the run's part of the sum of published ranges.
#include <utility>

#include "limber/figure/human_tables.h"

namespace limber {

namespace {

using namespace human_tables;

// From the bottom: "torso_1" stands for L5 to L3, … "torso_5" for T4 to T1.                                chosen
constexpr std::array<std::size_t, 6> first_vertebra = {0, 3, 6, 9, 13, vertebra_count};

Bounds share_of(Bounds total, double Vertebra::* range_deg, std::size_t begin, std::size_t end) {
  double run = 0.0, sum = 0.0;
  for (std::size_t v = 0; v < vertebra_count; ++v) {
    sum += vertebrae[v].*range_deg;
    if (begin <= v && v < end) run += vertebrae[v].*range_deg;
  }
  return {total.lower_deg * run / sum, total.upper_deg * run / sum};
}

Slice merged(const std::array<Slice, vertebra_count>& slices, std::size_t begin, std::size_t end) {
  Slice whole;
  for (std::size_t v = begin; v < end; ++v) {
    whole.share += slices[v].share;
    whole.centre += slices[v].share * slices[v].centre;
  }
  whole.centre /= whole.share;
  return whole;
}

std::string add_torso(Assembly& body, bool clavicles) {
  const auto points = spine_points(body.sample());
  const auto slices = trunk_slices(body.sample());
  std::string below = "waist";
  for (std::size_t k = 0; k + 1 < first_vertebra.size(); ++k) {
    const std::size_t begin = first_vertebra[k], end = first_vertebra[k + 1];
    Slice mass = merged(slices, begin, end);
    const bool top = k + 2 == first_vertebra.size();
    if (top && !clavicles) {  // the mass of the missing clavicles
      const Slice left = clavicle_mass(body.sample(), sides[0]), right = clavicle_mass(body.sample(), sides[1]);
      const double share = mass.share + left.share + right.share;
      mass.centre = (mass.share * mass.centre + left.share * left.centre + right.share * right.centre) / share;
      mass.share = share;
    }
    const std::string name = "torso_" + std::to_string(k + 1);
    body.segment(name, below, name, 0.5 * (points[begin] + points[end]),
                 trunk_freedoms(share_of(range::spine_forward, &Vertebra::flexion_and_extension_deg, begin, end),
                                share_of(range::spine_lateral, &Vertebra::lateral_deg, begin, end),
                                share_of(range::spine_axial, &Vertebra::axial_deg, begin, end)),
                 mass);
    below = name;
  }
  body.site("sternum", below, Vec3(0.0, length::sternum, length::sternum_ahead), Vec3::UnitZ(), Vec3::UnitY());
  return below;
}

void add_arm(Assembly& body, const Side& side, std::string parent, bool clavicle) {
  const std::string p = side.prefix;
  if (clavicle) {
    body.segment(p + "clavicle", parent, p + "clavicle", clavicle_start(side),
                 {turn("shrug", side.out * Vec3::UnitZ(), range::clavicle_shrug)}, clavicle_mass(body.sample(), side));
    parent = p + "clavicle";
  }
  body.segment(p + "shoulder", parent, p + "upper_arm", shoulder_centre(side), shoulder_freedoms(side),
               upper_arm_mass(body.sample(), side));
  body.forearm(side, parent);
}

}  // namespace

Expected<FigureDescription> simple_human_description(const SimpleHumanOptions& options) {
  const Expected<Size> size = checked_size(male_sample, options.stature, options.mass);
  if (!size) return std::unexpected(size.error());
  Assembly body("simple human", male_sample, *size);
  body.pelvis(options.root);
  const std::string top = add_torso(body, options.clavicles);
  body.head(top);
  for (const Side& side : sides) add_arm(body, side, top, options.clavicles);
  for (const Side& side : sides) body.leg(side);
  body.pair_sides();
  return std::move(body.description);
}

Expected<Figure> simple_human(const SimpleHumanOptions& options) {
  Expected<FigureDescription> description = simple_human_description(options);
  if (!description) return std::unexpected(description.error());
  return build_figure(std::move(*description));
}

}  // namespace limber
