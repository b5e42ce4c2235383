/*
 * option.h - the table of all options. `afw config` and its example are made
 * from it, a test compares afw.ini(5). To add an option: a row in options.def.
 */
#ifndef AFW_CONFIG_OPTION_H
#define AFW_CONFIG_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "base/err.h"
#include "base/mem.h"

enum option_id {
#define OPTION(id, ...) OPTION_##id,
#include "config/options.def"
	OPTION_COUNT,
};

enum option_type {
	OPTION_STRING,	 /* config_str() */
	OPTION_CHOICE,	 /* config_str(): one of choices */
	OPTION_KEY,	 /* config_str(): a key's name, or "none" */
	OPTION_BOOL,	 /* config_bool() */
	OPTION_INT,	 /* config_int() */
	OPTION_DECIMAL,	 /* config_int(): thousandths */
	OPTION_DURATION, /* config_int(): milliseconds */
	OPTION_SIZE,	 /* config_int(): bytes */
	OPTION_LIST,	 /* config_list(): words; several lines add up */
	OPTION_COMMAND,	 /* config_list(): argv; no shell */
};

struct option {
	const char *name; /* "setup", "dashboard.preview": key, or section
			     and key */
	enum option_type type;
	const char *value;	    /* the default, as a user would write it */
	int64_t min, max;	    /* numbers: both allowed */
	const char *const *choices; /* NULL ends */
	bool repository;  /* allowed in a repository's .af/afw.ini too */
	bool session;	  /* for a new session: allowed in [template.NAME] */
	bool at_creation; /* of a new session: later starts do not read it */
	bool tools;	  /* a command for the agent's tools: tools/tool.h */
	bool secret; /* a refused value may be a secret and is not printed */
	/* Returns what is wrong with a string (or one word), or NULL. */
	const char *(*check)(const char *text);
	/* The same of all words of a line. */
	const char *(*check_list)(const struct strv *words);
	const char *help; /* one sentence */
};

extern const struct option options[OPTION_COUNT];

/* Finds one by name ("dashboard.preview"); -1 if there is none. */
int option_find(const char *name);

/* Returns what to use instead of an option that there was in an earlier
 * version; NULL: there was none. A file that still has it is read without it.
 */
const char *option_removed(const char *name);

/* Returns the type in words ("duration", "yes or no", …), for help and
 * errors. */
const char *option_type_name(enum option_type type);

/* A value; its option's type decides which member is used. May start zeroed,
 * which is empty. */
struct option_value {
	char *string;
	int64_t number; /* OPTION_BOOL: 0 or 1 */
	struct strv list;
};
void option_value_finish(struct option_value *v);

/*
 * Parses text by o's type into v. Lists add up; an empty text empties the list.
 * Any other value is replaced. On failure v is unchanged, and err (ERR_FAILED)
 * is "check_timeout: …" without a file.
 */
int option_parse(const struct option *o, const char *text,
		 struct option_value *v, struct err *err);

/* Returns v as text that option_parse() accepts; to be freed. */
char *option_format(const struct option *o, const struct option_value *v);

/* Adds v as a member of that name: words as a list of strings, a duration as
 * NAME_ms, other numbers and texts as they are. */
void option_value_json(const struct option *o, const struct option_value *v,
		       const char *name, cJSON *out);

#endif
