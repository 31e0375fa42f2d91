// Which of a figure's numbers are degrees and which are metres.
#include <algorithm>

#include "limber/format/figure/figure_json.h"

namespace limber {

namespace {

using Table = std::vector<std::pair<std::string, Unit>>;

Unit look_up(const Table& table, const std::string& name) {
  const auto found = std::ranges::lower_bound(table, name, {}, &Table::value_type::first);
  // Unknown names are rejected by build_figure.
  return found != table.end() && found->first == name ? found->second : Unit::degrees;
}

Unit unit_of(Motion motion) { return motion == Motion::translate ? Unit::metres : Unit::degrees; }

}  // namespace

Unit unit_of(const Figure& figure, const Parameter& parameter) {
  return std::ranges::all_of(
             parameter.drives,
             [&](int i) { return figure.freedoms()[static_cast<std::size_t>(i)].motion == Motion::translate; })
             ? Unit::metres
             : Unit::degrees;
}

DescriptionUnits::DescriptionUnits(const FigureDescription& description) {
  for (const JointDescription& joint : description.joints)
    for (const FreedomDescription& freedom : joint.freedoms)
      freedoms_.emplace_back(joint.name + "." + freedom.name, unit_of(freedom.motion));
  std::ranges::sort(freedoms_, {}, &Table::value_type::first);
  parameters_ = freedoms_;
  for (const GroupDescription& group : description.groups) {
    // In metres unless it drives a rotation.
    Table own;
    for (const GroupParameter& parameter : group.parameters)
      own.emplace_back(group.name + "." + parameter.name, Unit::metres);
    std::ranges::sort(own, {}, &Table::value_type::first);
    for (const GroupDriver& driver : group.drivers) {
      if (of_freedom(driver.joint, driver.freedom) == Unit::metres) continue;
      for (const GroupTerm& term : driver.terms) {
        const auto found =
            std::ranges::lower_bound(own, group.name + "." + term.parameter, {}, &Table::value_type::first);
        if (found != own.end() && found->first == group.name + "." + term.parameter) found->second = Unit::degrees;
      }
    }
    parameters_.insert(parameters_.end(), own.begin(), own.end());
  }
  std::ranges::sort(parameters_, {}, &Table::value_type::first);
}

Unit DescriptionUnits::of_freedom(const std::string& joint, const std::string& freedom) const {
  return look_up(freedoms_, joint + "." + freedom);
}
Unit DescriptionUnits::of_group_parameter(const GroupDescription& group, const std::string& parameter) const {
  return look_up(parameters_, group.name + "." + parameter);
}
Unit DescriptionUnits::of_parameter(const std::string& name) const { return look_up(parameters_, name); }

RowScale row_scale(const LimitDescription& row, const DescriptionUnits& units) {
  return {std::ranges::all_of(
      row.terms, [&](const LimitTerm& term) { return units.of_parameter(term.parameter) == Unit::degrees; })};
}

}  // namespace limber
