// The values of a URDF file's elements, each checked where it stands, and a memory of what was left out: a note for
// each kind, with the place of the first and how often.
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
  // As many finite numbers as `values` has room for; left as they are where the attribute is not there.
  Expected<void> numbers(const XmlElement& element, std::string_view attribute, Eigen::Ref<VecX> values) const;
  Expected<void> number(const XmlElement& element, std::string_view attribute, double& value) const;
  // The first child of that name; others of the same name are odd.
  XmlElement sole(const XmlElement& element, std::string_view name);
  // What <origin> in the element says; the element's own frame where there is none.
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
