#include "io/run/contact_log.hpp"

namespace unbarred {

static constexpr std::string_view head =
    "step,time,body_a,body_b,normal_x,normal_y,normal_z,friction_x,friction_y,friction_z\n";

ContactLog::ContactLog(std::filesystem::path file, const Communicator& communicator,
                       std::vector<std::string> body_names, std::optional<std::int64_t> resumed_step)
    : file_(std::move(file), head, communicator, resumed_step), bodies_(std::move(body_names)) {
  for (std::string& name : bodies_) name = csv_text(name);
}

void ContactLog::append(std::int64_t step, Real time, const std::vector<BodyForce>& forces) const {
  std::string lines;
  for (const BodyForce& force : forces)
    lines += csv_step(step, time) + "," + bodies_.at(static_cast<std::size_t>(force.body_a)) + "," +
             bodies_.at(static_cast<std::size_t>(force.body_b)) + csv_vector(force.normal) +
             csv_vector(force.friction) + "\n";
  file_.append(lines);
}

}  // namespace unbarred
