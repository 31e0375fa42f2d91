// The data shared by copies of a Figure. Private to figure/.
#pragma once

#include <map>
#include <string_view>

#include "limber/figure/figure.h"

namespace limber {

struct Figure::Data {
  FigureDescription description;
  std::vector<Segment> segments;
  std::vector<Joint> joints;
  std::vector<Freedom> freedoms;
  std::vector<Term> terms;
  std::vector<Parameter> parameters;
  std::vector<LimitRow> limit_rows;
  std::vector<Site> sites;
  std::vector<Group> groups;
  std::vector<MirrorImage> mirror;
  std::vector<FigurePart> parts;
  double mass = 0.0;
  double length = 1.0;

  // Indices by name. The keys refer to the names above: built data is never copied and its vectors never grow.
  using Names = std::map<std::string_view, int>;
  Names segment_by_name;
  Names joint_by_name;
  Names freedom_by_name;  // only during the build
  Names parameter_by_name;
  Names site_by_name;
  Names group_by_name;

  Data() = default;
  Data(const Data&) = delete;
  Data& operator=(const Data&) = delete;
};

// Everything of a figure but its parts.
Expected<std::shared_ptr<Figure::Data>> build_data(FigureDescription description);

}  // namespace limber
