// The checked values of a URDF file's elements, and a record of ignored ones: one note per kind, with the place of the
// first and the count.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "limber/base/vector.h"
#include "limber/format/content/content.h"
#include "limber/format/text/text.h"
#include "limber/format/text/xml.h"

namespace limber {

class UrdfValues {
 public:
  UrdfValues(const XmlDocument& document, double metres_per_unit) : document_(document), unit_(metres_per_unit) {}

  double unit() const { return unit_; }  // metres

  Expected<std::string> name(const XmlElement& element, std::string_view attribute = "name") const;
  // `values.size()` finite numbers; unchanged if the attribute is missing.
  Expected<void> numbers(const XmlElement& element, std::string_view attribute, Eigen::Ref<VecX> values) const;
  Expected<void> number(const XmlElement& element, std::string_view attribute, double& value) const;
  // The first child with that name; further ones are noted.
  XmlElement sole(const XmlElement& element, std::string_view name);
  // The frame of the child <origin>; the identity without one.
  Expected<Frame> origin(const XmlElement& element);

  void ignore(const XmlElement& element, std::string what);
  void ignore(const XmlElement& element) { ignore(element, element.tag() + " is not read"); }
  void expect_attributes(const XmlElement& element, std::initializer_list<std::string_view> known);
  // In the order of the file.
  std::vector<Note> notes() const;

 private:
  struct Ignored {
    std::size_t offset = 0;
    int times = 0;
  };

  const XmlDocument& document_;
  double unit_;
  std::map<std::string, Ignored> ignored_;
};

}  // namespace limber
