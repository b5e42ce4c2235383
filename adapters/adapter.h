/*
 * adapter.h - the interface to what afw knows of one harness.
 *
 * An adapter is a const struct (adapter_type.h) in a file of its own, and a
 * line in registry.c and registry.h; share/adapters/<name>.ini describes its
 * screen. Its variable for another home also goes into others[] of
 * src/sandbox/home.c; commands/new.c and commands/trust.c name the harnesses in
 * texts. share/setup installs it for tests. Everything here is pure: bytes in,
 * verdict out, no I/O, no clock, so that recorded terminals replay through it
 * in tests. The exceptions: adapter_prepare() writes files into the session's
 * own home and searches for the conversation's file; adapter_auth() and
 * adapter_last_answer() read the harness's own files; adapter_program()
 * searches PATH.
 */
#ifndef AFW_ADAPTERS_ADAPTER_H
#define AFW_ADAPTERS_ADAPTER_H

#include "adapters/adapter_type.h"

/* All adapters, in the order that users see; NULL ends. */
extern const struct adapter *const adapters[];

/* Returns the adapter of that name; "generic" for any other name of the
 * configuration. */
const struct adapter *adapter_find(const char *name);

/* The same for a harness with that section (may be NULL), which can be `like`
 * another one. */
const struct adapter *adapter_of(const char *name, const cJSON *section);

/*
 * Appends what it needs of the user in any sandbox, by its section (may be
 * NULL): with "needs_env" variables (* and ? as in env_pass), with
 * "needs_files" files, relative to the user's home, that are copied to the
 * session's own home, if it has one; with "login_files" those of them that a
 * login changes.
 */
void adapter_needs(const cJSON *section, const char *key, struct strv *out);

/* Returns its npm package, from install_hint; "" if it has none. Borrowed. */
const char *adapter_package(const struct adapter *a);

/*
 * Reads an OSC 7501 payload ("state=blocked:kind=permission:msg=…"), the same
 * for all harnesses. state=clear (at exit) gives ACTIVITY_NONE. Returns false
 * if it cannot be parsed, or has an id: then it reports a part of the harness.
 * Claude Code 2.1.329 prints one for each sub-agent and background task
 * ("state=working:app=claude-code:id=…"), "state=clear:id=…" at its end, and
 * its own state, without an id, only when that changes. Codex 0.169 has no ids.
 * (Read in their programs.)
 */
bool adapter_program_status(const char *payload, struct reading *out);

/*
 * Returns the harness's program as found in PATH, to be freed, or NULL. rules
 * may name another one (command = …).
 */
char *adapter_program(const struct adapter *a, const struct rules *r);

/*
 * The wrappers that callers use: they read the rules first (the user's settings
 * override ours), then the adapter, then a default. r may be NULL.
 * adapter_prepare() drops a conversation id that is not ok.
 */
int adapter_prepare(const struct adapter *a, const struct launch_request *rq,
		    struct launch *out, struct err *err);
bool adapter_auth(const struct adapter *a, const char *const *env,
		  struct auth *out); /* false: unknown; else auth_finish() */
/*
 * Stores the harness's last message, at most ADAPTER_ANSWER_MAX bytes (cut at a
 * character), UTF-8, with any control characters: not safe for a terminal.
 * reported and cut are from the last reading with turn_ended ("" if there was
 * none). Reads the end of a file; false if unknown.
 */
#define ADAPTER_ANSWER_MAX ((size_t)256 * 1024)
bool adapter_last_answer(const struct adapter *a, const struct record *record,
			 const char *reported, bool cut, struct buf *out);
void adapter_read_screen(const struct adapter *a, const struct rules *r,
			 const struct screen_view *v, struct screen_state *out);
bool adapter_read_title(const struct rules *r, const char *title,
			struct reading *out);
size_t adapter_drop(const struct adapter *a, struct buf *text);
/* Returns whether the harness may read the text as a command, and its section
 * does not say how to guard it. */
bool adapter_refuses(const struct adapter *a, const struct rules *r,
		     const char *text, size_t len);
void adapter_guard(const struct adapter *a, const struct rules *r,
		   const char *text, size_t len, struct buf *out);
bool adapter_echoed(const struct adapter *a, const struct rules *r,
		    const struct screen_view *before,
		    const struct screen_view *now, const char *text,
		    size_t len);
int adapter_enter_delay_ms(const struct rules *r);
int adapter_ready_timeout_ms(const struct rules *r);
bool adapter_may_send_busy(const struct rules *r);
bool adapter_can_resume(const struct adapter *a, const struct rules *r);

/*
 * Returns the name of a session's harness for people: "Claude Code"; for the
 * user's own command its section's name, or the program's. Borrowed.
 */
const char *adapter_display_name(const struct adapter *a, const struct spec *s);

/*
 * Appends the bytes that interrupt a turn on the screen that is shown, from *at
 * on (0: the first); nothing if they are unknown. Returns the pause in ms after
 * which this is called again with the same *at; 0: these were the last.
 */
int64_t adapter_interrupt(const struct adapter *a, const struct rules *r,
			  const struct screen_state *shown, size_t *at,
			  struct buf *out);

/* The same for the keys that clear a draft of ours; adapter_can_clear(): they
 * are known. */
int64_t adapter_clear(const struct rules *r, size_t *at, struct buf *out);
bool adapter_can_clear(const struct rules *r);
/* Returns the key with which a person clears it: "Ctrl-C"; to be freed, NULL if
 * it is unknown. */
char *adapter_clear_key(const struct adapter *a, const struct rules *r);

#endif
