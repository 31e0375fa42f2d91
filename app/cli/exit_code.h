// The exit status of the command-line tool. doc/scene.md and `limber --help` list it.
#pragma once

namespace limber::cli {

enum ExitCode {
  all_met = 0,
  not_all_met = 1,
  usage = 2,
  scene_is_wrong = 3,
  file_trouble = 4,
  internal = 5,
  not_alike = 6,
};

}  // namespace limber::cli
