// A symmetric positive definite matrix with one small block per frame; frames k, k+1 and k, k+2 are coupled by
// diagonals, and a block is a diagonal plus the square of a few rows. A row q of a frame and a row s of the next one
// may be linked: they are one row of both frames, for what depends on both.
//
//   M_kk = A_k = diag(d_k) + R_kᵀ R_k,   M_{k+1,k} = C_k = diag(c_k) + Σ_links s qᵀ,   M_{k+2,k} = diag(e_k)
//
// Its Cholesky factor has dense blocks L_k on the diagonal, U_k below and, below that, diag(e_k) L_k⁻ᵀ:
//
//   L_k L_kᵀ = A_k - U_{k-1} U_{k-1}ᵀ - V_{k-2} V_{k-2}ᵀ,   V_k = diag(e_k) L_k⁻ᵀ
//   U_k      = (C_k - V_{k-1} U_{k-1}ᵀ) L_k⁻ᵀ
//
// L_k⁻¹ and U_k are stored: two blocks per frame. A_k is recomputed instead of stored, which is faster than the memory
// traffic. About 4 n³ operations per frame.
#pragma once

#include <algorithm>
#include <ranges>
#include <vector>

#include "limber/base/vector.h"

namespace limber {

// R of all frames. Rows are added one by one and filled by the caller; entries beyond n stay zero.
class BandRows {
 public:
  void resize(int frames, int n, int max_rows);
  void clear(int frame) { count_[static_cast<std::size_t>(frame)] = 0; }
  bool is_full(int frame) const { return static_cast<std::size_t>(count(frame)) >= max_rows_; }
  // Adds a row; the caller sets every entry.
  double* add(int frame) { return values_.data() + offset(frame, count_[static_cast<std::size_t>(frame)]++); }
  int count(int frame) const { return count_[static_cast<std::size_t>(frame)]; }
  const double* row(int frame, int row) const { return values_.data() + offset(frame, row); }

  // Links a row of a frame to one of the next.
  struct Link {
    int frame, row, next_row;
  };
  void link(const Link& link) { links_.insert(std::ranges::upper_bound(links_, link.frame, {}, &Link::frame), link); }
  bool has_links() const { return !links_.empty(); }
  std::ranges::borrowed_subrange_t<const std::vector<Link>&> links_of(int frame) const {
    return std::ranges::equal_range(links_, frame, {}, &Link::frame);
  }
  void unlink() { links_.clear(); }
  // Takes back the rows and links that were added since.
  struct Mark {
    std::vector<int> count;
    std::vector<Link> links;
  };
  Mark mark() const { return {count_, links_}; }
  void reset(const Mark& mark) {
    count_ = mark.count;
    links_ = mark.links;
  }

 private:
  std::size_t offset(int frame, int row) const {
    return (static_cast<std::size_t>(frame) * max_rows_ + static_cast<std::size_t>(row)) * stride_;
  }

  std::size_t max_rows_ = 0, stride_ = 0;
  std::vector<double> values_;
  std::vector<int> count_;
  std::vector<Link> links_;
};

class Band {
 public:
  void resize(int frames, int n);
  int frames() const { return frames_; }
  int size() const { return n_; }

  MatX diagonal, next, after;  // d, c and e, one column per frame; the last one of c and two of e are unused

  // Fixes x_i of a frame to 0: its row and column become those of the identity. In the order of frames.
  struct Fixed {
    int i;
    int frame;
  };
  void fix(int i, int frame) { fixed_.push_back({i, frame}); }
  void free_all() { fixed_.clear(); }
  const std::vector<Fixed>& fixed() const { return fixed_; }
  // (M x)_i for each fixed variable, with the original row of M; x is 0 in all fixed variables.
  void fixed_rows_times(const BandRows& rows, const MatX& x, std::vector<double>& out) const;

  // Solves M x = b in place, one column per frame, with the damping added to d; b is ignored for fixed variables. False
  // if the matrix is numerically not positive definite.
  bool solve(const BandRows& rows, double damping, MatX& b);

 private:
  double* inverse(int frame) { return inverses_.data() + static_cast<std::size_t>(frame) * area_; }
  double* below(int frame) { return below_.data() + static_cast<std::size_t>(frame) * area_; }
  std::size_t set_block(int frame, const BandRows& rows, double damping, std::size_t first_fixed);
  void set_below(int frame, const BandRows& rows);
  void add_links(int frame, const BandRows& rows);
  void forward(int frame, MatX& b);
  void backward(int frame, MatX& b);

  int frames_ = 0, n_ = 0, stride_ = 0;
  std::size_t area_ = 0;
  std::vector<double> inverses_;  // L_k⁻¹
  std::vector<double> below_;     // U_k
  std::vector<Fixed> fixed_;
  MatX next_, after_;                                            // without fixed variables
  Eigen::Array<bool, Eigen::Dynamic, Eigen::Dynamic> is_fixed_;  // one column per frame; empty without links
  std::vector<double> block_, upper_[2], cross_;                 // scratch: A_k, V of the last two frames, and C_k
  VecX y_, z_, pulled_[2];                                       // of size stride; L_k⁻ᵀ b_k of the last two frames
};

}  // namespace limber
