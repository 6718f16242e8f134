// One test a rule of where a step with contact ends, and of what is asked for it.
#include "dynamics/step/step_end.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace unbarred {
namespace {

using Ends = SolverKeys::StepEnd;

/// What is asked costs collectives and changes kept state, so a question that does not matter is an error.
bool not_to_be_asked() { throw std::logic_error("asked where it does not matter"); }
bool yes() { return true; }
bool no() { return false; }

class StepEnd : public testing::Test {
 protected:
  StepEnd() {
    keys.minimum_iterations = 3;
    keys.maximum_iterations = 500;
    keys.step_end = Ends::balance;
    constants.patience = 100;
    constants.blocked_iterations = 4;
    constants.stall_iterations = 50;
    progress.iteration = 10;
    progress.fair = progress.keeps_energy = progress.gains_energy = not_to_be_asked;
  }
  /// All that an end in balance needs, in a scene that loses energy.
  void balance() {
    keys.step_end = Ends::balance;
    progress.whole = progress.finished = progress.balanced = true;
    progress.gains_energy = no;
  }
  /// All motion is done, and nothing else.
  void finish_motion() {
    keys.step_end = Ends::motion;
    progress.finished = true;
    progress.gains_energy = no;
  }
  /// All motion is done, but the step is not in balance after `iterations`.
  void wait(int iterations) {
    progress.iteration = iterations;
    progress.finished = true;
  }
  StepDecision decision() const { return decide(progress, keys, constants); }
  bool reduces() const { return reduces_remaining(progress, keys, constants); }

