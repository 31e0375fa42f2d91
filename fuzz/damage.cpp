// Damage to a file, at random.
#include <algorithm>
#include <cctype>

#include "fuzz/exercise.h"
#include "limber/base/random.h"

namespace limber::fuzz {

namespace {

// Each on the edge of what some reader takes.
constexpr std::string_view numbers[] = {
    "0",   "-1",  "1e308", "-1e308", "1e-308", "1e999",      "nan",                   //
    "inf", "1e9", "65536", "-0",     "0.1",    "2147483648", "99999999999999999999",  //
};

std::size_t any(Random& random, std::size_t count) { return random.bits() % std::max<std::size_t>(1, count); }

// A number in the text takes another value.
void change_number(Random& random, std::string& bytes) {
  const auto is_digit = [&](std::size_t at) { return std::isdigit(static_cast<unsigned char>(bytes[at])) != 0; };
  std::size_t begin = any(random, bytes.size());
  while (begin < bytes.size() && !is_digit(begin)) ++begin;
  std::size_t end = begin;
  while (end < bytes.size() && is_digit(end)) ++end;
  bytes.replace(begin, end - begin, numbers[any(random, std::size(numbers))]);
}

}  // namespace

std::string damaged(std::string bytes, std::uint64_t seed) {
  Random random(seed);
  const int wounds = random.integer(1, 4);
  for (int k = 0; k < wounds && !bytes.empty(); ++k) {
    const std::size_t at = any(random, bytes.size());
    const std::size_t size = 1 + any(random, std::min<std::size_t>(64, bytes.size() - at));
    switch (random.integer(0, 5)) {
      case 0:
        bytes.resize(at);
        break;
      case 1:
        bytes.erase(at, size);
        break;
      case 2:
        bytes.insert(any(random, bytes.size()), bytes.substr(at, size));
        break;
      case 3:
        bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ (1U << random.integer(0, 7)));
        break;
      default:
        change_number(random, bytes);
        break;
    }
  }
  return bytes;
}

}  // namespace limber::fuzz
