#include "limber/posing/network.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <string>

namespace limber {

namespace {

constexpr float variance_floor = 1e-5f;
// Far more than a useful file has: a damaged one should not ask for gigabytes.
constexpr int max_width = DenseLayer::max_inputs, max_blocks = 64;
// 512 · 127 · 32,000 < 2³¹
constexpr float max_integer = 32000.0f;

// n(x)
void normalize(std::span<const float> x, std::span<float> y) {
  float sum = 0.0f, square = 0.0f;
  for (const float each : x) sum += each;
  const float mean = sum / static_cast<float>(x.size());
  for (const float each : x) square += (each - mean) * (each - mean);
  const float factor = 1.0f / std::sqrt(square / static_cast<float>(x.size()) + variance_floor);
  for (std::size_t k = 0; k < x.size(); ++k) y[k] = factor * (x[k] - mean);
}

// f(x)
void activate(std::span<float> x) {
  for (float& each : x) each /= 1.0f + std::exp(-each);
}

}  // namespace

int ByteReader::integer() {
  const std::string_view four = take(4);
  std::uint32_t value = 0;
  for (std::size_t k = 0; k < four.size(); ++k)
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(four[k])) << (8 * k);
  return static_cast<int>(value);
}

float ByteReader::number() { return std::bit_cast<float>(integer()); }

std::vector<float> ByteReader::numbers(std::size_t count) {
  if (count > bytes_.size() / 4) failed_ = true;
  std::vector<float> all(failed_ ? 0 : count);
  for (float& each : all) each = number();
  return all;
}

std::string_view ByteReader::take(std::size_t count) {
  if (failed_ || count > bytes_.size()) {
    failed_ = true;
    return {};
  }
  const std::string_view taken = bytes_.substr(0, count);
  bytes_.remove_prefix(count);
  return taken;
}

DenseLayer DenseLayer::read(ByteReader& bytes, int inputs, int outputs) {
  DenseLayer layer;
  layer.inputs = inputs;
  layer.outputs = outputs;
  layer.scale = bytes.numbers(static_cast<std::size_t>(outputs));
  layer.bias = bytes.numbers(static_cast<std::size_t>(outputs));
  const std::string_view rows = bytes.take(static_cast<std::size_t>(inputs) * static_cast<std::size_t>(outputs));
  layer.weights.reserve(rows.size());
  for (const char one : rows) layer.weights.push_back(static_cast<signed char>(one));
  return layer;
}

void RoundedVector::set(std::span<const float> x) {
  assert(x.size() == integers.size());
  float max = std::numeric_limits<float>::min();
  for (const float each : x) max = std::fmax(max, std::fabs(each));
  scale = max / max_integer;
  const float factor = max_integer / max;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const float value = factor * x[k];
    integers[k] = static_cast<std::int16_t>(value + std::copysign(0.5f, value));
  }
}

void DenseLayer::evaluate(const RoundedVector& x, std::span<float> y, bool add) const {
  assert(static_cast<int>(x.integers.size()) == inputs && static_cast<int>(y.size()) == outputs);
  const std::int16_t* w = weights.data();
  const std::int16_t* in = x.integers.data();
  for (std::size_t i = 0; i < y.size(); ++i, w += inputs) {
    std::int32_t sum = 0;
    for (int j = 0; j < inputs; ++j) sum += static_cast<std::int32_t>(in[j]) * static_cast<std::int32_t>(w[j]);
    const float value = scale[i] * x.scale * static_cast<float>(sum) + bias[i];
    y[i] = add ? y[i] + value : value;
  }
}

InputLayer InputLayer::from(const DenseLayer& layer) {
  const auto outputs = static_cast<std::size_t>(layer.outputs), inputs = static_cast<std::size_t>(layer.inputs);
  InputLayer first{layer.inputs, layer.bias, {}};
  for (std::size_t j = 0; j < inputs; ++j)
    for (std::size_t i = 0; i < outputs; ++i)
      first.columns.push_back(layer.scale[i] * static_cast<float>(layer.weights[i * inputs + j]));
  return first;
}

void InputLayer::evaluate(std::span<const float> x, std::span<float> y) const {
  assert(static_cast<int>(x.size()) == inputs && y.size() == bias.size());
  std::copy(bias.begin(), bias.end(), y.begin());
  const float* column = columns.data();
  for (const float each : x) {
    if (each != 0.0f)
      for (std::size_t i = 0; i < y.size(); ++i) y[i] += each * column[i];
    column += y.size();
  }
}

Expected<Network> Network::read(ByteReader& bytes) {
  const int width = bytes.integer(), blocks = bytes.integer(), inputs = bytes.integer(), outputs = bytes.integer();
  const auto fits = [](int n, int max) { return n >= 1 && n <= max; };
  if (!fits(width, max_width) || !fits(blocks, max_blocks) || !fits(inputs, max_width) || !fits(outputs, max_width))
    return reject("network",
                  "a width of " + std::to_string(width) + ", " + std::to_string(blocks) + " blocks, " +
                      std::to_string(inputs) + " inputs, " + std::to_string(outputs) + " outputs",
                  "1 to " + std::to_string(max_width) + " each, and at most " + std::to_string(max_blocks) + " blocks");
  Network network;
  const DenseLayer first = DenseLayer::read(bytes, inputs, width);
  if (!bytes.failed()) network.first_ = InputLayer::from(first);
  for (int k = 0; k < blocks && !bytes.failed(); ++k) {
    DenseLayer one = DenseLayer::read(bytes, width, width);
    network.blocks_.push_back({std::move(one), DenseLayer::read(bytes, width, width)});
  }
  network.last_ = DenseLayer::read(bytes, width, outputs);
  if (bytes.failed()) return reject("network", "the end of the file", "the weights of all layers");
  return network;
}

std::size_t Network::weights() const {
  const auto of = [](const DenseLayer& layer) {
    return static_cast<std::size_t>(layer.outputs) * (static_cast<std::size_t>(layer.inputs) + 1);
  };
  std::size_t sum = first_.columns.size() + first_.bias.size() + of(last_);
  for (const Block& block : blocks_) sum += of(block.one) + of(block.two);
  return sum;
}

Network::Workspace Network::workspace() const {
  const auto w = static_cast<std::size_t>(width());
  Workspace work;
  work.x.resize(w);
  work.hidden.resize(w);
  work.rounded.integers.resize(w);
  return work;
}

void Network::evaluate(std::span<const float> in, std::span<float> out, Workspace& work) const {
  first_.evaluate(in, work.x);
  for (const Block& block : blocks_) {
    normalize(work.x, work.hidden);
    work.rounded.set(work.hidden);
    block.one.evaluate(work.rounded, work.hidden, false);
    activate(work.hidden);
    work.rounded.set(work.hidden);
    block.two.evaluate(work.rounded, work.x, true);
  }
  normalize(work.x, work.hidden);
  work.rounded.set(work.hidden);
  last_.evaluate(work.rounded, out, false);
}

}  // namespace limber
