// Links what compiles while a program runs.
#include <vkprim/compiler.h>

int main() {
    vkprim::OperationCache  cache;
    vkprim::OperationSource source;
    source.text = "Element identity();";
    return vkprim::compile({}, source, &cache) ? 1 : 0; // there is no device
}
