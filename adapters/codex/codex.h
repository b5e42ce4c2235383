/* codex.h - the parts of the Codex adapter, for codex.c and tests. Pure, except
 * codex_record.c. */
#ifndef AFW_ADAPTERS_CODEX_CODEX_H
#define AFW_ADAPTERS_CODEX_CODEX_H

#include "adapters/adapter.h"

/* codex_record.c: its rollout files, and how it logs in. dir is $CODEX_HOME
 * or ~/.codex. */
extern const struct record_kind codex_record;
void codex_auth(const char *const *env, struct auth *out);

#endif
