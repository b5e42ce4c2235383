/*
 * adapter_type.h - struct adapter: what each adapter fills in for its harness.
 * adapter.h says what else a new adapter needs.
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

struct adapter_title {
	const char *front; /* NULL ends the list */
	enum activity activity;
};

struct adapter {
	const char *name;  /* "claude" */
	const char *title; /* "Claude Code" */
	/* Programs that may be it, looked up in PATH; NULL ends. Without
	 * (generic): the command comes from the spec or the configuration. */
	const char *const *programs;
	/* How to get it, for the error that it is not there. */
	const char *install_hint;
	/* What of the user's it must have in any sandbox. */
	struct adapter_needs {
		/* Variables; * and ? as in env_pass; NULL ends. */
		const char *const *env;
		/* Files, from the user's home on, that it has copies of where
		 * it has a home of its own; NULL ends. */
		const char *const *files;
	} needs;
	bool can_resume;
	/* Between the echo of a paste and Enter. */
	int enter_delay_ms;
	/* The variable that it gets its configuration in, and the one that it
	 * sets for what it runs: there the first is not handed on. NULL. */
	const char *config_env, *inside_env;
	/* What interrupts a turn, as bytes for the terminal ("\033"). */
	const char *interrupt;
	/* What clears a draft that is there ("\003"), pressed once; NULL: not
	 * known to be safe. */
	const char *clear_draft;
	/* What a person presses for that: "Ctrl-C"; NULL: not known. */
	const char *clear_key;
	/* How long from the start until the composer must be there. */
	int ready_timeout_ms;
	/* True: by OSC 7501 and title it works only in turns, not also while
	 * it sets itself up. */
	bool quiet_start;
	/* True: hooks tell of each end of a turn but an interrupted one's. */
	bool tells_ends;
	/* True: a hook tells of the end of an interrupted turn, too. */
	bool ends_interrupted;
	/* True: messages may be typed into the busy harness (--now). */
	bool may_send_busy;
	/* True: until its first hook a composer that is there takes nothing,
	 * or a dialog comes in its place; waited for, but not for long. */
	bool ready_by_hook;
	/* Its hook of a turn's end tells where there was no answer
	 * (reading.unanswered): where it does not, the turn had one. */
	bool tells_unanswered;

	/* argv, environment; writes files into home (settings with hooks). */
	int (*prepare)(const struct launch_request *rq, struct launch *out,
		       struct err *err);
	/* A hook event that came through the door. False: says nothing. */
	bool (*hook)(const char *event, const cJSON *payload,
		     struct reading *out);
	/*
	 * Which ways to log in there are in an environment, which one the
	 * harness will take, what it needs: never a value. NULL: nothing is
	 * known of it. Reads small files and blocks for no more.
	 */
	void (*auth)(const char *const *env, struct auth *out);
	/* How it keeps its conversations, and the last answer in them. NULL:
	 * the hook has all that is known. */
	const struct record_kind *record;
	/* What the terminal's title says, by how it begins; NULL: nothing. */
	const struct adapter_title *titles;
	/* The screen; NULL: the rules alone (rules_look). */
	void (*look)(const struct rules *r, const struct screen_view *v,
		     struct look *out);
	/* How text must be pasted so that the harness takes it as text.
	 * NULL: as it is. */
	const struct guard *guard;
	/*
	 * True when the composer shows the pasted text, plain or collapsed.
	 * before is the view from before the paste. NULL: echo_seen().
	 */
	bool (*echoed)(const struct rules *r, const struct screen_view *before,
		       const struct screen_view *now, const char *text,
		       size_t len);
	/*
	 * True when the Enter behind a paste has become a line break: what
	 * before's composer held stands there with one empty line more. It is
	 * pressed once more then. NULL: that does not happen.
	 */
	bool (*enter_became_line)(const struct rules *r,
				  const struct screen_view *before,
				  const struct screen_view *now);
};

#endif
