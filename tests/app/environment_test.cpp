// Neither the language of the machine nor the number of threads changes a bit of the result.
#include <langinfo.h>
#include <locale.h>

#include "support/run_results.hpp"

namespace unbarred {
namespace {

using test::beam_scene;
using test::Launch;
using test::Outcome;
using test::run_program;
using test::Scratch;

/// The state after a run of the beam with 5,000 tetrahedra on 2 ranks under these variables.
test::SavedState state_under(const Scratch& scratch, const std::string& name, const std::string& setting) {
  const Launch launch{.ranks = 2, .environment = {setting}};
  const Outcome outcome =
      run_program(scratch, {"run", "scene.yaml", "--steps", "2", "parameters.n=6", "output.directory=" + name}, launch);
  if (outcome.code != 0) throw std::runtime_error(outcome.said());
  return test::last_state(scratch / name);
}

/// A locale of this machine that writes 1,5.
std::string comma_locale() {
  const Scratch scratch;
  std::stringstream names(test::Process(scratch.path(), {"locale", "-a"}).wait(20).out);
  for (std::string name; std::getline(names, name);) {
    const locale_t locale = ::newlocale(LC_ALL_MASK, name.c_str(), nullptr);
    if (!locale) continue;
    const bool comma = std::string(::nl_langinfo_l(RADIXCHAR, locale)) == ",";
    ::freelocale(locale);
    if (comma) return name;
  }
  return "";
}

TEST(Environment, AnyNumberOfThreadsGivesTheSameBits) {
  const Scratch scratch;
  scratch.file("scene.yaml", beam_scene);
  test::expect_same_bits(state_under(scratch, "one", "OMP_NUM_THREADS=1"),
                         state_under(scratch, "two", "OMP_NUM_THREADS=2"));
}

TEST(Environment, ALocaleWithDecimalCommasGivesTheSameBits) {
  const std::string locale = comma_locale();
  if (locale.empty()) GTEST_SKIP() << "no locale with a decimal comma is installed";
  const Scratch scratch;
  scratch.file("scene.yaml", beam_scene);
  test::expect_same_bits(state_under(scratch, "plain", "LC_ALL=C"), state_under(scratch, "comma", "LC_ALL=" + locale));
  EXPECT_EQ(test::steps_without_clocks(scratch / "plain"), test::steps_without_clocks(scratch / "comma"));
  EXPECT_EQ(test::text_of(scratch / "plain/frames/beam.pvd"), test::text_of(scratch / "comma/frames/beam.pvd"));
}

}  // namespace
}  // namespace unbarred
