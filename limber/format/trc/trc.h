// TRC, the marker tables of motion analysis systems and OpenSim.
//
//   PathFileType  4         (X/Y/Z)    name.trc
//   DataRate      CameraRate NumFrames NumMarkers Units …
//   60            60         2         1          mm
//   Frame#        Time       heel
//                            X1         Y1         Z1
//   1             0.000      1.5        20         3
//   2             0.017                                       (not seen)
//
// Fields are separated by tabs, so that names may contain blanks and empty fields mean "not seen"; in a line without a
// tab they are separated by blanks; the first line takes both. A tab too many is skipped: in the header if there are as
// many values as keys, in a row if it has all its numbers but they are not where the markers are. "NaN" in any case
// also means "not seen"; a marker counts as seen if all three numbers are present. Names may be shifted relative to the
// columns, as some programs write them: they are taken in order.
//
// Counts in the header are often wrong: the actual names and rows are used, and differences are noted. Uneven times and
// frame numbers are noted. The rate is from the header; if it is missing, or if most times are spaced by another rate,
// from the times. TRC does not state the up axis: Y is
// assumed, as in OpenSim.
#pragma once

#include <string>
#include <string_view>

#include "limber/base/diagnostic.h"
#include "limber/format/content/content.h"

namespace limber {

Expected<Content> read_trc(std::string_view bytes, const std::string& file_name, const ReadOptions& options = {});

}  // namespace limber
