/*
 * adapter_type.h - struct adapter: what each adapter defines for its harness.
 * adapter.h lists what else a new adapter needs.
 */
#ifndef AFW_ADAPTERS_ADAPTER_TYPE_H
#define AFW_ADAPTERS_ADAPTER_TYPE_H

#include <stdbool.h>

#include <cjson/cJSON.h>

#include "adapters/auth.h"
#include "adapters/launch.h"
#include "adapters/record.h"
#include "adapters/screen/screen_view.h"
#include "adapters/screen/text_guard.h"
#include "base/buf.h"
#include "base/err.h"

struct adapter {
	const char *name;  /* "claude" */
	const char *title; /* "Claude Code" */
	/* Programs that may be it, looked up in PATH; NULL ends. Without
	 * (generic): the command comes from the spec or the configuration. */
	const char *const *programs;
	/* How to install it, for the error that it is not found. */
	const char *install_hint;
	bool can_resume;
	bool can_fork; /* begin with a copy of a conversation */
	/* The variable for its configuration, and one that it sets for its
	 * children: if that is set, the first is not passed on. May be NULL. */
	const char *config_env, *inside_env;
	/* The key with which a person clears a draft, by name, if `clear` is
	 * not set; NULL: unknown. */
	const char *clear_key;
	/* True: its title reports when it is ready. */
	bool reports_title;
	/* True: OSC 7501 and title say "working" only in turns, not also during
	 * setup. */
	bool quiet_start;
	/* True: hooks report each end of a turn, except of an interrupted
	 * one. */
	bool reports_ends;
	/* True: a hook reports the end of an interrupted turn, too. */
	bool ends_interrupted;
	/* The bytes that interrupt a turn, if `interrupt` cannot name them. */
	const char *interrupt;
	/* True: before its first hook a composer that is shown ignores input,
	 * or a dialog may replace it. The wait for the hook is short. */
	bool ready_by_hook;
	/* True: the hook of a turn's end reports a missing answer
	 * (reading.unanswered); otherwise the turn had one. */
	bool reports_unanswered;

	/* Sets argv and environment; writes files into home (settings with
	 * hooks). */
	int (*prepare)(const struct launch_request *rq, struct launch *out,
		       struct err *err);
	/* Reads a hook event from the door. False: it says nothing. */
	bool (*hook)(const struct rules *r, const char *event,
		     const cJSON *payload, struct reading *out);
	/*
	 * Finds the ways to log in of an environment, marks the login that the
	 * harness will use, and names what is missing: never a value. NULL:
	 * unknown. Reads small files; blocks for these only.
	 */
	void (*auth)(const char *const *env, struct auth *out);
	/* How it stores its conversations, with the last answer. NULL: only the
	 * hook has the answer. */
	const struct record_kind *record;
	/* The screen; NULL: the rules alone (rules_read_screen). */
	void (*read_screen)(const struct rules *r, const struct screen_view *v,
			    struct screen_state *out);
	/* How to change pasted text so that the harness reads it as text. NULL:
	 * no change. */
	const struct guard *guard;
	/*
	 * True if the composer shows the pasted text, plain or collapsed.
	 * before is the view from before the paste. NULL: echo_seen().
	 */
	bool (*echoed)(const struct rules *r, const struct screen_view *before,
		       const struct screen_view *now, const char *text,
		       size_t len);
	/*
	 * True if the Enter after a paste has become a line break: the composer
	 * shows the text of before with one more empty line. Enter is then
	 * pressed once more. NULL: that does not happen.
	 */
	bool (*enter_became_line)(const struct rules *r,
				  const struct screen_view *before,
				  const struct screen_view *now);
};

#endif
