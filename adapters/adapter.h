/*
 * adapter.h - what afw knows of one harness, behind one interface.
 *
 * An adapter is a const struct in a file of its own and a line in
 * registry.c; what its screen looks like stands in share/adapters/<name>.ini.
 * Everything here is pure: bytes in, verdict out, no I/O, no clock, so that
 * recorded terminals replay through it in tests. The exceptions:
 * adapter_prepare() writes files into the session's own home and looks for the
 * conversation's; adapter_auth(),
 * adapter_find_conversation() and adapter_last_answer() read the harness's own
 * files; adapter_program() looks through PATH.
 */
#ifndef AFW_ADAPTERS_ADAPTER_H
#define AFW_ADAPTERS_ADAPTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "adapters/auth.h"
#include "adapters/record.h"
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

#define READING_TEXT   200
#define READING_TURN   40
#define READING_ANSWER 3072

/* One signal's word on what the harness does. */
struct reading {
	enum source source;
	enum activity activity; /* ACTIVITY_NONE: says nothing on it */
	bool question;		/* waiting: an approval or a dialog is up, and
				   Enter would answer it */
	bool late;		/* waiting: told some seconds after it began,
				   so it may be over */
	bool turn_started;	/* a message was taken (UserPromptSubmit), and
				   not by a sub-agent */
	bool turn_ended;
	bool interrupted; /* turn_ended, or on the screen: by the user */
	bool failed; /* the turn ended in an error of the harness */
	/* turn_ended: without an answer, by an error or an interrupt, of which
	 * another signal tells, perhaps a moment later. */
	bool unanswered;
	char detail[READING_TEXT];	 /* what it asks or does; printable */
	char conversation[READING_TEXT]; /* the harness's own id, or "" */
	char prompt[READING_TEXT];	 /* turn_started: how the text begins */
	char turn[READING_TURN]; /* the harness's own id of its turn, or "" */
	/* turn_ended: the harness's last message as the event has it, raw but
	 * UTF-8; cut: it may go on. See adapter_last_answer(). */
	char answer[READING_ANSWER];
	bool answer_cut;
};

/* The screen as adapters see it. Rows top to bottom, UTF-8, blanks at the
 * end cut. All borrowed for the call. */
struct view {
	const char *const *rows;
	/* The same rows with dim (placeholder, ghost) text blanked out. */
	const char *const *solid;
	/* The same rows with only what is highlighted: reversed, or on another
	 * background than most of its row. NULL: not known. */
	const char *const *lit;
	size_t nrows;
	int cols;
	int cursor_col, cursor_row;
	bool cursor_visible;
	bool bracketed_paste;
	bool altscreen;
	/* Within a synchronized update (mode 2026): the picture is not whole
	 * yet. Codex and OpenCode draw so. */
	bool updating;
	const char *title;
};

enum composer {
	COMPOSER_UNKNOWN, /* this harness's composer cannot be told */
	COMPOSER_ABSENT,  /* not on the screen: starting, dialog, pager */
	COMPOSER_EMPTY,
	COMPOSER_DRAFT, /* holds text */
};

/*
 * The rows of the dialog that is up, where the adapter can tell them from
 * what a model prints, above it or in it: an approval is looked for nowhere
 * else (approval.h).
 */
#define DIALOG_OPTIONS 9

struct dialog {
	bool known;    /* false: any row of the screen may be the dialog's */
	int top, menu; /* an approval's own row is one of [top, menu) */
	/* The rows that options stand in, top to bottom; none: whatever is
	 * asked, it is no approval. */
	int options[DIALOG_OPTIONS], noptions;
};

/* What the screen says (source SOURCE_SCREEN in reading). */
struct look {
	struct reading reading;
	enum composer composer;
	bool blank; /* nothing is on it at all; adapter_look() says so */
	/* A digest of the draft's text, blanks left out. Where a paste is shown
	 * collapsed, with a number, that is added: when it is put back it has
	 * the next one. 0: there is none, or it is not known. */
	uint64_t draft;
	bool queued; /* messages that it took wait in a queue of its own */
	struct dialog dialog; /* of a question */
};

/*
 * What a harness is to be started with. The spec carries what is asked of
 * every adapter: system_prompt and instructions (texts; launch_prompt() joins
 * them where a harness has one place for both), mcp (checked by mcp.h; values
 * of variables are never in it), command (the user's own arguments). An
 * adapter that cannot give one of them to its harness says so in
 * launch.degraded. No tracked file of the worktree and no configuration of
 * the user's own is changed for any of it: what needs a file gets it in home.
 */
