// The words of a motion script: lines of words, numbers, vectors and times. For the files of this folder.
//
// A statement is a line. `#` begins a comment, a comma may stand between any two words, and a line that ends with one
// continues in the next. Keywords may be in upper case; a quoted text is a name and never a keyword.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "limber/base/vector.h"
#include "limber/document/motion_script/motion_script.h"
#include "limber/format/text/text.h"

namespace limber {

class ScriptText {
 public:
  // `text` is what plain_text gave; it must outlive this.
  ScriptText(std::string_view text, std::string file_name) : text_(text), reader_(text, std::move(file_name)) {}

  // Whether there is another statement; goes to its first word.
  bool next_line();
  // Whether the statement has no further word.
  bool at_end_of_line();

  // The next word of the statement, without consuming it; empty at the end.
  Word peek();
  // Consumes the next word if it is this keyword.
  bool take(std::string_view keyword);
  bool is_quoted();

  // `what` names the expected value in a rejection.
  Expected<ScriptName> name(const char* what);
  Expected<double> number(const char* what);
  Expected<int> count(const char* what, int min, int max);
  Expected<Vec3> vector(const char* what);
  // x, y, z, -x, -y, -z, or a vector that is not zero; of unit length.
  Expected<Vec3> direction(const char* what);
  // Numbers and events that are known, with +, - and *.
  Expected<double> time(const char* what);
  Expected<void> expect(std::string_view keyword, const char* what);
  Expected<void> end_of_line();

  Expected<void> add_event(const ScriptName& name, double time);

  // At the next word: what is there, and the most similar known words.
  std::unexpected<Diagnostic> reject_word(const std::string& expected, const std::vector<std::string>& known = {});
  std::unexpected<Diagnostic> reject(const Word& at, std::string found, std::string expected) const {
    return reader_.reject(at, std::move(found), std::move(expected));
  }
  Place place(std::size_t offset);
  Place place() { return place(peek().offset); }

 private:
  void skip_blanks();
  void skip();
  Word word_here() const;
  Expected<double> factor(const char* what);
  Expected<double> product(const char* what);
  char operation();

  std::string_view text_;
  TextReader reader_;  // for rejections
  std::size_t at_ = 0;
  bool after_comma_ = false;
  std::size_t placed_ = 0;  // the offset of `place_`
  Place place_ = {};
  std::map<std::string, double, std::less<>> events_;
};

// A statement that begins with a time: "from 0.5 until 0.8 hold left_heel, must". All of the line is read.
Expected<ScriptDemand> read_script_demand(ScriptText& text);

// For it: "at NAME", after the word; the handle becomes its difference from the point of that place. And where the
// place of "keep NAME" is kept.
Expected<void> read_script_other(ScriptText& text, const char* word, ScriptDemand& demand);
Expected<void> read_script_where(ScriptText& text, ScriptDemand& demand);

// "ease 0.1" or "ease in 0.1 out 0.2", in seconds, after the word "ease".
Expected<Ease> read_script_ease(ScriptText& text);

}  // namespace limber
