#pragma once
// The keys of `solver` and `solver.contact`, a row each: the member that holds the value, what the scene language
// writes, and both presets. The structs here, the reader, used_scene.yaml and `--describe` are made of these rows, and
// the solver takes the structs as they are: a new constant is a row and its use.
//
//   REAL(member, unit, range, accurate, published, meaning)            a number
//   LIMIT(member, unit, range, accurate, published, meaning)           a number, or `none`: infinity
//   WHOLE(member, range, accurate, published, meaning)                 an integer
//   WORD(member, Type, first, second, accurate, published, meaning)    enum class Type { first, second }
//
// Ranges are those of io/scene/schema_rows.hpp.
#include <limits>

#include "core/types.hpp"

#define UNBARRED_SOLVER_KEYS(REAL, LIMIT, WHOLE, WORD)                                                               \
  WORD(hessian, Hessian, exact, projected, exact, projected,                                                         \
       "second derivatives of the elastic energy: exact, but projected in bodies where the system is not positive "  \
       "definite; or projected always")                                                                              \
  REAL(epsilon, "", fraction, 1e-3, 1e-3, "remaining share of the motion at which a step with contact ends")         \
  WHOLE(minimum_iterations, count_from_0, 1, 2,                                                                      \
        "Newton iterations a step, at least; default with friction and `step_end: motion`: 6")                       \
  WHOLE(maximum_iterations, count_from_1, 500, 500, "Newton iterations a step before the run gives up")              \
  REAL(accuracy, "", fraction, 0.02, 0.02,                                                                           \
       "error at which a step may end, of every body, relative to its motion in the step (square root of energies)") \
  WORD(step_end, StepEnd, balance, motion, balance, motion,                                                          \
       "a step with contact ends when forces are in balance; or when all motion is done")                            \
  REAL(lagging_fraction, "", share, 0, 0, "share of vertices that may stay unfinished")                              \
  WHOLE(audit, count_from_0, 0, 0, "intersection test every n steps; 0: never")