struct launch_request {
	const struct spec *spec;
	const struct rules *rules;
	const char *home;		/* the session's private home (0700) */
	const char *door;		/* path of the agent door */
	const char *const *hook;	/* argv prefix of the hook command, ends
					   with NULL: {"/…/afw-supervisor",
					   "hook"}; the event's name is added */
	const char *const *environ_now; /* environment the harness will have,
					   "K=V", NULL-terminated */
	bool resume;			/* continue conversation, or the last */
	const char *conversation;	/* the harness's own id as last known
					   (state.json, else the spec), or
					   NULL */
	bool trusted;			/* the user trusts this repository (afw
					   trust): trust dialogs may be
					   answered */
};

/* A zeroed one is empty; launch_finish() frees. */
struct launch {
	struct strv argv;
	struct strv env;      /* "K=V" to add, "K" to remove */
	char *conversation;   /* where the adapter chose the id, or NULL */
	bool resumed;	      /* false: it has to be a fresh start */
	char *why_fresh;      /* not resumed though that was asked for: why,
				 in words; else NULL */
	struct strv degraded; /* what does not work, for a person */
	/* Where the harness keeps its conversations in this environment
	 * ($CLAUDE_CONFIG_DIR, ~/.codex): struct record's dir. NULL: not
	 * read */
	char *record_dir;
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
	/* The variable that it gets its configuration in, and the one that it
	 * sets for what it runs: there the first is not handed on. NULL. */
	const char *config_env, *inside_env;
	/* What interrupts a turn, as bytes for the terminal ("\033"). */
	const char *interrupt;
	/* What clears a draft that is there ("\003"), pressed once; NULL: not
	 * known to be safe. */
	const char *clear_draft;
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
	void (*auth)(const struct auth_request *rq, struct auth *out);
	/*
	 * The id of the conversation from the harness's own files, where no
	 * hook has told it (record->conversation is NULL): only of one that
	 * can be no other session's (worktree and start fit). False: not
	 * known (yet). NULL: hooks tell, or nobody.
	 */
	bool (*find_conversation)(const struct record *record,
				  char id[READING_TEXT]);
	/*
	 * The harness's last message of the last turn, appended whole to out,
	 * from its own files of record->conversation. told is how the hook
	 * says that it begins ("" where none did): files may lag behind the
	 * hook, so what does not begin so is not it. False: not known (yet).
	 * NULL: the hook has all that is known.
	 */
	bool (*last_answer)(const struct record *record, const char *told,
			    struct buf *out);
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
	/*
	 * True when the Enter behind a paste has become a line break: what
	 * before's composer held stands there with one empty line more. It is
	 * pressed once more then. NULL: that does not happen.
	 */
	bool (*enter_became_line)(const struct rules *r,
				  const struct view *before,
				  const struct view *now);
};

/*
 * Whether id may be a conversation's: 1 to 128 of [A-Za-z0-9._:-], no '-' in
 * front. Ids come through the door, which the harness can write, and go into
 * a command line: nothing may pass for an option or a path there.
 */
bool adapter_conversation_ok(const char *id);

/* Keeps text as the answer of a reading, cut to what fits. */
void adapter_answer(struct reading *out, const char *text);

/* All adapters, in the order that users see; NULL ends. */
extern const struct adapter *const adapters[];

/* By name; a name of the configuration that no adapter has is "generic". */
const struct adapter *adapter_find(const char *name);

/*
 * OSC 7501 payloads ("state=blocked:kind=permission:msg=…"), the same for
 * all harnesses. state=clear (at exit) gives ACTIVITY_NONE. False where it
 * cannot be understood, or has an id: then it tells of a part of the harness.
 * Claude Code 2.1.329 prints one for each sub-agent and background task
 * ("state=working:app=claude-code:id=…"), "state=clear:id=…" at its end, and
 * its own state, without an id, only where that changes. Codex 0.169 has no
 * ids. (Read in their programs.)
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
bool adapter_auth(const struct adapter *a, const struct auth_request *rq,
		  struct auth *out); /* false: nothing is known; else to be
					finished */
/* As the members; an id that is not adapter_conversation_ok() is none. */
bool adapter_find_conversation(const struct adapter *a,
			       const struct record *record,
			       char id[READING_TEXT]);
/*
 * The harness's last message, at most ADAPTER_ANSWER_MAX bytes (cut at a
 * character), UTF-8, with whatever control characters it has: not for a
 * terminal as it is. told and cut are those of the last reading with
 * turn_ended ("" where there was none). Reads the end of a file; false where
 * nothing is known.
 */
#define ADAPTER_ANSWER_MAX ((size_t)256 * 1024)
bool adapter_last_answer(const struct adapter *a, const struct record *record,
			 const char *told, bool cut, struct buf *out);
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
