// Rows of a table of strength as JSON.
#pragma once

#include "limber/assess/strength.h"
#include "limber/format/text/json.h"

namespace limber {

// An array of rows. Notes what is wrong, also what check_strength() would reject.
StrengthTable read_strength_rows(const JsonValue& rows);
// As a value.
void write_strength_rows(JsonWriter& out, const StrengthTable& table);

}  // namespace limber
