/* claude.h - the parts of the Claude Code adapter, for claude.c and tests.
 * All pure. */
#ifndef AFW_ADAPTERS_CLAUDE_H
#define AFW_ADAPTERS_CLAUDE_H

#include "adapters/adapter.h"

/* The events that the hooks are set for; NULL ends. */
extern const char *const claude_events[];

bool claude_hook(const char *event, const cJSON *payload, struct reading *out);
void claude_look(const struct rules *r, const struct view *v, struct look *out);
void claude_guard(const char *text, size_t len, struct buf *out);
bool claude_echoed(const struct rules *r, const struct view *before,
		   const struct view *now, const char *text, size_t len);

#endif
