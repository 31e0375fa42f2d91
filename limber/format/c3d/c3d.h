// C3D, the binary marker files of motion capture systems.
//
// Blocks of 512 bytes: a header, parameters in groups (POINT:LABELS and so on), then the frames. A frame has four words
// per point (x, y, z, and one whose sign tells whether the point is valid), then analog samples, which are not read.
// Numbers are 16-bit integers times POINT:SCALE, or floats if that scale is negative; the processor type in the file
// (Intel, DEC, MIPS) gives their byte order:
//
//   Intel  little-endian, IEEE        MIPS  big-endian, IEEE
//   DEC    little-endian words, the first with sign, exponent and leading bits; the same bits read as IEEE, from that
//          word on, give four times the value
//
// Parameters take precedence over the header. The number of frames is from TRIAL:ACTUAL_START_FIELD and
// ACTUAL_END_FIELD, else from the header, whose 16 bits end at 65535. Missing frame data is rejected. POINT:Y_SCREEN
// gives the up axis; the default is Z. The subject's prefix of labels ("Anna:LANK") is removed if
// SUBJECTS:LABEL_PREFIXES has just one.
#pragma once

#include <string>
#include <string_view>

#include "limber/base/diagnostic.h"
#include "limber/format/content/content.h"

namespace limber {

Expected<Content> read_c3d(std::string_view bytes, const std::string& file_name, const ReadOptions& options = {});

}  // namespace limber
