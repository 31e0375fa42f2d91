// A libFuzzer target for one reader: LIMBER_FUZZ_READER is its name.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "fuzz/exercise.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string wrong = limber::fuzz::exercise(LIMBER_FUZZ_READER, {reinterpret_cast<const char*>(data), size});
  if (wrong.empty()) return 0;
  std::fprintf(stderr, "%s\n", wrong.c_str());
  std::abort();
}
