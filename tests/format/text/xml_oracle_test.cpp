// Our XML reader against pugixml: the same trees, and everything that pugixml rejects is rejected. On the robots of
// data/, on random documents, on randomly damaged documents, and on all short tags.
//
// We are stricter on purpose. pugixml accepts, and we reject:
//   document types                                     their entities could grow without bound
//   references that are not predefined, a lone "&"     nothing could declare them
//   text or CDATA outside the outermost element        pugixml ignores it
//   a second outermost element                         pugixml reads all of them
//   an attribute twice in one tag                      pugixml keeps both
//   more than XmlDocument::max_levels levels           no supported file needs them
//   non-ASCII bytes in a declared encoding other than UTF-8 or Latin-1    pugixml ignores the declaration
// Files in UTF-16 or with zero bytes are rejected earlier and not tested here.
#include <gtest/gtest.h>

#include <array>
#include <pugixml.hpp>

#include "limber/base/random.h"
#include "limber/format/text/xml.h"
#include "tests/format/sample.h"
#include "tests/support/laws.h"
#include "tests/support/tree.h"

namespace limber {
namespace xml_oracle_test {

// --- Two trees, written down alike ---------------------------------------------------------------

std::string xml_trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

// One line an element, as far as its text has none: place, depth, name, attributes, text.
std::string xml_row(std::size_t offset, int depth, std::string_view name, std::string_view attributes,
                    std::string_view text) {
  std::string row = std::to_string(offset) + " " + std::to_string(depth) + " {";
  return row.append(name).append("}").append(attributes).append(" {").append(text).append("}\n");
}

std::string xml_attribute(std::string_view name, std::string_view value) {
  return std::string(" {").append(name).append("}={").append(value).append("}");
}

void write_pugi(const pugi::xml_node& from, int depth, std::string& out) {
  std::string attributes, text;
  for (const pugi::xml_attribute& one : from.attributes()) attributes += xml_attribute(one.name(), one.value());
  for (const pugi::xml_node& node : from.children())
    if (node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata) text += node.value();
  out += xml_row(static_cast<std::size_t>(from.offset_debug() - 1), depth, from.name(), attributes, xml_trimmed(text));
  for (const pugi::xml_node& node : from.children())
    if (node.type() == pugi::node_element) write_pugi(node, depth + 1, out);
}

void write_ours(const XmlElement& from, int depth, std::string& out) {
  std::string attributes;
  for (std::size_t k = 0; k < from.attributes(); ++k)
    attributes += xml_attribute(from.attribute(k).name, from.attribute(k).value);
  out += xml_row(from.offset(), depth, from.name(), attributes, from.text());
  for (const XmlElement child : from) {
    ASSERT_EQ(child.parent().offset(), from.offset());
    write_ours(child, depth + 1, out);
  }
}

// Names must lie where offset_of says.
void expect_places(const XmlDocument& document, std::string_view text) {
  for (std::size_t e = 0; e < document.size(); ++e) {
    const XmlElement element = document.element(e);
    ASSERT_TRUE(text.substr(element.offset()).starts_with("<" + std::string(element.name())));
    std::size_t before = element.offset();
    for (std::size_t k = 0; k < element.attributes(); ++k) {
      const std::string_view name = element.attribute(k).name;
      const std::size_t at = element.offset_of(name);
      ASSERT_GT(at, before) << name;
      ASSERT_TRUE(text.substr(at).starts_with(name)) << name;
      before = at;
    }
  }
}

// --- Agreement -----------------------------------------------------------------------------------

// What we say where we are stricter.
constexpr std::array<std::string_view, 9> stricter = {
    "document types and entities are rejected",
    "another predefined reference",
    "XML, which starts with",
    "no text after the outermost element",
    "an element around it",
    "one outermost element",
    "each attribute once",
    "UTF-8: convert the file",
    "a flatter tree",
};

struct XmlTally {
  int same = 0;  // trees
  int both_reject = 0;
  std::array<int, stricter.size()> ours = {};  // where we alone reject, and why
};

void expect_agreement(const std::string& text, XmlTally& tally) {
  pugi::xml_document theirs;
  const bool read = theirs.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
  const XmlDocument ours(text, "f");
  ASSERT_EQ(ours.error().has_value(), !ours.root().exists()) << text;
  if (ours.error()) {
    const Diagnostic& error = *ours.error();
    EXPECT_TRUE(error.where.starts_with("f:") && error.line > 0 && error.column > 0) << error.text();
    EXPECT_FALSE(error.found.empty() || error.expected.empty()) << error.text();
    EXPECT_EQ(error.text().find('\n'), std::string::npos) << error.text();
    std::size_t why = 0;
    while (why < stricter.size() && error.expected.find(stricter[why]) == std::string::npos) ++why;
    if (!read) {
      ++tally.both_reject;
    } else {
      ASSERT_LT(why, stricter.size()) << error.text() << "\n" << text;
      ++tally.ours[why];
    }
    return;
  }
  ASSERT_TRUE(read) << text;
  std::string our_tree, their_tree;
  write_ours(ours.root(), 0, our_tree);
  write_pugi(theirs.document_element(), 0, their_tree);
  ASSERT_EQ(our_tree, their_tree) << text;
  expect_places(ours, text);
  ++tally.same;
}

// --- Random documents ----------------------------------------------------------------------------

class XmlGenerator {
 public:
  explicit XmlGenerator(std::uint64_t seed) : random_(seed) {}

