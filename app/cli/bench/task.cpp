#include "app/cli/bench/task.h"

#include <filesystem>

#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "app/cli/tracked.h"

namespace limber::cli {

std::vector<Method> all_methods() {
  std::vector<Method> methods;
  for (const MethodRow& row : method_table)
    if (row.method != Method::levenberg_marquardt) methods.push_back(row.method);  // automatic is that, and more
  return methods;
}

std::expected<Recorded, Failure> recorded(const std::string& data, const std::string& skeleton,
                                          const std::string& motion) {
  ContentOptions options;
  options.file = (std::filesystem::path(data) / "acclaim" / skeleton).string();
  options.motion = (std::filesystem::path(data) / "acclaim" / motion).string();
  std::expected<Content, Failure> content = load_content(options);
  if (!content) return std::unexpected(content.error());
  Expected<Figure> figure = figure_for(*content->figure, content->clips.front(), true);
  if (!figure) return std::unexpected(Failure{figure.error(), scene_is_wrong});
  return Recorded{std::move(*figure), std::move(content->clips.front())};
}

}  // namespace limber::cli
