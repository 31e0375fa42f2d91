#include "limber/document/files.h"
#include "limber/format/text/json.h"
#include "limber/reach/reach.h"

namespace limber {

namespace {

std::int64_t counted(std::size_t count) { return static_cast<std::int64_t>(count); }

}  // namespace

void write_reach_summary(JsonWriter& out, const Figure& figure, const ReachMap& map, const ReachSummary& sum,
                         const Vec3& from) {
  out.member("finished", map.finished).member("resolution_m", map.resolution).member("tolerance_m", map.tolerance);
  out.key("cells").begin_object(JsonWriter::Layout::row);
  out.key("all").integer(counted(sum.cells)).key("reached").integer(counted(sum.reached));
  out.key("not_reached").integer(counted(sum.not_reached)).key("of_these_proved").integer(counted(sum.proved));
  out.key("undecided").integer(counted(sum.undecided)).end();
  out.key("solves").integer(counted(sum.solves));
  out.member("litres", sum.litres_of_surface).member("litres_of_cells", sum.litres);
  out.member("square_metres", sum.square_metres);
  out.member("min_m", sum.min).member("max_m", sum.max).member("from_m", from);
  out.key("farthest_m").begin_object();
  for (std::size_t k = 0; k < sum.farthest.size(); ++k)  // none becomes null
    out.member(direction_name(neighbour_directions()[k]), sum.farthest[k].value_or(infinity));
  out.end().key("held_back_by").begin_array();
  const auto count = static_cast<int>(figure.parameters().size());
  for (const HeldBack& held : sum.held_back_by)
    out.begin_object(JsonWriter::Layout::row)
        .member("limit", limit_name(figure, held.limit))
        .key("parameter")
        .integer(held.limit < 2 * count ? held.limit / 2 : -1)
        .member("share", static_cast<double>(held.share))
        .end();
  out.end();
}

}  // namespace limber