  std::string document() {
    std::string text = random_.chance(0.5) ? "<?xml version='1.0' encoding=\"UTF-8\"?>" : "";
    between(text);
    element(text, 0);
    between(text);
    return text;
  }

  // One to three places changed: a piece taken out, doubled, moved or put in, or one character another.
  std::string damaged(std::string text) {
    for (int k = random_.integer(1, 3); k > 0; --k) {
      const std::size_t at = static_cast<std::size_t>(random_.integer(0, static_cast<int>(text.size())));
      const std::size_t size = static_cast<std::size_t>(random_.integer(1, random_.chance(0.7) ? 3 : 20));
      const std::string piece = text.substr(at, size);
      const auto to = [&] { return static_cast<std::size_t>(random_.integer(0, static_cast<int>(text.size()))); };
      switch (random_.integer(0, 4)) {
        case 0:
          text.erase(at, size);
          break;
        case 1:
          text.insert(at, piece);
          break;
        case 2:
          text.insert(to(), piece);
          break;
        case 3:
          text.insert(at, one_of(damage));
          break;
        default:
          if (at < text.size()) text[at] = marks[static_cast<std::size_t>(random_.integer(0, marks.size() - 1))];
      }
    }
    return text;
  }

 private:
  template <std::size_t n>
  std::string one_of(const std::array<const char*, n>& list) {
    return list[static_cast<std::size_t>(random_.integer(0, static_cast<int>(n) - 1))];
  }

  std::string several(auto one, int least, int most) {
    std::string all;
    for (int k = random_.integer(least, most); k > 0; --k) all += one();
    return all;
  }
  std::string blanks(int least) {
    return several([&] { return one_of(blank); }, least, 3);
  }

  void between(std::string& text) {
    for (int k = random_.integer(0, 3); k > 0; --k) {
      text += blanks(0);
      if (random_.chance(0.5)) text += one_of(asides);
    }
  }

  void element(std::string& text, int depth) {
    const std::string name = one_of(names) + (random_.chance(0.5) ? std::to_string(depth) : "");
    text += "<" + name;
    for (int k = random_.integer(0, 3); k > 0; --k) {
      const char* quote = random_.chance(0.5) ? "'" : "\"";
      text += blanks(1) + one_of(names) + std::to_string(k) + blanks(0) + "=" + blanks(0) + quote;
      text += several([&] { return one_of(random_.chance(0.3) ? blank : value_pieces); }, 0, 4);
      if (random_.chance(0.2)) text += *quote == '\'' ? '"' : '\'';
      text += quote;
    }
    text += blanks(0);
    if (depth > 0 && random_.chance(0.3)) {
      text += "/>";
      return;
    }
    text += ">";
    for (int k = random_.integer(0, 7); k > 0; --k) {
      if (random_.chance(0.4) && depth < deepest)
        element(text, depth + 1);
      else
        text += random_.chance(0.4) ? one_of(asides) : random_.chance(0.3) ? one_of(cdata) : characters();
    }
    text += "</" + name + blanks(0) + ">";
  }

  std::string characters() {
    return several([&] { return one_of(random_.chance(0.5) ? blank : text_pieces); }, 1, 5);
  }

  static constexpr int deepest = 6;
  static constexpr std::string_view marks = "<>&;'\"=/!?[]-: \t\r\nx1#\x7F";
  static constexpr std::array<const char*, 7> blank = {" ", "\t", "\n", "\r\n", "\r", "\n\r", "  "};
  static constexpr std::array<const char*, 8> names = {"a",   "link",      "_b",   ":",
                                                       "x:y", "d\xC3\xA9", "A-b.", "\xE2\x82\xAC"};
  static constexpr std::array<const char*, 7> value_pieces = {"1.5",        "&lt;&#xe9;", "<", ">",
                                                              "&#13;&#10;", "&amp;#9;",   "/"};
  static constexpr std::array<const char*, 7> text_pieces = {"word", "\xC3\xA9&#x20AC;", "&#32;", "]]>", "&quot;&gt;",
                                                             "='",   "&#x1F600;&apos;"};
  static constexpr std::array<const char*, 6> asides = {"<!---->", "<!-- -- <b> &x; -->", "<!--->-->", "<?go a='>?>",
                                                        "<?_?>",   "<?x\r\n?? ?>"};
  static constexpr std::array<const char*, 5> cdata = {"<![CDATA[]]>", "<![CDATA[ <b>&lt; ]]>", "<![CDATA[]]]]>",
                                                       "<![CDATA[\r\n\r\tx\n]]>", "<![CDATA[]>]]>"};
  static constexpr std::array<const char*, 21> damage = {
      "<!DOCTYPE a>", "<![CDATA[x]]>", "<!",  "<!--", "-->", "<![CDATA[", "]]>",      "<?", "?>", "&#0;", "&nbsp;",
      "&#x;",         "</a>",          "<a>", "<a/>", "<",   "a=''",      " b=\"2\"", "</", "/>", "</ a>"};

