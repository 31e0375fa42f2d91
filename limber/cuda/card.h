// The card as module.cu sees it: memory, copies, and kernels, which are structs with an operator() for one thread. By
// g++ the same source runs on the processor instead, one thread after the other: the twin that tests use.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>

namespace limber {

#ifdef __CUDACC__

// Threads of a block, and how many blocks a multiprocessor should have room for.
template <class Body>
__global__ void __launch_bounds__(Body::threads, Body::blocks) run(const __grid_constant__ Body body) {
  body(blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x);
}

#endif

class Card {
 public:
  static int count(const char** why) {
#ifdef __CUDACC__
    int cards = 0;
    const cudaError_t error = cudaGetDeviceCount(&cards);
    if (error != cudaSuccess) *why = cudaGetErrorString(error);
    return error == cudaSuccess ? cards : 0;
#else
    static_cast<void>(why);
    return 1;
#endif
  }

  static void name(int card, char* name, int size) {
#ifdef __CUDACC__
    cudaDeviceProp properties;
    const char* text = cudaGetDeviceProperties(&properties, card) == cudaSuccess ? properties.name : "";
#else
    static_cast<void>(card);
    const char* text = "the processor, in place of a GPU";
#endif
    std::strncpy(name, text, static_cast<std::size_t>(size) - 1);
    name[size - 1] = '\0';
  }

  explicit Card(int number) : number_(number) {
#ifdef __CUDACC__
    note(cudaSetDevice(number_));
    note(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    note(cudaEventCreate(&started_));
    note(cudaEventCreate(&ended_));
#endif
  }

  ~Card() {
#ifdef __CUDACC__
    cudaSetDevice(number_);
    for (const Block& block : blocks_) cudaFree(block.at);
    cudaEventDestroy(started_);
    cudaEventDestroy(ended_);
    cudaStreamDestroy(stream_);
#else
    for (const Block& block : blocks_) ::operator delete(block.at, alignment);
#endif
  }
  Card(const Card&) = delete;
  Card& operator=(const Card&) = delete;

  // Begins a call: what is in `stream` comes first. Forgets former errors and lists.
  void begin(void* stream) {
    used_ = 0;
    error_ = nullptr;
    is_timed_ = false;
#ifdef __CUDACC__
    note(cudaSetDevice(number_));
    if (!stream) return;
    note(cudaEventRecord(started_, static_cast<cudaStream_t>(stream)));
    note(cudaStreamWaitEvent(stream_, started_, 0));
#else
    static_cast<void>(stream);
#endif
  }

  // Memory on the card until the next begin().
  template <class T>
  T* room(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (used_ == max_blocks) {
      error_ = "too many lists";
      return nullptr;
    }
    Block& block = blocks_[used_++];
    if (const std::size_t bytes = count * sizeof(T); block.bytes < bytes) grow(block, bytes + bytes / 4);
    return static_cast<T*>(block.at);
  }

  template <class T>
  const T* copy_of(const T* from, std::size_t count) {
    T* const to = room<T>(count);
    copy(to, from, count);
    return to;
  }

  template <class T>
  void copy(T* to, const T* from, std::size_t count) {
    if (error_ || count == 0) return;
#ifdef __CUDACC__
    note(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDefault, stream_));
#else
    std::memcpy(to, from, count * sizeof(T));
#endif
  }

  template <class T>
  void clear(T* at, std::size_t count) {
    if (error_) return;
#ifdef __CUDACC__
    note(cudaMemsetAsync(at, 0, count * sizeof(T), stream_));
#else
    std::memset(static_cast<void*>(at), 0, count * sizeof(T));
#endif
  }

  // At most so many threads; without a number, as many as the card has room for.
  template <class Body>
  void launch(const Body& body, long threads = -1) {
    if (error_) return;
#ifdef __CUDACC__
    int processors = 0, blocks = 0;
    note(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, number_));
    note(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, run<Body>, Body::threads, 0));
    long all = static_cast<long>(processors) * blocks;
    if constexpr (Body::is_resident)
      all = static_cast<long>(processors) * (blocks < Body::max_resident ? blocks : Body::max_resident);
    const long needed = (threads + Body::threads - 1) / Body::threads;
    if (threads >= 0 && (!Body::is_resident || needed < all)) all = needed;
    if (all == 0) return;
    run<Body><<<static_cast<unsigned>(all), Body::threads, 0, stream_>>>(body);
    note(cudaGetLastError());
#else
    const long all = threads >= 0 && !Body::is_resident ? threads : 1;
    for (long thread = 0; thread < all; ++thread) body(static_cast<unsigned>(thread), static_cast<unsigned>(all));
#endif
  }

  // Bytes that are free on the card.
  std::size_t free_memory() {
#ifdef __CUDACC__
    std::size_t free = 0, all = 0;
    note(cudaSetDevice(number_));
    note(cudaMemGetInfo(&free, &all));
    return free;
#else
    return std::size_t{1} << 30;
#endif
  }

  void start_clock() {
#ifdef __CUDACC__
    is_timed_ = true;
    if (!error_) note(cudaEventRecord(started_, stream_));
#endif
  }
  void stop_clock() {
#ifdef __CUDACC__
    if (!error_) note(cudaEventRecord(ended_, stream_));
#endif
  }
  // Waits for all work. The seconds between the two calls above.
  double wait() {
    float milliseconds = 0.0F;
#ifdef __CUDACC__
    note(cudaStreamSynchronize(stream_));
    if (!error_ && is_timed_) note(cudaEventElapsedTime(&milliseconds, started_, ended_));
#endif
    return 1e-3 * static_cast<double>(milliseconds);
  }

  void fail(const char* why) {
    if (!error_) error_ = why;
  }
  // What went wrong first since begin(), or null.
  const char* error() const { return error_; }

 private:
  struct Block {
    void* at = nullptr;
    std::size_t bytes = 0;
  };
  static constexpr int max_blocks = 32;

  void grow(Block& block, std::size_t bytes) {
#ifdef __CUDACC__
    // Work that uses the former memory may still run.
    note(cudaStreamSynchronize(stream_));
    note(cudaFree(block.at));
    block = {};
    note(cudaMalloc(&block.at, bytes));
#else
    ::operator delete(block.at, alignment);
    block.at = ::operator new(bytes, alignment);
#endif
    if (!error_) block.bytes = bytes;
  }

#ifdef __CUDACC__
  void note(cudaError_t error) {
    if (error != cudaSuccess && !error_) error_ = cudaGetErrorString(error);
  }
  cudaStream_t stream_ = nullptr;
  cudaEvent_t started_ = nullptr, ended_ = nullptr;
#else
  static constexpr std::align_val_t alignment{64};
#endif

  [[maybe_unused]] int number_;
  Block blocks_[max_blocks];
  int used_ = 0;
  [[maybe_unused]] bool is_timed_ = false;
  const char* error_ = nullptr;
};

}  // namespace limber
