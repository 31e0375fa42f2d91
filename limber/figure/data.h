// What a Figure shares between its copies. Private to figure/.
#pragma once

#include <map>

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

  std::map<std::string, int, std::less<>> segment_by_name;
  std::map<std::string, int, std::less<>> joint_by_name;
  std::map<std::string, int, std::less<>> freedom_by_name;
  std::map<std::string, int, std::less<>> parameter_by_name;
  std::map<std::string, int, std::less<>> site_by_name;
  std::map<std::string, int, std::less<>> group_by_name;
};

}  // namespace limber
