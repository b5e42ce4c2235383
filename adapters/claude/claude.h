/* claude.h - the parts of the Claude Code adapter, for claude.c and tests.
 * Pure, except claude_record.c. */
#ifndef AFW_ADAPTERS_CLAUDE_CLAUDE_H
#define AFW_ADAPTERS_CLAUDE_CLAUDE_H

#include "adapters/adapter.h"
#include "adapters/hook.h"

/* Reads a hook event of Claude Code, Codex, or an agent whose events have the
 * same members. An event of a sub-agent
 * (agent_id) sets no conversation, and a sub-agent's prompt or stop is
 * ignored. */
bool claude_hook(const struct rules *r, const char *event, const cJSON *payload,
		 struct reading *out);
void claude_read_screen(const struct rules *r, const struct screen_view *v,
			struct screen_state *out);
/* Finds the dialog on a screen without a composer, and what it asks. */
void claude_dialog(const struct rules *r, const struct screen_view *v,
		   struct screen_state *out);
#define CLAUDE_PROMPT "❯"
bool claude_is_rule(const char *row, int cols); /* full width, maybe labelled */
bool claude_echoed(const struct rules *r, const struct screen_view *before,
		   const struct screen_view *now, const char *text, size_t len);

/* claude_record.c: its transcripts, and how it logs in. dir is
 * $CLAUDE_CONFIG_DIR or ~/.claude. */
extern const struct record_kind claude_record;
void claude_auth(const char *const *env, struct auth *out);

#endif
