// Motions as frames.
#include <cmath>

#include "objects.h"
#include "pickle.h"

namespace limber::python {

namespace {

constexpr Names<Continuation, 2> continuations = {
    {{"in-place", Continuation::in_place}, {"as-recorded", Continuation::as_recorded}}};

ClipObject make_clip(const Figure& figure, const nb::object& poses, double frame_time, const std::string& name) {
  if (!(frame_time > 0.0) || !std::isfinite(frame_time))
    fail("frame_time", repr_of(nb::cast(frame_time)), "seconds above 0");
  const auto size = static_cast<Eigen::Index>(figure.parameters().size());
  if (!nb::isinstance<nb::list>(poses) && !nb::isinstance<nb::tuple>(poses))
    return {figure, {name, frame_time, to_columns({poses}, "angles", size)}};
  bool all_poses = nb::len(poses) > 0;
  for (const nb::handle item : poses) all_poses = all_poses && nb::isinstance<PoseObject>(item);
  if (!all_poses) return {figure, {name, frame_time, to_columns({poses}, "angles", size)}};
  MatX columns(size, static_cast<Eigen::Index>(nb::len(poses)));
  Eigen::Index k = 0;
  for (const nb::handle item : poses) columns.col(k++) = to_pose(figure, PoseLike{nb::borrow(item)}).theta;
  return {figure, {name, frame_time, std::move(columns)}};
}

int frame_number(const ClipObject& c, int frame) {
  const int frames = c.clip.frames();
  if (frame < -frames || frame >= frames) throw nb::index_error("frame out of range");
  return frame < 0 ? frame + frames : frame;
}

Array3 positions(const ClipObject& c, const std::vector<std::string>& places) {
  std::vector<Handle> handles;
  for (const std::string& place : places) handles.push_back(unwrap(c.figure.point(place)));
  const auto frames = static_cast<std::size_t>(c.clip.frames());
  auto [data, owner] = new_numbers(3 * frames * handles.size());
  {
    const nb::gil_scoped_release release;
    Kinematics state(c.figure);
    VecX q(static_cast<Eigen::Index>(c.figure.freedoms().size()));
    double* to = data;
    Vec3 x[max_elements];
    for (std::size_t k = 0; k < frames; ++k) {
      c.figure.angles(c.clip.poses.col(static_cast<Eigen::Index>(k)), q);
      forward(c.figure, q, state);
      for (const Handle& handle : handles) {
        evaluate(c.figure, state, handle, x);
        to = std::copy(x[0].data(), x[0].data() + 3, to);
      }
    }
  }
  return Array3(data, {frames, handles.size(), 3}, owner);
}

Array4 frames_of(const ClipObject& c) {
  const auto frames = static_cast<std::size_t>(c.clip.frames()), segments = c.figure.segments().size();
  auto [data, owner] = new_numbers(16 * frames * segments);
  {
    const nb::gil_scoped_release release;
    Kinematics state(c.figure);
    VecX q(static_cast<Eigen::Index>(c.figure.freedoms().size()));
    for (std::size_t k = 0; k < frames; ++k) {
      c.figure.angles(c.clip.poses.col(static_cast<Eigen::Index>(k)), q);
      forward(c.figure, q, state);
      for (std::size_t s = 0; s < segments; ++s) {
        Eigen::Map<Eigen::Matrix<double, 4, 4, Eigen::RowMajor>> X(data + 16 * (segments * k + s));
        X.setIdentity();
        X.topLeftCorner<3, 3>() = state.segments[s].R;
        X.topRightCorner<3, 1>() = state.segments[s].p;
      }
    }
  }
  return Array4(data, {frames, segments, 4, 4}, owner);
}

}  // namespace

void bind_clip(nb::module_& m) {
  nb::class_<ClipObject>(m, "Clip",
                         "A motion as frames: one pose per frame, evenly spaced in time.\n\n"
                         ">>> import numpy\n"
                         ">>> figure = limber.human()\n"
                         ">>> clip = limber.Clip(figure, numpy.zeros((30, 42)), frame_time=1 / 30)\n"
                         ">>> clip.angles[:, figure.names.index('right_elbow.flexion')] = numpy.linspace(0, 1, 30)\n"
                         ">>> round(clip[-1]['right_elbow.flexion'], 3)\n"
                         "1.0\n"
                         ">>> clip.positions(['right_palm']).shape\n"
                         "(30, 1, 3)")
      .def(
          "__init__",
          [](ClipObject* c, const Figure& figure, const nb::object& angles, double frame_time,
             const std::string& name) { new (c) ClipObject(make_clip(figure, angles, frame_time, name)); },
          "figure"_a, "angles"_a, "frame_time"_a = 1.0 / 30.0, "name"_a = "",
          nb::sig("def __init__(self, figure: Figure, angles: numpy.typing.ArrayLike | "
                  "collections.abc.Sequence[Pose], frame_time: float = 1 / 30, name: str = '') -> None"),
          "(frames, parameters), or a list of poses; `frame_time` in seconds.")
      .def_prop_ro(
          "figure", [](const ClipObject& c) { return c.figure; }, "Who moves.")
      .def_prop_rw(
          "name", [](const ClipObject& c) { return c.clip.name; },
          [](ClipObject& c, const std::string& name) { c.clip.name = name; }, "Its name.")
      .def_prop_ro(
          "frame_time", [](const ClipObject& c) { return c.clip.frame_time; }, "Seconds from one frame to the next.")
      .def_prop_ro(
          "duration", [](const ClipObject& c) { return c.clip.duration(); }, "In seconds.")
      .def_prop_ro(
          "angles", [](ClipObject& c) { return view_columns(c.clip.poses); }, nb::rv_policy::reference_internal,
          "The values of all parameters, (frames, parameters). A view: changes count.")
      .def("positions", &positions, "places"_a, "Where places are in each frame, (frames, places, 3).")
      .def("frames", &frames_of, "The frames of all segments in the world, (frames, segments, 4, 4).")
      .def("__len__", [](const ClipObject& c) { return c.clip.frames(); })
      .def(
          "__getitem__",
          [](const ClipObject& c, int frame) { return PoseObject{c.figure, c.clip.pose(frame_number(c, frame))}; },
          "frame"_a)
      .def(
          "cut",
          [](const ClipObject& c, int first, int last) {
            return ClipObject{c.figure, unwrap(cut(c.clip, first, last))};
          },
          "first"_a, "last"_a, "The frames from `first` to `last`, both included.")
      .def(
          "resampled",
          [](const ClipObject& c, double frame_time) {
            const nb::gil_scoped_release release;
            Expected<Clip> clip = resampled(c.figure, c.clip, frame_time);
            const nb::gil_scoped_acquire lock;
            return ClipObject{c.figure, unwrap(std::move(clip))};
          },
          "frame_time"_a, "At another frame rate, with rotations as rotations.")
      .def(
          "blended",
          [](const ClipObject& c, const ClipObject& other, double weight) {
            return ClipObject{c.figure, unwrap(blended(c.figure, c.clip, other.clip, weight))};
          },
          "other"_a, "weight"_a, "Part of the way to another motion of the figure, frame by frame.")
      .def(
          "cross_faded",
          [](const ClipObject& c, const ClipObject& next, double seconds, std::string_view continuation) {
            return ClipObject{c.figure, unwrap(cross_faded(c.figure, c.clip, next.clip, seconds,
                                                           to_enum(continuations, continuation, "continuation")))};
          },
          "next"_a, "seconds"_a, "continuation"_a = "in-place",
          "Goes over to the next motion; 'in-place' moves that to where this one is, 'as-recorded' does not.")
      .def(
          "carried",
          [](const ClipObject& c, double heading, const ArrayLike& travel) {
            return ClipObject{c.figure, unwrap(carried(c.figure, c.clip, heading, to_vec3(travel, "travel")))};
          },
          "heading"_a, "travel"_a, "Turned about the vertical by `heading` radians, then moved.")
      .def(
          "copy", [](const ClipObject& c) { return c; }, "A motion of its own.")
      .def("__copy__", [](const ClipObject& c) { return c; })
      .def(
          "__deepcopy__", [](const ClipObject& c, const nb::object&) { return c; }, "memo"_a)
      .def("__repr__",
           [](const ClipObject& c) {
             return "<limber.Clip '" + c.clip.name + "' of '" + c.figure.name() +
                    "': " + std::to_string(c.clip.frames()) + " frames>";
           })
      .def("_repr_svg_",
           [](const ClipObject& c) { return unwrap(draw_strip(c.figure, c.clip.poses, c.clip.frame_time)); })
      .def("__getstate__",
           [](const ClipObject& c) {
             MatX poses = c.clip.poses;
             return nb::make_tuple(c.figure, take_columns(std::move(poses)), c.clip.frame_time, c.clip.name);
           })
      .def("__setstate__", [](ClipObject& c, const nb::tuple& state) {
        const auto figure = nb::cast<Figure>(state[0]);
        new (&c) ClipObject(make_clip(figure, state[1], nb::cast<double>(state[2]), nb::cast<std::string>(state[3])));
      });
}

}  // namespace limber::python
