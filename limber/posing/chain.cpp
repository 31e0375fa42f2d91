// The joints that move for a grip.                                                                        W93 6.2
#include "limber/posing/posing.h"

namespace limber {

namespace {

int freedoms_of(const Figure& figure, int segment) {
  const Joint& joint = figure.joints()[static_cast<std::size_t>(segment)];
  return joint.freedom_end - joint.freedom_begin;
}

// Rigid leaves do not count: they are details of what carries them.
int moving_children(const Figure& figure, int segment) {
  const std::vector<Segment>& segments = figure.segments();
  int count = 0;
  for (int child = segment + 1; child < segments[static_cast<std::size_t>(segment)].subtree_end;
       child = segments[static_cast<std::size_t>(child)].subtree_end)
    count += freedoms_of(figure, child) > 0 || segments[static_cast<std::size_t>(child)].subtree_end > child + 1;
  return count;
}

}  // namespace

int chain_start(const Figure& figure, int segment, GripChain chain) {
  if (chain == GripChain::body) return no_parent;
  const auto parent = [&](int s) { return figure.segments()[static_cast<std::size_t>(s)].parent; };
  int at = segment;
  while (freedoms_of(figure, at) == 0 && parent(at) != no_parent) at = parent(at);
  if (chain == GripChain::part) return at;
  while (parent(at) != no_parent && parent(parent(at)) != no_parent && moving_children(figure, parent(at)) < 2)
    at = parent(at);
  return at;
}

}  // namespace limber
