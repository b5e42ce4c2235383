/* settings.h - loads the configuration for commands. */
#ifndef AFW_COMMANDS_LAUNCH_SETTINGS_H
#define AFW_COMMANDS_LAUNCH_SETTINGS_H

#include <cjson/cJSON.h>

#include "base/err.h"
#include "config/config.h"
#include "config/config_edit.h"
#include "config/filetree.h"
#include "session/session.h"
#include "session/spec.h"

/*
 * Calls config_load() with afw's own directories and the adapters' keys.
 * repository is from session_repository_of(), or NULL. The caller calls
 * config_destroy().
 */
int settings_load(struct config **out, const char *repository, struct err *err);

/* Does the same for the repository of the current directory, if there is
 * one. */
int settings_load_here(struct config **out, struct err *err);

/*
 * Like settings_load(), for commands that must work whatever the files contain:
 * a wrong line is skipped, with one warning in a process. Fails only if the
 * data directory cannot be found.
 */
int settings_load_usable(struct config **out, const char *repository,
			 struct err *err);

/* Returns trash_keep, how long the trash keeps an entry, in ms; 0: for ever. */
int64_t settings_trash_keep(void);

/* Like template_check_repository(). */
int settings_check_repository(const char *repository, const struct filetree *af,
			      struct err *err);

/* Like config_edit_commit(), with the adapters' keys. */
int settings_commit(const struct config_edit *e, const char *called,
		    const struct buf *text, struct err *err);

/* Warns if the repository's .af/ is ignored, and returns whether it is. */
bool settings_warn_untrusted(const struct config *c);

/* Returns the options of [notify] for the supervisor (afw-protocol(7),
 * start). */
cJSON *settings_notify(const struct config *c);

/* Sets *image to that of [harness.NAME], for the caller to free; NULL if it has
 * none. */
int settings_harness_image(const struct config *c, const char *harness,
			   char **image, struct err *err);

/* Sets the members of s that are options, those of .at_creation only if it is
 * created; returns true if one has changed. */
bool settings_apply(const struct config *c, struct spec *s, bool created);

/* Sets the prices of models (config/prices.h); returns whether they have
 * changed, or -1 with err if a file of them has nonsense. */
int settings_prices(struct spec *s, struct err *err);

/*
 * Updates the spec of a session that is started again: the prices, the section
 * of its harness (kept as it is if the configuration no longer has it), what
 * settings_apply() sets, the rules for approvals, the overrides of s, and the
 * names of the variables that are given ("K=V"). The caller holds the lock.
 */
int settings_refresh(const struct config *c, const struct session *s,
		     const struct strv *given, struct err *err);

/* Returns worktree_location as an absolute path, for the caller to free; NULL:
 * beside the repository. */
char *settings_location(const struct config *c);

#endif
