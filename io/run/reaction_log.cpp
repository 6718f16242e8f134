#include "io/run/reaction_log.hpp"

namespace unbarred {

static constexpr std::string_view head = "step,time,motion,force_x,force_y,force_z,moment_x,moment_y,moment_z\n";

ReactionLog::ReactionLog(std::filesystem::path file, const Communicator& communicator,
                         std::vector<std::string> motion_names, std::optional<std::int64_t> resumed_step)
    : file_(std::move(file), head, communicator, resumed_step), motions_(std::move(motion_names)) {
  for (std::string& name : motions_) name = csv_text(name);
}

void ReactionLog::append(std::int64_t step, Real time, const std::vector<Reaction>& reactions) const {
  std::string lines;
  for (const Reaction& reaction : reactions)
    lines += csv_step(step, time) + "," + motions_.at(reaction.motion) + csv_vector(reaction.force) +
             csv_vector(reaction.moment) + "\n";
  file_.append(lines);
}

}  // namespace unbarred
