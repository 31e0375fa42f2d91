// Blanks, line ends and references in XML, and errors in tags. Comparison with another reader: xml_oracle_test.cpp.
#include "limber/format/text/xml.h"

#include <gtest/gtest.h>

#include "tests/format/broken_text.h"

namespace limber {
namespace xml_test {

TEST(Xml, LineEndsAreOneCharacter) {
  const std::string text =
      "<a b='1\r\n2\r3\n4\t5\n\r6' c='&#13;&#10;&#9;'>\r\n1\r\n2\r3\n4\t5\n\r6<![CDATA[\r\n7&lt;\r]]>\r\n</a>";
  const XmlDocument document(text, "f");
  ASSERT_FALSE(document.error()) << document.error()->text();
  EXPECT_EQ(document.root().attribute("b"), "1 2 3 4 5  6");
  EXPECT_EQ(document.root().attribute("c"), "\r\n\t");
  EXPECT_EQ(document.root().text(), "1\n2\n3\n4\t5\n\n6\n7&lt;");
}

TEST(Xml, ReferencesAreCharactersInUtf8) {
  const std::string text =
      "<a b=\"&lt;&gt;&amp;&quot;&apos;\" c='&#x41;&#65;&#x7f;&#x80;&#x7FF;&#x800;&#xFFFD;&#x10000;&#1114111;'>"
      "&amp;lt;&#x20AC;</a>";
  const XmlDocument document(text, "f");
  ASSERT_FALSE(document.error()) << document.error()->text();
  EXPECT_EQ(document.root().attribute("b"), "<>&\"'");
  EXPECT_EQ(document.root().attribute("c"),
            "AA\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBD\xF0\x90\x80\x80\xF4\x8F\xBF\xBF");
  EXPECT_EQ(document.root().text(), "&lt;€");
}

// Blanks between tags are layout; beside words they count, but for those at either end.
TEST(Xml, BlanksBetweenTagsAreIgnored) {
  const XmlDocument document(" <a>\n <b/> x <!-- --> <b/>\t<?go?>y <b>&#32;</b>\n</a> ", "f");
  ASSERT_FALSE(document.error()) << document.error()->text();
  EXPECT_EQ(document.root().text(), "x y");
  EXPECT_EQ(document.root().child("b").text(), "");
}

TEST(XmlRejection, ReportsErrorsInATag) {
  const BrokenText cases[] = {
      {"<a>\n<!-- <b/>", "2:1", "\"<!--\" without an end"},
      {"<a>\n <![CDATA[x]] >", "2:2", "\"<![CDATA[\" without an end"},
      {"<a>\n <?go ></a>", "2:2", "\"<?\" without an end"},
      {"<a>\n <? go?></a>", "2:2", "<?name"},
      {"<a>\n < b/></a>", "2:3", "\" b/></a>\"; expected a tag"},
      {"<a>\n</ a>", "2:3", "a closing tag: </name>"},
      {"<a>\n</a b>", "2:5", "a closing tag: </name>"},
      {"<a>\n</b></a>", "2:1", "</b>; expected </a>, which closes line 1"},
      {"<a b='1'c='2'/>", "1:9", "separated by blanks"},
      {"<a b '1'/>", "1:6", "name=\"value\""},
      {"<a =''/>", "1:4", "\"=''/>\"; expected a tag"},
      {"<a / >", "1:5", "\" >\"; expected a tag"},
      {"<a b='1' -c=''/>", "1:10", "a tag"},
      {"<a!/>", "1:3", "a tag"},
      {"<a b='é' c=ü\nd/>", "1:12", "\"ü\""},
      {"<a b=''\n b='' c=''/>", "1:1", "attribute \"b\" twice in <a>"},
  };
  for (const BrokenText& broken : cases) {
    const XmlDocument document(broken.text, "f");
    ASSERT_TRUE(document.error()) << broken.text;
    EXPECT_FALSE(document.root()) << broken.text;
    EXPECT_EQ(document.size(), 0u);
    expect_error(*document.error(), broken);
  }
}

}  // namespace xml_test
}  // namespace limber
