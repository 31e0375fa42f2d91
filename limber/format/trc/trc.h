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
// Fields end at tabs, so that names may hold blanks and empty fields mean "not seen"; in a line without a tab they end
// at blanks. "NaN" in any case means "not seen" too, and a marker counts as seen where all three numbers are there.
// Names may stand shifted against the columns, as some writers put them: they are taken in order.
//
// The header is often wrong about counts: the names and the rows count, and a note says where the header differs. Times
// and frame numbers that do not run evenly get a note; the rate is that of the header, or of the times where the header
// has none. TRC does not say which axis is up: Y, as OpenSim has it.
#pragma once

#include <string>
#include <string_view>

#include "limber/base/diagnostic.h"
#include "limber/format/content/content.h"

namespace limber {

Expected<Content> read_trc(std::string_view bytes, const std::string& file_name, const ReadOptions& options = {});

}  // namespace limber
