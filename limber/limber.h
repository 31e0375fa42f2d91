// Limber: inverse kinematics for articulated figures. Everything that a program needs.
#pragma once

#include "limber/base/diagnostic.h"
#include "limber/base/vector.h"
#include "limber/figure/figure.h"
#include "limber/figure/human.h"
#include "limber/format/file.h"
#include "limber/format/names.h"
#include "limber/format/scene.h"
#include "limber/goal/goal.h"
#include "limber/kinematics/forward.h"
#include "limber/kinematics/handle.h"
#include "limber/kinematics/reroot.h"
#include "limber/motion/limits.h"
#include "limber/motion/track.h"
#include "limber/picture/picture.h"
#include "limber/problem/problem.h"
#include "limber/solver/solve.h"
