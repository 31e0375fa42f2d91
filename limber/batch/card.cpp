#include "limber/batch/card.h"

#include <cstdlib>
#include <vector>
#ifndef __wasm__
#include <dlfcn.h>
#endif

namespace limber {

namespace {

Expected<const CudaModule*> cuda_module() {
#ifdef __wasm__
  return reject("GPU", "WebAssembly, which has no access to one", "a native program");
#else
  // Named, beside the program or module that contains this code, or where the system looks for libraries.
  std::vector<std::string> files;
  if (const char* named = std::getenv("LIMBER_CUDA")) {
    files = {named};
  } else {
    const std::string file = "liblimber_cuda.so";
    Dl_info own{};
    if (dladdr(reinterpret_cast<const void*>(&limber_cuda_symbol), &own) != 0 && own.dli_fname) {
      const std::string path = own.dli_fname;
      const std::size_t end = path.rfind('/');
      const std::string folder = end == std::string::npos ? "." : path.substr(0, end);
      files = {folder + "/" + file, folder + "/../lib/" + file};
    }
    files.push_back(file);
  }
  for (const std::string& file : files) {
    // Never closed: a driver leaves threads behind.
    void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) continue;
    void* const symbol = dlsym(handle, limber_cuda_symbol);
    if (!symbol) return reject("GPU", file + " without " + limber_cuda_symbol, "the module of this library");
    const CudaModule* const module = reinterpret_cast<const CudaModule* (*)()>(symbol)();
    if (module->version != cuda_module_version)
      return reject("GPU", file + " of another version of this library", "the module of this version");
    return module;
  }
  return reject("GPU", "no " + files.front(), "liblimber_cuda.so beside the program, or its path in LIMBER_CUDA");
#endif
}

}  // namespace

Expected<CardWorkspace> CardWorkspace::open(std::size_t thread) {
  const Expected<const CudaModule*> module = cuda_module();
  if (!module) return std::unexpected(module.error());
  const char* why = "none on this machine";
  const int cards = (*module)->cards(&why);
  if (cards == 0) return reject("GPU", why, "a card and its driver");
  const int card = static_cast<int>(thread % static_cast<std::size_t>(cards));
  void* const workspace = (*module)->open(card, &why);
  if (!workspace) return reject("GPU " + std::to_string(card), why, "a card that is free");
  char name[256] = "";
  (*module)->name(card, name, sizeof(name));
  return CardWorkspace(**module, workspace, name);
}

}  // namespace limber
