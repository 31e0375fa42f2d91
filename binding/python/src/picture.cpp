// Pictures: self-contained SVG.
#include "objects.h"

namespace limber::python {

void bind_picture(nb::module_& m) {
  m.def(
      "draw",
      [](ProblemObject& problem, const std::optional<PoseLike>& pose, const std::optional<ReportObject>& report,
         int width, int height, bool names, bool legend, const std::string& title, const std::optional<ArrayLike>& heat,
         const std::string& heat_name) {
        const Figure& figure = problem.problem.figure();
        if (width < 480 || height < 360)
          fail("width and height", std::to_string(width) + " x " + std::to_string(height), "at least 480 x 360");
        PictureOptions options{.width = width, .height = height, .names = names, .legend = legend, .title = title};
        if (heat) {
          const VecX values = to_vector(*heat, "heat", static_cast<Eigen::Index>(figure.segments().size()));
          options.heat.assign(values.begin(), values.end());
          options.heat_name = heat_name;
        }
        if (report && report->pose.pose.theta.size() != static_cast<Eigen::Index>(figure.parameters().size()))
          fail("report", "one of another figure", "the report of this problem");
        const Pose shown = pose ? to_pose(figure, *pose) : report ? report->pose.pose : figure.rest();
        const InUse in_use(problem.users);
        const nb::gil_scoped_release release;
        return draw_svg(problem.problem, shown, report ? report->report : Report(), options);
      },
      "problem"_a, "pose"_a = nb::none(), "report"_a = nb::none(), nb::kw_only(), "width"_a = 1200, "height"_a = 900,
      "names"_a = false, "legend"_a = true, "title"_a = "", "heat"_a = nb::none(), "heat_name"_a = "",
      "A pose and what is asked of it as one SVG: views from the front, the side, above and in perspective. `heat` "
      "colours the segments, 0 green to 1 red.");
  m.def(
      "draw_strip",
      [](const ClipObject& clip, int width, int count, const std::vector<int>& frames,
         const std::vector<std::string>& places, const std::optional<ClipObject>& compare,
         const std::string& compare_name, const std::string& title) {
        StripOptions options{.width = width,
                             .count = count,
                             .frames = frames,
                             .places = places,
                             .compare_name = compare_name,
                             .title = title};
        if (compare) {
          options.compare = &compare->clip.poses;
          options.compare_frame_time = compare->clip.frame_time;
        }
        Expected<std::string> svg = std::unexpected(Diagnostic{});
        {
          const nb::gil_scoped_release release;
          svg = limber::draw_strip(clip.figure, clip.clip.poses, clip.clip.frame_time, options);
        }
        return unwrap(std::move(svg));
      },
      "clip"_a, nb::kw_only(), "width"_a = 1200, "count"_a = 12, "frames"_a = std::vector<int>(),
      "places"_a = std::vector<std::string>(), "compare"_a = nb::none(), "compare_name"_a = "", "title"_a = "",
      "A motion on one page as SVG: frames, the paths of places, their heights and speeds.");
  m.def(
      "draw_curves",
      [](const ClipObject& clip, const std::vector<std::string>& names, int width, const std::string& title) {
        return unwrap(limber::draw_curves(clip.figure, clip.clip.poses, clip.clip.frame_time, names,
                                          {.width = width, .title = title}));
      },
      "clip"_a, "names"_a, nb::kw_only(), "width"_a = 960, "title"_a = "",
      "The values of parameters over time as SVG.");
}

}  // namespace limber::python
