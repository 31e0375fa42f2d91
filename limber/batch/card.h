// The GPUs of this machine, by liblimber_cuda.so, if it is there.
#pragma once

#include <memory>
#include <string>

#include "limber/base/diagnostic.h"
#include "limber/cuda/module.h"

namespace limber {

// A workspace on a card, for one thread at a time.
class CardWorkspace {
 public:
  // Of thread number `thread`: the threads take the cards in turn. An error is a sentence in `found`.
  static Expected<CardWorkspace> open(std::size_t thread);

  // Null, or what went wrong.
  const char* solve(CudaCall& call) { return module_->solve(workspace_.get(), call); }
  const char* run(CudaTrial& trial) { return module_->run(workspace_.get(), trial); }
  const std::string& name() const { return name_; }

 private:
  CardWorkspace(const CudaModule& module, void* workspace, std::string name)
      : module_(&module), workspace_(workspace, module.close), name_(std::move(name)) {}

  const CudaModule* module_;
  std::unique_ptr<void, void (*)(void*)> workspace_;
  std::string name_;
};

}  // namespace limber
