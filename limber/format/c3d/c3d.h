// C3D, the binary marker files of motion capture systems.
//
// Blocks of 512 bytes: a header, parameters in groups (POINT:LABELS and so on), then the frames. A frame has four
// words a point (x, y, z, and one whose sign says whether the point was seen), then analog samples, which are not read.
// The numbers are 16-bit integers times POINT:SCALE, or reals where that scale is negative; the machine that wrote the
// file (Intel, DEC, MIPS) gives the order of their bytes:
//
//   Intel  little-endian, IEEE        MIPS  big-endian, IEEE
//   DEC    little-endian words, of which the first has sign, exponent and leading bits; the value of the same bits as
//          IEEE, read from that word on, is four times as large
//
// What the parameters say counts; the header stands in for parameters that are not there. The number of frames is that
// of TRIAL:ACTUAL_START_FIELD and ACTUAL_END_FIELD, else of the header, whose 16 bits end at 65535. Fewer bytes than
// the frames need are rejected. POINT:Y_SCREEN says which axis is up, else it is Z. Labels lose the prefix of the
// subject ("Anna:LANK") where SUBJECTS:LABEL_PREFIXES names just one.
#pragma once

#include <string>
#include <string_view>

#include "limber/base/diagnostic.h"
#include "limber/format/content/content.h"

namespace limber {

Expected<Content> read_c3d(std::string_view bytes, const std::string& file_name, const ReadOptions& options = {});

}  // namespace limber
