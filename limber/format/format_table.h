// All file formats, one row each: a new format is a folder of its own and a row in format_table.cpp.
//
// kind_of(), read_content() and write_content(), the fuzz targets, the tests and the editor go through these rows.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "limber/format/file.h"

namespace limber {

// The beginning of a file, for recognising it. Text is in lower case and without leading blanks; it is empty for bytes
// that are not text.
class FirstBytes {
 public:
  explicit FirstBytes(std::string_view bytes);

  std::string_view bytes() const { return bytes_; }
  bool begins(std::string_view word) const { return text().starts_with(word); }
  bool has(std::string_view word) const { return text().find(word) != std::string_view::npos; }

 private:
  std::string_view text() const { return std::string_view(lower_).substr(start_); }

  std::string_view bytes_;
  std::string lower_;
  std::size_t start_ = 0;
};

struct FileToRead {
  std::string_view bytes;
  const std::string& name;
  const ReadOptions& options;
  const FileLoader& load;
  const Content* skeleton;  // of a format that needs one; null where none was given
};

struct FileToWrite {
  const Content& content;  // with a figure
  const std::vector<Clip>& clips;
  const std::string& name;
  const WriteOptions& options;

  const Clip* first_clip() const { return clips.empty() ? nullptr : &clips.front(); }
};

struct FormatRow {
  FileFormat format;
  bool (*recognises)(const FirstBytes&);
  Expected<Content> (*read)(const FileToRead&);
  Expected<void> (*write)(const FileToWrite&, WrittenFiles&);  // null for a format that is only read
};

// In the order of FileKind, which is also the order in which rows are asked whether they recognise the bytes.
std::span<const FormatRow> format_table();

}  // namespace limber
