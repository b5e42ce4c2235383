/*
 * config.h - the configuration: defaults, the user's afw.ini, the
 * repository's .af/afw.ini if exactly its .af/ was trusted, the command line.
 * What comes later wins; lists add up (an empty value empties them).
 *
 * Loading reads a few small files and never blocks on anything else. The
 * result is plain data, and everything that it returns is borrowed from it.
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
	const char *data_dir;	/* has the trust store; NULL: none trusted */
	const char *repository; /* main worktree or bare; NULL: in none */
	const char *share_dir;	/* has adapters/NAME.ini; NULL: none */
	const struct section_harness_keys *harness_keys; /* NULL: any key, one
							   value */
	struct err *mistake; /* not NULL: a mistake in a file is reported here,
				and the file's other lines apply */
};

/*
 * Loads the files that exist. The caller destroys *out; it is NULL on failure.
 * A mistake in a file is ERR_FAILED with "FILE:LINE: …".
 */
int config_load(struct config **out, const struct config_where *where,
		struct err *err);
void config_destroy(struct config *c);
CLEANUP_POINTER(struct config, config_destroy)
#define _config_ CLEANUP(config_destroy_at)

/* The value of an option; its type must fit (option.h says which fits). */
const char *config_str(const struct config *c, enum option_id id);
bool config_bool(const struct config *c, enum option_id id);
int64_t config_int(const struct config *c, enum option_id id);
const struct strv *config_list(const struct config *c, enum option_id id);

/* Adds the words of the user's editor to argv: those of the option editor
 * (NULL or empty: not set), else of $VISUAL, of $EDITOR, Debian's editor, vi.
 */
int config_editor(const struct strv *option, struct strv *argv,
		  struct err *err);

/* As text, to be freed; and where it comes from: "default", "FILE:LINE" (of
 * the last line that had a part in it) or "command line". */
char *config_text(const struct config *c, enum option_id id);
const char *config_origin(const struct config *c, enum option_id id);

/* What a value of the configuration is called. */
struct config_name {
	char *section; /* "", "dashboard", "service.db"; owned */
	const char *key;
	const struct option *option; /* its row */
};

/* "setup", "dashboard.preview", "service.db.command". -1 with err, and what
 * was probably meant. key is borrowed from name. */
int config_name_parse(const char *name, struct config_name *out,
		      struct err *err);
void config_name_finish(struct config_name *n);

/* One value in force: an option's, or that of a key in a named section. */
struct config_setting {
	const struct option *option; /* its row */
	struct option_value value;
	const char *origin; /* as config_origin(), borrowed */
};

/*
 * By its name (config_name_parse()). -1 with err, and what was probably meant,
 * where there is none, or no section of that name.
 */
int config_get(const struct config *c, const char *name,
	       struct config_setting *out, struct err *err);
void config_setting_finish(struct config_setting *s);

/* The names of all options, then of what the files say in named sections but
 * for harnesses; appended. */
void config_names(const struct config *c, struct strv *out);

/*
 * What the command line says of an option. Lists are replaced, not added to.
 * On failure (ERR_USAGE) nothing has changed.
 */
int config_set(struct config *c, enum option_id id, const char *text,
	       struct err *err);

/* A repository's .af/ that was left out, all of it, because a file in it is
 * not trusted (or was changed since): that file's path, for a warning. Else
 * NULL. */
const char *config_untrusted(const struct config *c);

/* Whether the user trusts the repository (launch_request.trusted). */
bool config_repository_trusted(const struct config *c);

/*
 * All that is known of a harness: share/adapters/NAME.ini, then
 * adapters/NAME.ini beside the user's afw.ini, then [harness.NAME]; of a key
 * that stands in several, the last file's values replace the others'. The
 * object is {"key": ["value", …]}, empty where nothing is known, to be
 * deleted; NULL with err (FILE:LINE) on failure.
 */
cJSON *config_harness(const struct config *c, const char *name,
		      struct err *err);

/* Names with a [harness.NAME] section or a user's adapters/NAME.ini, sorted,
 * appended; those of share/ are not among them. */
void config_harness_names(const struct config *c, struct strv *out);

/*
 * All sections of that kind ("service": section.h), in their order, each whole:
 * [{"name": …, "key": …}], to be deleted; NULL with err where one is not.
 */
cJSON *config_sections(const struct config *c, const char *kind,
		       struct err *err);

/* Their names alone, appended. */
void config_section_names(const struct config *c, const char *kind,
			  struct strv *out);

/*
 * Lays [profile.NAME] over the options. ERR_USAGE, with the nearest, where
 * there is none of that name.
 */
int config_apply_profile(struct config *c, const char *name, struct err *err);

/* The user's file ($XDG_CONFIG_HOME/afw/afw.ini, else ~/.config/afw/afw.ini);
 * NULL where neither variable helps. To be freed. */
char *config_user_file(void);

#endif
