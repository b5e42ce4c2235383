/*
 * adapter.h - what afw knows of one harness, behind one interface.
 *
 * An adapter is a const struct in a file of its own and a line in
 * registry.c; what its screen looks like stands in share/adapters/<name>.ini.
 * Everything here is pure: bytes in, verdict out, no I/O, no clock, so that
 * recorded terminals replay through it in tests. Two exceptions:
 * adapter_prepare() writes files into the session's own home and looks for
 * the conversation's, adapter_program() looks through PATH.
 */
#ifndef AFW_ADAPTERS_ADAPTER_H
#define AFW_ADAPTERS_ADAPTER_H

#include <stdbool.h>
#include <stddef.h>

#include <cjson/cJSON.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "session/phase.h"
#include "session/spec.h"

struct rules; /* compiled screen rules and settings: rules.h */

/* Where a reading comes from; the order is DESIGN's rank, best first. */
enum source {
	SOURCE_PROGRAM_STATUS, /* OSC 7501 */
	SOURCE_HOOK,
	SOURCE_TITLE, /* terminal title, and the harness's status files */
	SOURCE_SCREEN,
	SOURCE_PROCESS, /* /proc: a witness only */
	SOURCE_COUNT,
};
const char *source_name(enum source s); /* "osc7501", "hook", … */

#define READING_TEXT 200

/* One signal's word on what the harness does. */
struct reading {
	enum source source;
	enum activity activity; /* ACTIVITY_NONE: says nothing on it */
	bool question;		/* waiting: an approval or a dialog is up, and
				   Enter would answer it */
	bool turn_started;	/* a message was taken (UserPromptSubmit) */
	bool turn_ended;
	bool failed; /* the turn ended in an error of the harness */
	char detail[READING_TEXT];	 /* what it asks or does; printable */
	char conversation[READING_TEXT]; /* the harness's own id, or "" */
	char prompt[READING_TEXT];	 /* turn_started: how the text begins */
};

/* The screen as adapters see it. Rows top to bottom, UTF-8, blanks at the
 * end cut. All borrowed for the call. */
struct view {
	const char *const *rows;
	/* The same rows with dim (placeholder, ghost) text blanked out. */
	const char *const *solid;
	size_t nrows;
	int cols;
	int cursor_col, cursor_row;
	bool cursor_visible;
	bool bracketed_paste;
	bool altscreen;
	const char *title;
};

enum composer {
	COMPOSER_UNKNOWN, /* this harness's composer cannot be told */
	COMPOSER_ABSENT,  /* not on the screen: starting, dialog, pager */
	COMPOSER_EMPTY,
	COMPOSER_DRAFT, /* holds text */
};

/* What the screen says (source SOURCE_SCREEN in reading). */
struct look {
	struct reading reading;
	enum composer composer;
};

struct launch_request {
	const struct spec *spec;
	const struct rules *rules;
	const char *home;		/* the session's private home (0700) */
	const char *door;		/* path of the agent door */
	const char *const *hook;	/* argv prefix of the hook command, ends
					   with NULL: {"/…/afw-supervisor","hook"};
					   the event's name is added */
	const char *const *environ_now; /* environment the harness will have,
					   "K=V", NULL-terminated */
	bool resume;			/* continue conversation, or the last */
	const char *conversation;	/* the harness's own id as last known
					   (state.json, else the spec), or NULL */
	bool trusted;			/* the user trusts this repository (afw
					   trust): trust dialogs may be answered */
};

/* A zeroed one is empty; launch_finish() frees. */
struct launch {
	struct strv argv;
	struct strv env;      /* "K=V" to add, "K" to remove */
	char *conversation;   /* where the adapter chose the id, or NULL */
	bool resumed;	      /* false: it had to be a fresh start */
	struct strv degraded; /* what does not work, for a person */
};
void launch_finish(struct launch *l);

