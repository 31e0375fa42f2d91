// The parts of a body (roles/roles.h) as JSON that can be edited:
//
//   {"limber": "roles 1", "body": "person", "parts": {"left_knee": "LeftLeg", …}, "confidence": {"left_knee": 0.97, …}}
//
// Read back, what it names counts as certain; "" says that the figure has no such part.
#pragma once

#include <string>
#include <string_view>

#include "limber/base/diagnostic.h"
#include "limber/roles/roles.h"

namespace limber {

std::string write_roles(const Figure& figure, const Roles& roles);

// The roles of the figure, with those of the text in place of what is recognised. `file_name` is for messages.
Expected<Roles> read_roles(const Figure& figure, std::string_view text, const std::string& file_name);

}  // namespace limber
