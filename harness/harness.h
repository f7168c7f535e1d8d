// What the program and the tests share: how each primitive is proven and measured.
//
// One file per primitive registers a Subject: its cases against its CPU reference, and its benchmarks. There is no list of them.
#pragma once

#include "bench.h"
#include "contract.h"
#include "model.h"
#include "verifier.h"

namespace vkprim::harness {

/// Where tests have no time for all cases: beginnings of the names of those that they run, without the subject's. Empty: all.
struct Selection {
    std::vector<std::string> accesses;     ///< while each access is checked
    std::vector<std::string> levels;       ///< on every lesser device
    std::vector<std::string> other_levels; ///< besides, on those without subgroups, and without waiting
    std::vector<std::string> faults;       ///< with faults, of subjects whose tiles look back; and with prefetch
};

struct Subject {
    std::string                    name;   ///< "reduce"
    std::function<void(Verifier&)> verify; ///< may be empty
    std::vector<BenchDesc>         benches;
    std::vector<Tunable>           tunables  = {}; ///< in the order in which they are tuned
    Property                       property  = {}; ///< may be empty
    std::vector<Contract>          contracts = {}; ///< of some variants; none: of one, with nothing said
    std::vector<Rounding>          rounding  = {};
    Selection                      selection = {};
};

/// All subjects, by name.
const std::vector<Subject>& subjects();

/// Registers a subject from a namespace-scope variable.
struct Registration {
    explicit Registration(Subject subject);
};

} // namespace vkprim::harness
