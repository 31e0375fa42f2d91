// What a Figure shares between its copies. Private to figure/.
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
  double mass = 0.0;
  double length = 1.0;

  // Numbers by name. The names are those above: data that is built is never copied, nor do its lists grow.
  using Names = std::map<std::string_view, int>;
  Names segment_by_name;
  Names joint_by_name;
  Names freedom_by_name;  // while it is built
  Names parameter_by_name;
  Names site_by_name;
  Names group_by_name;

  Data() = default;
  Data(const Data&) = delete;
  Data& operator=(const Data&) = delete;
};

}  // namespace limber
