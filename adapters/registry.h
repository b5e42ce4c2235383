/* registry.h - the adapters' structs, for the registry and their tests. */
#ifndef AFW_ADAPTERS_REGISTRY_H
#define AFW_ADAPTERS_REGISTRY_H

#include "adapters/adapter.h"

extern const struct adapter adapter_claude;
extern const struct adapter adapter_codex;
extern const struct adapter adapter_gemini;
extern const struct adapter adapter_opencode;
extern const struct adapter adapter_generic, adapter_hooked;

#endif
