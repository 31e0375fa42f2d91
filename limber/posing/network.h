// A residual network with layer norm, with weights of 8 bits.
//
//   x := W0 in + b0;   per block  x := x + W2 f(W1 n(x) + b1) + b2;   out := W3 n(x) + b3
//   n(x) = (x - mean) / √(variance + 1e-5),   f(x) = x / (1 + e^-x)
//
// learn/network.py is the same in the training framework, learn/export.py writes the weights. Products of matrices are
// sums of integers, which processors compute eight at a time and all alike: the input of a layer is rounded to 16 bits
// relative to its max, 2e-5 of it. The rest is in single precision, and so is the first layer, most of whose inputs are
// zero: they are skipped. Nothing is allocated.
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

// x = scale · integers
struct RoundedVector {
  std::vector<std::int16_t> integers;
  float scale = 0.0f;

  void set(std::span<const float> x);
};

// y = S Q x + b with a diagonal S and integers Q in -127 … 127.
struct DenseLayer {
  // Sums of so many products of 16 and 8 bits do not overflow 32 bits.
  static constexpr int max_inputs = 512;

  int inputs = 0, outputs = 0;
  std::vector<float> scale, bias;
  std::vector<std::int16_t> weights;  // Q by rows

  static DenseLayer read(ByteReader& bytes, int inputs, int outputs);
  // y := S Q x + b, or y += it.
  void evaluate(const RoundedVector& x, std::span<float> y, bool add) const;
};

// y = W x + b, for an x that is mostly zero.
struct InputLayer {
  int inputs = 0;
  std::vector<float> bias;
  std::vector<float> columns;  // W by columns

  static InputLayer from(const DenseLayer& layer);
  void evaluate(std::span<const float> x, std::span<float> y) const;
};

class Network {
 public:
  // The shape is read first: width, blocks, inputs, outputs.
  static Expected<Network> read(ByteReader& bytes);

  int inputs() const { return first_.inputs; }
  int outputs() const { return last_.outputs; }
  int width() const { return last_.inputs; }
  std::size_t weights() const;

  struct Workspace {
    std::vector<float> x, hidden;
    RoundedVector rounded;
  };
  Workspace workspace() const;
  void evaluate(std::span<const float> in, std::span<float> out, Workspace& work) const;

 private:
  struct Block {
    DenseLayer one, two;
  };
  InputLayer first_;
  DenseLayer last_;
  std::vector<Block> blocks_;
};

}  // namespace limber