  StepProgress progress;
  SolverKeys keys;
  ContactConstants constants;
};

TEST_F(StepEnd, GoesOnWhileNothingHasHappened) { EXPECT_EQ(decision(), StepDecision::go_on); }

TEST_F(StepEnd, OfMotionIsWhereAllMotionIsDoneWhateverTheBalance) {
  finish_motion();
  EXPECT_EQ(decision(), StepDecision::done);
}

TEST_F(StepEnd, OfBalanceIsWhereAWholeStepLeavesAllInBalance) {
  balance();
  EXPECT_EQ(decision(), StepDecision::done);
}

TEST_F(StepEnd, OfBalanceIsNotAfterAShortStep) {
  balance();
  progress.whole = false;
  progress.gains_energy = not_to_be_asked;
  EXPECT_EQ(decision(), StepDecision::go_on);
}

TEST_F(StepEnd, OfBalanceIsNotWhereATestOfItFails) {
  balance();
  progress.balanced = false;
  progress.gains_energy = not_to_be_asked;
  EXPECT_EQ(decision(), StepDecision::go_on);
}

TEST_F(StepEnd, IsNotBeforeTheLeastIterations) {
  for (const bool of_motion : {true, false}) {
    of_motion ? finish_motion() : balance();
    progress.iteration = keys.minimum_iterations - 1;
    progress.gains_energy = not_to_be_asked;
    EXPECT_EQ(decision(), StepDecision::go_on) << of_motion;
    progress.iteration = keys.minimum_iterations;
    progress.gains_energy = no;
    EXPECT_EQ(decision(), StepDecision::done) << of_motion;
  }
}

TEST_F(StepEnd, IsNotBeforeTheLeastIterationsHoweverSmallThePatience) {
  constants.patience = 1;
  keys.minimum_iterations = 20;
  wait(19);
  EXPECT_EQ(decision(), StepDecision::go_on);
  wait(20);
  progress.fair = yes;
  progress.gains_energy = no;
  EXPECT_EQ(decision(), StepDecision::done);
}

TEST_F(StepEnd, IsNotWhileMotionIsLeft) {
  for (const Ends ends : {Ends::motion, Ends::balance})
    for (const int iterations : {10, 100, 200, 499}) {
      balance();
      keys.step_end = ends;
      progress.iteration = iterations;
      progress.finished = false;
      progress.gains_energy = not_to_be_asked;
      EXPECT_EQ(decision(), StepDecision::go_on) << iterations;
    }
}

TEST_F(StepEnd, IsTakenAfterPatienceWhereIslandsAreFair) {
  wait(100);
  progress.fair = yes;
  progress.gains_energy = no;
  EXPECT_EQ(decision(), StepDecision::done);
}

TEST_F(StepEnd, IsNotTakenAfterPatienceWhereIslandsAreNotFair) {
  wait(199);
  progress.fair = no;
  EXPECT_EQ(decision(), StepDecision::go_on);
}

TEST_F(StepEnd, AsksNobodyForMercyBeforePatienceEnds) {
  wait(99);
  EXPECT_EQ(decision(), StepDecision::go_on);
}

TEST_F(StepEnd, IsTakenAfterTwicePatienceWhereNoEnergyIsGained) {
  wait(200);
  progress.fair = no;
  progress.keeps_energy = yes;
  progress.gains_energy = no;
  EXPECT_EQ(decision(), StepDecision::done);
}

TEST_F(StepEnd, IsNotTakenAfterTwicePatienceWhereEnergyIsGained) {
  wait(200);
  progress.fair = no;
  progress.keeps_energy = no;
  EXPECT_EQ(decision(), StepDecision::go_on);
}

TEST_F(StepEnd, AsksForTheEnergyOnlyWhereIslandsAreNotFair) {
  wait(200);
  progress.fair = yes;
  progress.gains_energy = no;
  EXPECT_EQ(decision(), StepDecision::done);
}

TEST_F(StepEnd, AsksForNoMercyInBalance) {
  balance();
  progress.iteration = 250;
  EXPECT_EQ(decision(), StepDecision::done);
}

TEST_F(StepEnd, OfMotionNeedsNoPatience) {
  finish_motion();
  progress.iteration = 250;
  EXPECT_EQ(decision(), StepDecision::done);
}

TEST_F(StepEnd, FailsAtTheMostIterations) {
  progress.iteration = 499;
  EXPECT_EQ(decision(), StepDecision::go_on);
  for (const int iterations : {500, 501}) {
    progress.iteration = iterations;
    EXPECT_EQ(decision(), StepDecision::fail) << iterations;
  }
}

TEST_F(StepEnd, FailsRatherThanTryAgainAtTheMostIterations) {
  progress.iteration = 500;
  progress.stalled = progress.blocked = 500;
  progress.at_rest = true;
  EXPECT_EQ(decision(), StepDecision::fail);
}

TEST_F(StepEnd, MayComeInTheLastIteration) {
  balance();
  progress.iteration = 500;
  EXPECT_EQ(decision(), StepDecision::done);
}

TEST_F(StepEnd, BeginsAgainOnceWhereEnergyIsGained) {
  for (const bool of_motion : {true, false}) {
    of_motion ? finish_motion() : balance();
    progress.gains_energy = yes;
    progress.restarted = false;
    EXPECT_EQ(decision(), StepDecision::begin_again) << of_motion;
    progress.restarted = true;
    EXPECT_EQ(decision(), StepDecision::done_with_gain) << of_motion;
  }
}

TEST_F(StepEnd, BeginsAgainWhereWhatPatienceTakesGainsEnergy) {
  wait(100);
  progress.fair = progress.gains_energy = yes;
  EXPECT_EQ(decision(), StepDecision::begin_again);
}

TEST_F(StepEnd, IsJustDoneAfterARestartWithoutGain) {
  balance();
  progress.restarted = true;
  EXPECT_EQ(decision(), StepDecision::done);
}

TEST_F(StepEnd, AdaptsPairsOnceItStalls) {
  for (const Ends ends : {Ends::motion, Ends::balance}) {
    keys.step_end = ends;
    progress.stalled = 49;
    EXPECT_EQ(decision(), StepDecision::go_on);
    progress.stalled = 50;
    EXPECT_EQ(decision(), StepDecision::adapt);
  }
}

TEST_F(StepEnd, AdaptsBeforeItStartsAtTheFeasibleState) {
  progress.stalled = progress.blocked = 50;
  progress.at_rest = true;
  EXPECT_EQ(decision(), StepDecision::adapt);
}

TEST_F(StepEnd, ComesBeforeAllHelpForWhatIsStuck) {
  balance();
  progress.stalled = progress.blocked = 50;
  progress.at_rest = true;
  EXPECT_EQ(decision(), StepDecision::done);
}

TEST_F(StepEnd, StartsAtTheFeasibleStateWhereARestingIterateIsBlocked) {
  progress.at_rest = true;
  progress.blocked = 3;
  EXPECT_EQ(decision(), StepDecision::go_on);
  progress.blocked = 4;
  EXPECT_EQ(decision(), StepDecision::start_at_feasible);
}

TEST_F(StepEnd, LeavesABlockedIterateThatStillMoves) {
  progress.blocked = 40;
  EXPECT_EQ(decision(), StepDecision::go_on);
}

TEST_F(StepEnd, OfMotionNeverStartsAtTheFeasibleState) {
  keys.step_end = Ends::motion;
  progress.at_rest = true;
  progress.blocked = 40;
  EXPECT_EQ(decision(), StepDecision::go_on);
}

TEST_F(StepEnd, OfBalanceReducesWhatRemainsInWholeStepsUntilPatienceEnds) {
  for (const int iterations : {0, 2, 99}) {
    progress.iteration = iterations;
    progress.targets_reached = false;
    progress.whole = true;
    EXPECT_TRUE(reduces()) << iterations;
    progress.targets_reached = true;
    progress.whole = false;
    EXPECT_FALSE(reduces()) << iterations;
  }
}

TEST_F(StepEnd, OfBalanceReducesWhatRemainsInAnyStepAfterPatience) {
  progress.iteration = 100;
  for (const bool whole : {true, false}) {
    progress.whole = whole;
    progress.targets_reached = true;
    EXPECT_TRUE(reduces()) << whole;
    progress.targets_reached = false;
    EXPECT_FALSE(reduces()) << whole;
  }
}

TEST_F(StepEnd, OfMotionReducesWhatRemainsFromTheLeastIterationsOnceTargetsAreReached) {
  keys.step_end = Ends::motion;
  for (const bool whole : {true, false}) {
    progress.whole = whole;
    progress.targets_reached = true;
    progress.iteration = 2;
    EXPECT_FALSE(reduces()) << whole;
    progress.iteration = 3;
    EXPECT_TRUE(reduces()) << whole;
    progress.targets_reached = false;
    EXPECT_FALSE(reduces()) << whole;
  }
}

}  // namespace
}  // namespace unbarred