#define UNBARRED_CONTACT_KEYS(REAL, LIMIT, WHOLE, WORD)                                                               \
  WORD(warm_start, WarmStart, filtered, start, filtered, start,                                                       \
       "first guess of a step: predicted state, filtered and of least energy; or its start")                          \
  WORD(multiplier_update, MultiplierUpdate, active, all, active, all,                                                 \
       "active: multipliers of inactive pairs may fall, never rise; all: all pairs alike")                            \
  WORD(multiplier_share, MultiplierShare, search, whole, search, whole,                                               \
       "multipliers take the share of their update that the line search took of the step, or all of it")              \
  WORD(inactive_pairs, InactivePairs, predict, weigh, predict, weigh,                                                 \
       "those hold that a Newton step would run into; or all stay in the Hessian, by decay")                          \
  WORD(rehit, Rehit, keep, restore, keep, restore,                                                                    \
       "a known pair that is hit again is left alone, or its decay factor becomes 1")                                 \
  WORD(slide_off, SlideOff, hand_over, keep, hand_over, keep,                                                         \
       "multipliers follow what slides off a triangle or an edge, or stay where they are")                            \
  WORD(line_search, LineSearch, island, scene, island, scene,                                                         \
       "bodies that touch share a step length, or all of the scene do")                                               \
  WORD(translation, Translation, exact, solved, exact, solved,                                                        \
       "islands of free bodies take the exact translation of the linear system, or that of its approximate solution") \
  WORD(rotation, Rotation, turn, tangent, turn, tangent,                                                              \
       "Newton moves free bodies on the way of a rotation, or along its tangent")                                     \
  WORD(friction_stiffness, FrictionStiffness, secant, tangent, secant, tangent,                                       \
       "mollified friction takes its secant once the line search of its body fell short in a step; or never")         \
  WORD(small_gaps, SmallGaps, halve, keep, halve, keep,                                                               \
       "step filters keep half the least gap of a step's start where that is below `gap`; or always `gap`")           \
  LIMIT(                                                                                                              \
      offset_ramp, "contact offsets", not_negative, 0.1, none,                                                        \
      "a step may add this to a pair's gap, but no more than this share of the ways that gravity and a tenth of its " \
      "speed take it; none: up to the offset at once")                                                                \
  REAL(penalty_factor, "", positive, 1, 1, "penalty of a pair relative to the stiffness of what it joins")            \
  REAL(decay, "", factor, 0.9, 0.9, "multiplies the decay factor of an inactive pair each iteration")                 \
  REAL(least_decay, "", factor, 0.01, 0.01, "pairs whose decay factor is below it are dropped")                       \
  REAL(gap, "contact offsets", fraction, 0.01, 0.01, "gap that the step filter keeps")                                \
  REAL(ccd_slack, "", fraction, 0.1, 0.1, "share of a gap at which continuous detection stops")                       \
  LIMIT(ccd_largest_slack, "contact offsets", positive, 0.1, none, "at most this much of a gap; none: no limit")      \
  REAL(reach, "contact offsets", share, 0.5, 0,                                                                       \
       "pairs that Newton takes closer than that join; 0: only those that would collide")                             \
  WHOLE(exact_iterations, count_from_0, 6, 6,                                                                         \
        "iterations of a step with `hessian: exact`; later ones take projected second derivatives")                   \
  WHOLE(link_iterations, count_from_1, 6, 6, "iterations of a step in which all pairs are linearized anew, at least") \
  REAL(link_growth, "", not_negative, 0.15, 0.15, "and this over the accuracy, ...")                                  \
  WHOLE(most_link_iterations, count_from_1, 50, 50, "... up to so many; later only pairs that are hit again")         \
  REAL(friction_follow, "", factor, 0.5, 1,                                                                           \
       "share of the change of a normal force that its friction limit takes over an iteration after those")           \
  WHOLE(swing_iterations, count_from_1, 8, 8,                                                                         \
        "iterations of a step after which half steps are taken where Newton's method goes to and fro")                \
  WHOLE(squeeze_iterations, count_from_1, 20, 20,                                                                     \
        "iterations after which penalties of a step with motions, or of a body between two held ones, grow, ...")     \
  REAL(squeeze_factor, "", positive, 10, 10, "... by this factor, ...")                                               \
  REAL(squeeze_limit, "", positive, 1e4, 1e4, "... again and again up to this one")                                   \
  WHOLE(                                                                                                              \
      blocked_iterations, count_from_1, 4, 4,                                                                         \
      "iterations in a row below blocked_fraction after which an iterate at rest starts again at the feasible state") \
  REAL(blocked_fraction, "", factor, 1e-2, 1e-2, "least step fraction of all vertices")                               \
  WHOLE(fallback_iterations, count_from_1, 5, 5,                                                                      \
        "iterations in a row below stall_fraction after which the lazy filter takes one fraction for all, ...")       \
  REAL(fallback_share, "", factor, 0.1, 0.1, "... where its least fraction is below this share of that")              \
  WHOLE(stall_iterations, count_from_1, 50, 50,                                                                       \
        "iterations in a row below stall_fraction after which pairs in the way get another penalty and offset, ...")  \
  REAL(stall_factor, "", positive, 2, 2, "... times and divided by this factor")                                      \
  REAL(stall_fraction, "", factor, 1e-4, 1e-4, "step fraction; 0: the solver never adapts")                           \
  WHOLE(                                                                                                              \
      patience, count_from_1, 100, 100,                                                                               \
      "iterations after which a step is taken, and said to be unfinished, that is nearly in balance; after twice as " \
      "many one that gains no energy")

// Members of the structs.
#define UNBARRED_REAL_MEMBER(member, unit, range, accurate, published, meaning) Real member = accurate;
#define UNBARRED_WHOLE_MEMBER(member, range, accurate, published, meaning) int member = accurate;
#define UNBARRED_WORD_MEMBER(member, Type, first, second, accurate, published, meaning) \
  enum class Type { first, second } member = Type::accurate;

namespace unbarred {

/// The defaults are those of the preset `accurate`.
struct SolverKeys {
  UNBARRED_SOLVER_KEYS(UNBARRED_REAL_MEMBER, UNBARRED_REAL_MEMBER, UNBARRED_WHOLE_MEMBER, UNBARRED_WORD_MEMBER)
};

/// Constants of the contact solver (docs/method.md says what each does).
struct ContactConstants {
  static constexpr Real none = std::numeric_limits<Real>::infinity();
  UNBARRED_CONTACT_KEYS(UNBARRED_REAL_MEMBER, UNBARRED_REAL_MEMBER, UNBARRED_WHOLE_MEMBER, UNBARRED_WORD_MEMBER)
};

}  // namespace unbarred

#undef UNBARRED_REAL_MEMBER
#undef UNBARRED_WHOLE_MEMBER
#undef UNBARRED_WORD_MEMBER
