// The recorded motions of data/poses/cmu_takes.bin: people whom nothing in the project was learned from.
//
// The file is a text head and a stream of bytes (learn/takes.py writes it):
//
//     limber takes 1
//     root.tx root.ty root.tz root.rx … rthumb.rz      the columns
//     06_01 124                                        a take and its frames, at 30 per second; a line each
//                                                      an empty line
//     bytes
//
// Each frame is one number per column, positions in tenths of a millimetre and angles in hundredths of a degree, as
// the difference from the frame before (from zero in a take's first frame). A difference d is the number 2 d, or
// -2 d - 1 if d is negative, in bytes of 7 bits, lowest first; the high bit is set on all bytes but the last.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/motion/clip.h"

namespace limber::bench {

// Poses of a figure that has the parameters of the columns, which is that of data/acclaim/02.asf. Its other parameters
// stay at rest. The clips have the names of the takes.
Expected<std::vector<Clip>> takes_from_text(std::string_view text, const Figure& figure);

}  // namespace limber::bench
