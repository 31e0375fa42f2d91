// A residual network with layer norm, in single precision, with weights of 8 bits.
//
//   x := W0 in + b0;   per block  x := x + W2 f(W1 n(x) + b1) + b2;   out := W3 n(x) + b3
//   n(x) = (x - mean) / √(variance + 1e-5),   f(x) = x / (1 + e^-x)
//
// learn/network.py is the same in the training framework, learn/export.py writes the weights. One evaluation reads
// every weight once and allocates nothing.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "limber/base/diagnostic.h"

namespace limber {

// Reads little-endian numbers from bytes; after the end it has failed and returns zeros.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  int integer();
  float number();
  double real() { return static_cast<double>(number()); }
  std::vector<float> numbers(std::size_t count);
  std::string_view take(std::size_t count);
  bool failed() const { return failed_; }
  bool at_end() const { return !failed_ && bytes_.empty(); }

 private:
  std::string_view bytes_;
  bool failed_ = false;
};

// y = S Q x + b with a diagonal S and integers Q in -127 … 127.
struct DenseLayer {
  static constexpr int lanes = 16;  // outputs that are computed together

  int inputs = 0, outputs = 0;
  std::vector<float> scale, bias;
  // By panels of `lanes` outputs, filled up with zeros; in a panel by input.
  std::vector<std::int8_t> weights;

  static DenseLayer read(ByteReader& bytes, int inputs, int outputs);
  // y := S Q x + b, or y += it. x may not overlap y.
  void evaluate(std::span<const float> x, std::span<float> y, bool add) const;
};

class Network {
 public:
  // The shape is read first: width, blocks, inputs, outputs.
  static Expected<Network> read(ByteReader& bytes);

  int inputs() const { return first_.inputs; }
  int outputs() const { return last_.outputs; }
  int width() const { return first_.outputs; }
  std::size_t weights() const;

  // Numbers of working memory.
  std::size_t memory() const { return 3 * static_cast<std::size_t>(width()); }
  void evaluate(std::span<const float> in, std::span<float> out, std::span<float> memory) const;

 private:
  struct Block {
    DenseLayer one, two;
  };
  DenseLayer first_, last_;
  std::vector<Block> blocks_;
};

}  // namespace limber
