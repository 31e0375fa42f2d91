#include "bench/task/task.h"

#include <algorithm>
#include <filesystem>

#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "app/cli/tracking_figure.h"
#include "bench/task/takes.h"
#include "limber/format/names.h"

namespace limber::bench {

namespace {

constexpr std::ptrdiff_t joints_of_an_arm = 5;

// Names of the files with that ending, in order.
std::vector<std::string> files_in(const std::string& folder, const std::string& ending) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    if (entry.path().extension() == ending) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

bool has_all(const std::vector<std::string>& files, const std::vector<std::string>& known) {
  return !known.empty() &&
         std::ranges::all_of(known, [&](const std::string& one) { return std::ranges::count(files, one) > 0; });
}

bool has_arm(const Figure& figure) {
  return std::ranges::any_of(figure.sites(), [&](const Site& site) {
    const Expected<Handle> point = figure.point(site.name);
    if (!point) return false;
    const std::vector<int> chain = chain_of(figure, *point, no_parent);
    return std::ranges::count_if(chain, [&](int j) { return !figure.parameters()[j].translates; }) >= joints_of_an_arm;
  });
}

}  // namespace

std::vector<Method> all_methods() {
  std::vector<Method> methods;
  for (const MethodRow& row : method_table)
    if (row.method != Method::levenberg_marquardt) methods.push_back(row.method);  // automatic is that, and more
  return methods;
}

std::string folder_in(const std::string& data, const std::string& kind) {
  const std::filesystem::path folder = std::filesystem::path(data) / kind;
  std::error_code none;
  return !std::filesystem::exists(folder, none) && std::filesystem::exists(data, none) ? data : folder.string();
}

std::expected<Recorded, Failure> recorded(const std::string& data, const std::string& skeleton,
                                          const std::string& motion) {
  const std::filesystem::path folder = folder_in(data, "acclaim");
  cli::ContentOptions options;
  options.file = (folder / skeleton).string();
  options.motion = (folder / motion).string();
  std::expected<Content, Failure> content = cli::load_content(options);
  if (!content) return std::unexpected(content.error());
  Expected<Figure> figure = cli::figure_for(*content->figure, content->clips.front(), true);
  if (!figure) return std::unexpected(Failure{figure.error(), cli::scene_is_wrong});
  return Recorded{std::move(*figure), std::move(content->clips.front())};
}

std::expected<Takes, Failure> recorded_takes(const std::string& data) {
  cli::ContentOptions options;
  options.file = (std::filesystem::path(folder_in(data, "acclaim")) / "02.asf").string();
  const std::expected<Content, Failure> content = cli::load_content(options);
  if (!content) return std::unexpected(content.error());
  const std::string file = (std::filesystem::path(folder_in(data, "poses")) / "cmu_takes.bin").string();
  const Expected<std::string> text = cli::read_file(file);
  if (!text) return std::unexpected(Failure{text.error(), cli::file_trouble});
  Expected<std::vector<Clip>> clips = takes_from_text(*text, *content->figure);
  if (!clips) return std::unexpected(Failure{clips.error(), cli::scene_is_wrong});
  Clip all = clips->front();
  for (std::size_t k = 1; k < clips->size(); ++k) {
    all.poses.conservativeResize(Eigen::NoChange, all.poses.cols() + (*clips)[k].poses.cols());
    all.poses.rightCols((*clips)[k].poses.cols()) = (*clips)[k].poses;
  }
  const Expected<Figure> figure = cli::figure_for(*content->figure, all, true);
  if (!figure) return std::unexpected(Failure{figure.error(), cli::scene_is_wrong});
  return Takes{with_mirror_pairs(*figure), std::move(*clips)};
}

std::expected<std::vector<Subject>, Failure> subjects(const std::string& data, const std::vector<std::string>& known) {
  const std::string folder = folder_in(data, "acclaim");
  const std::vector<std::string> skeletons = files_in(folder, ".asf");
  std::vector<std::string> names;
  for (const std::string& file : files_in(folder, ".amc"))
    if (const std::size_t cut = file.find('_');
        cut != std::string::npos && std::ranges::count(skeletons, file.substr(0, cut) + ".asf") > 0)
      names.push_back(std::filesystem::path(file).stem().string());
  if (has_all(names, known)) names = known;
  if (names.empty())
    return std::unexpected(
        Failure{{folder, "no motion with its skeleton", "files such as 02_01.amc with 02.asf"}, cli::file_trouble});
  std::vector<Subject> all;
  for (const std::string& name : names) {
    const std::string skeleton = name.substr(0, name.find('_'));
    std::expected<Recorded, Failure> motion = recorded(data, skeleton + ".asf", name + ".amc");
    if (!motion) return std::unexpected(motion.error());
    all.push_back({name, skeleton, std::move(*motion)});
  }
  return all;
}

std::expected<std::vector<std::string>, Failure> robots(const std::string& data,
                                                        const std::vector<std::string>& known) {
  const std::filesystem::path folder = folder_in(data, "urdf");
  const std::vector<std::string> files = files_in(folder.string(), ".urdf");
  const bool has_known = has_all(files, known);
  std::vector<std::string> paths;
  for (const std::string& file : has_known ? known : files) {
    cli::ContentOptions options;
    options.file = (folder / file).string();
    if (!has_known) {
      const std::expected<Content, Failure> content = cli::load_content(options);
      if (!content) return std::unexpected(content.error());
      if (!content->figure || !has_arm(*content->figure)) continue;
    }
    paths.push_back(options.file);
  }
  if (paths.empty())
    return std::unexpected(Failure{
        {folder.string(), "no robot", "URDF files with an arm of five turning joints or more"}, cli::file_trouble});
  return paths;
}

}  // namespace limber::bench
