/*
 * config.h - the configuration: defaults, the user's afw.ini, the repository's
 * .af/afw.ini if exactly its .af/ was trusted, the command line. A later one
 * overrides; lists add up (an empty value empties them).
 *
 * config_load.c reads the files, config_get.c returns values, config_edit.h
 * changes a file. Loading reads a few small files and blocks on nothing else.
 * The result is plain data; the functions return borrowed parts of it unless
 * they say otherwise.
 */
#ifndef AFW_CONFIG_CONFIG_H
#define AFW_CONFIG_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "config/option.h"
#include "config/section.h"

struct config;

struct config_where {
	const char
	    *data_dir; /* with the trust store; NULL: nothing is trusted */
	const char *repository; /* main worktree or bare; NULL: in none */
	const char *share_dir;	/* with adapters/NAME.ini; NULL: none */
	const struct section_harness_keys *harness_keys; /* NULL: any key, one
							   value */
	struct err *mistake; /* not NULL: a mistake in a file is reported here,
				and the file's other lines are used */
};

/*
 * Loads the files that exist. The caller destroys *out; it is NULL on failure.
 * A mistake in a file is ERR_FAILED with "FILE:LINE: ...".
 */
int config_load(struct config **out, const struct config_where *where,
		struct err *err);
void config_destroy(struct config *c);
CLEANUP_POINTER(struct config, config_destroy)
#define _config_ CLEANUP(config_destroy_at)

/* Return the value of an option of a fitting type (option.h). */
const char *config_str(const struct config *c, enum option_id id);
bool config_bool(const struct config *c, enum option_id id);
int64_t config_int(const struct config *c, enum option_id id);
const struct strv *config_list(const struct config *c, enum option_id id);

/* Adds the words of the user's editor to argv: those of the option editor
 * (NULL or empty: not set), else of $VISUAL, of $EDITOR, Debian's editor or vi.
 */
int config_editor(const struct strv *option, struct strv *argv,
		  struct err *err);

/* Return the value as text, to be freed; and its origin: "default", "FILE:LINE"
 * (the last line of the value) or "command line". */
char *config_text(const struct config *c, enum option_id id);
const char *config_origin(const struct config *c, enum option_id id);

/* The name of a value, in its parts. */
struct config_name {
	char *section; /* "", "dashboard", "service.db"; owned */
	const char *key;
	const struct option *option; /* its row */
};

/* Parses "setup", "dashboard.preview", "service.db.command". -1 with err and
 * the nearest name. key is borrowed from name. */
int config_name_parse(const char *name, struct config_name *out,
		      struct err *err);
void config_name_finish(struct config_name *n);

/* A value in use, of an option or of a key in a named section. */
struct config_setting {
	const struct option *option; /* its row */
	struct option_value value;
	const char *origin; /* as config_origin(), borrowed */
};

/*
 * Gets a value by its name (config_name_parse()). -1 with err and the nearest
 * name if there is no such key, or no section of that name.
 */
int config_get(const struct config *c, const char *name,
	       struct config_setting *out, struct err *err);
void config_setting_finish(struct config_setting *s);

/* Appends the names of all options, then of all keys that the files set in
 * named sections, except harnesses. */
void config_names(const struct config *c, struct strv *out);

/*
 * Sets an option from the command line. Lists are replaced, not added to. On
 * failure (ERR_USAGE) nothing has changed.
 */
int config_set(struct config *c, enum option_id id, const char *text,
	       struct err *err);

/* Returns, for a warning, the path of a file in the repository's .af/ that is
 * not trusted, or was changed since, so that all of .af/ was ignored. Else
 * NULL. */
const char *config_untrusted(const struct config *c);

/* Returns a text for the user about each line, with its place, whose option
 * there is no more; it was left out. */
const struct strv *config_removed(const struct config *c);

/* True if the user trusts the repository (launch_request.trusted). */
bool config_repository_trusted(const struct config *c);

/*
 * Returns everything that the files say about a harness:
 * share/adapters/NAME.ini, then adapters/NAME.ini beside the user's afw.ini,
 * then [harness.NAME]. If several set a key, the last one's values replace the
 * others. If it is `like` another harness, its keys replace that one's, and
 * "like" is the last one of such a chain. The object is {"key": ["value",
 * ...]}, perhaps empty, to be deleted; NULL with err (FILE:LINE) on failure.
 */
cJSON *config_harness(const struct config *c, const char *name,
		      struct err *err);

/* Appends the names of the files share/adapters/NAME.ini, sorted. */
void config_shared_harness_names(const struct config *c, struct strv *out);

/* Appends the names with a [harness.NAME] section or an adapters/NAME.ini of
 * the user, sorted, without those of share/. */
void config_harness_names(const struct config *c, struct strv *out);

/*
 * Returns all sections of that kind ("service": section.h), in their order:
 * [{"name": ..., "key": ...}] with all keys, to be deleted; NULL with err if
 * one lacks a key that it needs.
 */
cJSON *config_sections(const struct config *c, const char *kind,
		       struct err *err);

/* Appends their names. */
void config_section_names(const struct config *c, const char *kind,
			  struct strv *out);

/* Returns what the files say in a section of that kind, as section_add() has
 * stored it; NULL if there is none. */
const cJSON *config_section(const struct config *c, const char *kind,
			    const char *name);

/* Returns the path of the user's file ($XDG_CONFIG_HOME/afw/afw.ini, else
 * ~/.config/afw/afw.ini), to be freed; NULL if neither variable is set. */
char *config_user_file(void);

/* Appends a file with all options, their defaults and their meaning, all lines
 * being comments. */
void config_example(struct buf *out);

#endif