struct adapter {
	const char *name;  /* "claude" */
	const char *title; /* "Claude Code" */
	/* Programs that may be it, looked up in PATH; NULL ends. Without
	 * (generic): the command comes from the spec or the configuration. */
	const char *const *programs;
	/* How to get it, for the error that it is not there. */
	const char *install_hint;
	bool can_resume;
	/* Between the echo of a paste and Enter. */
	int enter_delay_ms;
	/* What interrupts a turn, as bytes for the terminal ("\033"). */
	const char *interrupt;
	/* What clears a draft that is there ("\003"), pressed once; NULL: not
	 * known to be safe. */
	const char *clear_draft;
	/* How long from the start until the composer must be there. */
	int ready_timeout_ms;
	/* True: messages may be typed into the busy harness (--now). */
	bool may_send_busy;

	/* argv, environment; writes files into home (settings with hooks). */
	int (*prepare)(const struct launch_request *rq, struct launch *out,
		       struct err *err);
	/* A hook event that came through the door. False: says nothing. */
	bool (*hook)(const char *event, const cJSON *payload,
		     struct reading *out);
	/* The terminal's title. NULL or false: says nothing. */
	bool (*title_says)(const char *title, struct reading *out);
	/* The screen; NULL: the rules alone (rules_look). */
	void (*look)(const struct rules *r, const struct view *v,
		     struct look *out);
	/*
	 * Text as it must be pasted so that the harness takes it as text:
	 * appended to out (FACTS, "what neutralises it"). NULL: as it is.
	 */
	void (*guard)(const char *text, size_t len, struct buf *out);
	/*
	 * True when the composer shows the pasted text, plain or collapsed.
	 * before is the view from before the paste. NULL: echo_seen().
	 */
	bool (*echoed)(const struct rules *r, const struct view *before,
		       const struct view *now, const char *text, size_t len);
};

/*
 * Whether id may be a conversation's: 1 to 128 of [A-Za-z0-9._:-], no '-' in
 * front. Ids come through the door, which the harness can write, and go into
 * a command line: nothing may pass for an option or a path there.
 */
bool adapter_conversation_ok(const char *id);

/* All adapters, in the order that users see; NULL ends. */
extern const struct adapter *const adapters[];

/* By name; a name of the configuration that no adapter has is "generic". */
const struct adapter *adapter_find(const char *name);

/*
 * OSC 7501 payloads ("state=blocked:kind=permission:msg=…"), the same for
 * all harnesses. state=clear (at exit) gives ACTIVITY_NONE. False where it
 * cannot be understood.
 */
bool adapter_program_status(const char *payload, struct reading *out);

/*
 * The program of a harness as found in PATH, or NULL; to be freed. rules
 * may name another one (command = …).
 */
char *adapter_program(const struct adapter *a, const struct rules *r);

/*
 * The wrappers that callers use: they ask the rules first (a user's word
 * goes before ours), then the adapter, then fall back. r may be NULL.
 * adapter_prepare() gives the adapter no conversation that is not ok.
 */
int adapter_prepare(const struct adapter *a, const struct launch_request *rq,
		    struct launch *out, struct err *err);
void adapter_look(const struct adapter *a, const struct rules *r,
		  const struct view *v, struct look *out);
bool adapter_title_says(const struct adapter *a, const char *title,
			struct reading *out);
void adapter_guard(const struct adapter *a, const char *text, size_t len,
		   struct buf *out);
bool adapter_echoed(const struct adapter *a, const struct rules *r,
		    const struct view *before, const struct view *now,
		    const char *text, size_t len);
int adapter_enter_delay_ms(const struct adapter *a, const struct rules *r);
int adapter_ready_timeout_ms(const struct adapter *a, const struct rules *r);
bool adapter_may_send_busy(const struct adapter *a, const struct rules *r);
bool adapter_can_resume(const struct adapter *a, const struct rules *r);

/*
 * What people call the harness of a session: "Claude Code"; for a command of
 * the user's own its section's name, or the program's. Borrowed.
 */
const char *adapter_called(const struct adapter *a, const struct spec *s);

/* Appends the bytes that interrupt a turn; nothing where none are known. */
void adapter_interrupt(const struct adapter *a, const struct rules *r,
		       struct buf *out);

#endif
