/*
 * rules.h - [harness.NAME] of the configuration and share/adapters/NAME.ini,
 * compiled: settings and screen patterns (POSIX extended regular
 * expressions, matched against single rows; see afw-adapters(5)).
 *
 * Stored in spec.json as an object {"key": ["value", …]}, so that a running
 * session does not change when the files do.
 *
 * Pure: no I/O. Matching never allocates more than a row, and its time is
 * bounded: at most 1000 bytes of a row are read, patterns have no
 * back-references and only small repetitions.
 */
#ifndef AFW_ADAPTERS_SCREEN_RULES_H
#define AFW_ADAPTERS_SCREEN_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "base/buf.h"
#include "base/err.h"

struct rules;
struct screen_view;
struct screen_state;

#define RULES_VALUES_MAX 64   /* patterns under one key */
#define RULES_ANSWER_MAX 64   /* bytes of the keys of an answer, with the NUL */
#define RULES_PAUSE_MAX	 2000 /* ms of the pauses in a list of keys */

enum rules_kind {
	RULES_TEXT,
	RULES_WORDS,
	RULES_NUMBER,
	RULES_YESNO,
	RULES_KEYS,   /* keys that are pressed at once */
	RULES_STEPS,  /* keys, and pauses between them */
	RULES_ANSWER, /* the same, {option} among them */
	RULES_PLACE,  /* a file, or a pattern for files */
	RULES_FILES,  /* files below the user's home */
	RULES_JSON,   /* an object */
	RULES_ENV,    /* NAME=VALUE; can be repeated */
	RULES_PATTERN /* a regular expression; can be repeated */
};

/* The keys that a [harness.NAME] section may have; name NULL ends. */
struct rules_key {
	const char *name; /* "command", "waiting", "busy", … */
	enum rules_kind kind;
};
extern const struct rules_key rules_keys[];

/*
 * Compiles rules; config may be NULL (no rules). NULL with err, which names the
 * key, for an invalid pattern, a value out of range or an unknown key.
 */
struct rules *rules_create(const cJSON *config, struct err *err);
void rules_destroy(struct rules *r);

/* Checks one value alone: a key that it needs may be elsewhere. */
int rules_check_value(const char *key, const char *value, struct err *err);

/* Returns the last value of a setting, or NULL; borrowed. r may be NULL. */
const char *rules_get(const struct rules *r, const char *key);

/* Returns the variables of `env`, as NAME=VALUE; NULL without rules. Borrowed.
 */
const struct strv *rules_env(const struct rules *r);

/* The same as a number; other if it is not set. */
int rules_get_int(const struct rules *r, const char *key, int other);

/* The same for yes and no; other if it is not set. */
bool rules_get_bool(const struct rules *r, const char *key, bool other);

/*
 * Appends the bytes of keys, names separated by blanks: Escape, Enter, Tab,
 * Space, BSpace, Up, Down, Left, Right, C-a to C-z, C-\, one printable ASCII
 * character, or a character as U+2060. ERR_USAGE names an unknown key.
 */
int rules_parse_keys(const char *names, struct buf *out, struct err *err);

/*
 * The same for keys with pauses between them ("Escape 400 Escape"), which have
 * been checked: appends the keys of names from *at on, up to the next pause;
 * moves *at behind that, and returns it in ms; 0 at the end.
 */
int64_t rules_next_keys(const char *names, size_t *at, struct buf *out);

/* Returns the pause in ms that the first word of names is; 0: it is a key. */
int64_t rules_pause(const char *names);

/* Checks such a list; and a value of `approve` or `deny`, which can have
 * {option} in it. ERR_USAGE. */
int rules_check_steps(const char *names, struct err *err);
int rules_check_answer(const char *text, struct err *err);

/* True if the key has at least one pattern. */
bool rules_has(const struct rules *r, const char *key);

/*
 * Matches one string against the patterns of key. Stores in group (may be NULL,
 * else size bytes) the first group's text, or the whole match if the pattern
 * has no group, as one printable line without blanks at its ends.
 */
bool rules_match(const struct rules *r, const char *key, const char *row,
		 char *group, size_t size);

/* The same: row[*from..*to) is the first group's text, or the match's; whole:
 * always the match's. */
bool rules_span(const struct rules *r, const char *key, const char *row,
		bool whole, size_t *from, size_t *to);

/*
 * Returns the lowest row of rows[from..to) that matches key, or -1; group as
 * above.
 */
int rules_find(const struct rules *r, const char *key, const char *const *rows,
	       int from, int to, char *group, size_t size);

/* Returns the composer's first row, at or below from; -1 if there is none. */
int rules_composer(const struct rules *r, const struct screen_view *v,
		   int from);

/* Stores where its text is in that row; false if the row is none. */
bool rules_composer_span(const struct rules *r, const char *row, size_t *from,
			 size_t *to);

/* Returns the row below the composer that starts at row. */
int rules_composer_end(const struct rules *r, const struct screen_view *v,
		       int row);

/*
 * Appends the agent's last message, from the rows below the user's: the lowest
 * that matches `answer` and those directly above that do, then what follows, up
 * to the composer or a row of `not_said`. UTF-8, lines of the screen; false if
 * there is none.
 */
bool rules_answer(const struct rules *r, const struct screen_view *v,
		  struct buf *out);

/*
 * Reads a screen by the patterns, bottom rows first; a waiting pattern (menu)
 * overrides everything else. composer: its first row, for a harness whose
 * dialogs replace it and whose past messages look like it, else -1: a waiting
 * pattern above it is old text, and an error above the last message is from an
 * older turn.
 */
void rules_read_screen(const struct rules *r, const struct screen_view *v,
		       int composer, struct screen_state *out);

#endif
