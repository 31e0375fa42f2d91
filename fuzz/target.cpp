// The libFuzzer target for all readers. The environment variable LIMBER_FUZZ_READER names the one to run, also for the
// processes that libFuzzer starts itself. Without it, the target lists the readers.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "fuzz/exercise.h"

namespace {
const char* reader = nullptr;
}

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  reader = std::getenv("LIMBER_FUZZ_READER");
  if (reader) return 0;
  for (const std::string& name : limber::fuzz::readers()) std::puts(name.c_str());
  std::exit(0);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string wrong = limber::fuzz::exercise(reader, {reinterpret_cast<const char*>(data), size});
  if (wrong.empty()) return 0;
  std::fprintf(stderr, "%s\n", wrong.c_str());
  std::abort();
}
