#include "limber/posing/network.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "limber/base/random.h"

namespace network_test {

using namespace limber;

void put(std::string& bytes, std::uint32_t value) {
  for (int k = 0; k < 4; ++k) bytes.push_back(static_cast<char>(value >> (8 * k)));
}
void put(std::string& bytes, float value) { put(bytes, std::bit_cast<std::uint32_t>(value)); }

std::vector<float> random_numbers(Random& random, int count, double size) {
  std::vector<float> all;
  for (int k = 0; k < count; ++k) all.push_back(static_cast<float>(random.between(-size, size)));
  return all;
}

// Scales, biases and integers of a layer, as they are stored.
struct StoredLayer {
  int inputs, outputs;
  std::vector<float> scale, bias;
  std::vector<int> q;

  StoredLayer(Random& random, int in, int out) : inputs(in), outputs(out) {
    scale = random_numbers(random, out, 0.01);
    bias = random_numbers(random, out, 0.5);
    for (int k = 0; k < in * out; ++k) q.push_back(random.integer(-127, 127));
  }
  void write(std::string& bytes) const {
    for (const float each : scale) put(bytes, each);
    for (const float each : bias) put(bytes, each);
    for (const int each : q) bytes.push_back(static_cast<char>(each));
  }
  std::vector<double> times(const std::vector<double>& x) const {
    std::vector<double> y;
    for (int i = 0; i < outputs; ++i) {
      double sum = 0.0;
      for (int j = 0; j < inputs; ++j) sum += x[j] * q[i * inputs + j];
      y.push_back(sum * static_cast<double>(scale[i]) + static_cast<double>(bias[i]));
    }
    return y;
  }
};

std::vector<double> normal(const std::vector<double>& x) {
  const auto n = static_cast<double>(x.size());
  double mean = 0.0, square = 0.0;
  for (const double each : x) mean += each / n;
  for (const double each : x) square += (each - mean) * (each - mean) / n;
  std::vector<double> y;
  for (const double each : x) y.push_back((each - mean) / std::sqrt(square + 1e-5));
  return y;
}

// Half a unit of each input, times its weight; and a few roundings of single precision.
TEST(DenseLayer, RoundsItsInputOnly) {
  Random random(1);
  for (const int inputs : {1, 7, 16, 100, 512})
    for (const int outputs : {1, 5, 64}) {
      const StoredLayer stored(random, inputs, outputs);
      std::string bytes;
      stored.write(bytes);
      ByteReader reader(bytes);
      const DenseLayer layer = DenseLayer::read(reader, inputs, outputs);
      ASSERT_TRUE(reader.at_end());
      const std::vector<float> x = random_numbers(random, inputs, 10.0);
      RoundedVector rounded;
      rounded.integers.resize(x.size());
      rounded.set(x);
      std::vector<float> y(static_cast<std::size_t>(outputs), 1.0f);
      layer.evaluate(rounded, y, true);
      const std::vector<double> exact = stored.times({x.begin(), x.end()});
      for (int i = 0; i < outputs; ++i) {
        double weight = 0.0;
        for (int j = 0; j < inputs; ++j) weight += std::abs(stored.q[i * inputs + j]);
        const double bound =
            0.5 * static_cast<double>(rounded.scale) * weight * std::fabs(static_cast<double>(stored.scale[i]));
        EXPECT_NEAR(static_cast<double>(y[i]) - 1.0, exact[i], 1.01 * bound + 1e-4);
      }
    }
}

// All weights and inputs at their max: the sum of 512 products is within 32 bits.
TEST(DenseLayer, DoesNotOverflow) {
  constexpr int n = DenseLayer::max_inputs;
  DenseLayer layer;
  layer.inputs = n;
  layer.outputs = 2;
  layer.scale = {1.0f, 1.0f};
  layer.bias = {0.0f, 0.0f};
  layer.weights.assign(n, 127);
  layer.weights.insert(layer.weights.end(), n, -127);
  RoundedVector x;
  x.integers.resize(n);
  x.set(std::vector<float>(n, 3.0f));
  std::vector<float> y(2);
  layer.evaluate(x, y, false);
  EXPECT_NEAR(y[0], 127.0f * 3.0f * n, 1.0f);
  EXPECT_NEAR(y[1], -127.0f * 3.0f * n, 1.0f);
}

TEST(Network, ComputesItsFormula) {
  Random random(2);
  constexpr int width = 48, blocks = 2, inputs = 30, outputs = 9;
  std::string bytes;
  for (const int each : {width, blocks, inputs, outputs}) put(bytes, static_cast<std::uint32_t>(each));
  const StoredLayer first(random, inputs, width);
  std::vector<StoredLayer> layers;
  first.write(bytes);
  for (int k = 0; k < 2 * blocks; ++k) layers.emplace_back(random, width, width).write(bytes);
  const StoredLayer last(random, width, outputs);
  last.write(bytes);
  ByteReader reader(bytes);
  const Expected<Network> network = Network::read(reader);
  ASSERT_TRUE(network && reader.at_end());
  Network::Workspace work = network->workspace();
  for (int round = 0; round < 20; ++round) {
    std::vector<float> in = random_numbers(random, inputs, 2.0);
    for (float& each : in)
      if (random.chance(0.5)) each = 0.0f;
    std::vector<float> out(outputs);
    network->evaluate(in, out, work);
    std::vector<double> x = first.times({in.begin(), in.end()});
    for (int k = 0; k < blocks; ++k) {
      std::vector<double> hidden = layers[2 * k].times(normal(x));
      for (double& each : hidden) each /= 1.0 + std::exp(-each);
      const std::vector<double> change = layers[2 * k + 1].times(hidden);
      for (int i = 0; i < width; ++i) x[i] += change[i];
    }
    const std::vector<double> exact = last.times(normal(x));
    for (int i = 0; i < outputs; ++i) EXPECT_NEAR(static_cast<double>(out[i]), exact[i], 2e-3);
  }
}

}  // namespace network_test