  Random random_;
};

// -------------------------------------------------------------------------------------------------

TEST(XmlOracle, ReadsTheRobots) {
  XmlTally tally;
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() + "/data/urdf")) {
    if (entry.path().extension() != ".urdf") continue;
    SCOPED_TRACE(entry.path().filename().string());
    expect_agreement(read_sample(entry.path()), tally);
    ++files;
  }
  EXPECT_GE(files, 8);
  EXPECT_EQ(tally.same, files);
}

TEST(XmlOracle, ReadsRandomDocuments) {
  constexpr std::uint64_t seed = 20;
  SCOPED_TRACE("seed " + std::to_string(seed));
  const int count = law::law_count(10'000);
  XmlGenerator generator(seed);
  XmlTally tally;
  for (int k = 0; k < count && !HasFatalFailure(); ++k) expect_agreement(generator.document(), tally);
  EXPECT_EQ(tally.same, count);
}

TEST(XmlOracle, RejectsDamagedDocuments) {
  constexpr std::uint64_t seed = 21;
  SCOPED_TRACE("seed " + std::to_string(seed));
  const int documents = law::whole_or_quick(law::law_count(5'000), 500), each = 20;
  XmlGenerator generator(seed);
  XmlTally tally;
  for (int k = 0; k < documents; ++k) {
    const std::string text = generator.document();
    for (int m = 0; m < each && !HasFatalFailure(); ++m) expect_agreement(generator.damaged(text), tally);
  }
  // Every kind of damage occurred.
  EXPECT_GT(tally.same, documents);
  EXPECT_GT(tally.both_reject, 5 * documents);
  for (std::size_t why = 0; why + 1 < stricter.size(); ++why) EXPECT_GT(tally.ours[why], 0) << stricter[why];
}

TEST(XmlOracle, RejectsDamagedRobots) {
  constexpr std::uint64_t seed = 22;
  SCOPED_TRACE("seed " + std::to_string(seed));
  const int each = law::whole_or_quick(1'000, 50);
  XmlGenerator generator(seed);
  XmlTally tally;
  for (const char* name : {"ur5", "panda", "iiwa14"}) {
    const std::string text = read_sample(source_dir() + "/data/urdf/" + name + ".urdf");
    for (int m = 0; m < each && !HasFatalFailure(); ++m) expect_agreement(generator.damaged(text), tally);
  }
  EXPECT_GT(tally.same, each / 4);
  EXPECT_GT(tally.both_reject, each);
}

// Every word of that many letters, between what stands before and after.
void expect_agreement_on_words(std::string_view letters, int size, const std::string& before, const std::string& after,
                               XmlTally& tally) {
  std::string word(static_cast<std::size_t>(size), letters.front());
  std::vector<std::size_t> digits(word.size(), 0);
  std::size_t carry = 0;
  while (carry < word.size() && !::testing::Test::HasFatalFailure()) {
    expect_agreement(before + word + after, tally);
    for (carry = 0; carry < word.size(); ++carry) {
      digits[carry] = (digits[carry] + 1) % letters.size();
      word[carry] = letters[digits[carry]];
      if (digits[carry] != 0) break;
    }
  }
}

TEST(XmlOracle, EveryShortPieceOfATag) {
  const int size = law::whole_or_quick(5, 4);
  XmlTally tags, others, values;
  for (int k = 0; k <= size; ++k) {
    expect_agreement_on_words("b1=' />\"<-", k, "<a", "/>", tags);
    expect_agreement_on_words("b1=' />\"<-", k, "<a b='1'", ">", tags);
    expect_agreement_on_words("/a >!?-[]", k, "<a><", "></a>", others);
    expect_agreement_on_words("-]?>!/a", k, "<a><!-", "--></a>", others);
    expect_agreement_on_words("-]?> x", k, "<a>x<![CDATA[", "</a>", others);
    expect_agreement_on_words("-]?> x", k, "<a>x<?x", "?></a>", others);
    expect_agreement_on_words("\r\n\t b&", k, "<a b='&#13;", "'/>", values);
    expect_agreement_on_words("\r\n\t b<", k, "<a>.", "</a>", values);
    expect_agreement_on_words("#x0Ag;", k, "<a>&", ";</a>", values);
  }
  for (const XmlTally& tally : {tags, others, values}) {
    EXPECT_GT(tally.same, 50);
    EXPECT_GT(tally.both_reject, 100);
  }
}

TEST(XmlOracle, DeepNestingIsRejectedByUsAlone) {
  XmlTally tally;
  for (const int levels : {XmlDocument::max_levels, XmlDocument::max_levels + 1}) {
    std::string text;
    for (int k = 0; k < levels; ++k) text += "<a>";
    for (int k = 0; k < levels; ++k) text += "</a>";
    expect_agreement(text, tally);
  }
  EXPECT_EQ(tally.same, 1);
  EXPECT_EQ(tally.ours.back(), 1);
}

}  // namespace xml_oracle_test
}  // namespace limber
