// Random cases: a few operations one after the other on the same scratch, drawn from a seed, written as one line, and made
// smaller where they fail. Each subject's Property says what is particular to it.
#pragma once

#include "harness.h"

namespace vkprim::harness {

/// One operation. As text: "scan f32 add exclusive count=4097 bound=9000 offset=4,8 in-place data=random,7".
struct Step {
    const Subject* subject = nullptr;
    std::string    variant;          ///< as the subject's Property has it
    uint32_t       count        = 0; ///< elements
    uint32_t       bound        = 0; ///< Args::count, with `count` on the GPU; 0: `count` comes from the host
    uint32_t       input_offset = 0, output_offset = 0; ///< bytes behind a multiple of 64; equal where in_place is set
    bool           in_place = false;
    uint32_t       parts    = 1; ///< in which it is recorded
    Data           data     = Data::random;
    uint32_t       seed     = 0; ///< of the data

    std::string name() const { return subject->name + " " + variant; }
    Model       model() const; ///< of a variant that there is
};

/// The last is the case itself, those before it are what ran before on the same scratch. As text: with "; " between.
using Case = std::vector<Step>;

std::string text_of(const Step& step);
std::string text_of(const Case& steps);

/// Reads what text_of() wrote. An error with ErrorKind::invalid_desc and a reason where it cannot be run.
Result<Case> read_case(const std::string& text);

struct VariantsDesc {
    uint64_t    seed = 1;
    std::string only;      ///< variants whose name, with the subject's before it, begins with this; empty for all
    uint32_t    most = 64; ///< of each subject: drivers take up to seconds to create one
};

/// What steps are drawn from: for each subject some of its variants, or all where they are no more than that.
class Variants {
public:
    /// With `info`, only those that the device can do.
    explicit Variants(const VariantsDesc& desc, const runtime::Device* device = nullptr);

    /// A step with at most `largest` elements, mostly far fewer. There must be a variant.
    Step draw(Random& random, uint32_t largest) const;

    /// Each variant once, in steps of no elements.
    const std::vector<Step>& all() const { return all_; }

private:
    std::vector<std::vector<Step>> by_subject_;
    std::vector<Step>              all_;
};

/// One to four steps: case number `number` of a seed.
Case draw_case(const Variants& variants, uint64_t seed, uint64_t number, uint32_t largest);

/// Cases to try instead of one that fails, those that leave out most first. None of them is larger in anything.
std::vector<Case> simpler(const Case& steps);

/// What is wrong with the outcome of a case; empty where nothing is.
using Judge = std::function<std::string(const Case& steps)>;

struct ShrinkLimits {
    uint32_t runs    = 3000;
    double   seconds = 60;
};

struct Shrunk {
    Case        smallest;
    std::string what; ///< is wrong with it
    uint32_t    runs     = 0;
    bool        complete = false; ///< nothing simpler fails; else a limit was met
};

/// Greedily the first simpler case that fails, until none does. `failing` must fail in the way that `what` says.
Shrunk shrink(const Case& failing, const std::string& what, const Judge& judge, const ShrinkLimits& limits = {});

} // namespace vkprim::harness
