/* settings.h - the configuration, as commands load it. */
#ifndef AFW_COMMANDS_LAUNCH_SETTINGS_H
#define AFW_COMMANDS_LAUNCH_SETTINGS_H

#include <cjson/cJSON.h>

#include "base/err.h"
#include "config/config.h"
#include "config/config_edit.h"
#include "config/filetree.h"
#include "session/live/limit.h"
#include "session/session.h"
#include "session/spec.h"

/*
 * config_load() with afw's own directories and the adapters' keys.
 * repository is that of session_repository_of(), or NULL. To be destroyed
 * with config_destroy().
 */
int settings_load(struct config **out, const char *repository, struct err *err);

/* The same in the repository here, if there is one. */
int settings_load_here(struct config **out, struct err *err);

/*
 * As settings_load(), for commands that must work whatever is in a file: a
 * wrong line is skipped, with a warning (once in a process). Fails only if
 * the data directory cannot be found.
 */
int settings_load_usable(struct config **out, const char *repository,
			 struct err *err);

/* How long the trash keeps (trash_keep); 0: for ever. */
int64_t settings_trash_keep(void);

/* As template_check_repository(). */
int settings_check_repository(const char *repository, const struct filetree *af,
			      struct err *err);

/* As config_edit_commit(), with the adapters' keys. */
int settings_commit(const struct config_edit *e, const char *called,
		    const struct buf *text, struct err *err);

/* Appends share/afw.ini, which has all options with their defaults. */
int settings_read_example(struct buf *out, struct err *err);

/* Warns where the repository's .af/ is left out; whether it is. */
bool settings_warn_untrusted(const struct config *c);

/* What the supervisor is to know of [notify] (afw-protocol(7), start). */
cJSON *settings_notify(const struct config *c);

/* Sets *image to that of [harness.NAME], to be freed; NULL if it has none. */
int settings_harness_image(const struct config *c, const char *harness,
			   char **image, struct err *err);

/* Sets what of s each start reads anew (env_pass, the timeouts of stop and
 * stall); true where one was another. */
bool settings_apply(const struct config *c, struct spec *s);

/*
 * Brings the spec of a session that is to be started again up to date: the
 * section of its harness (one that has gone leaves what was there), what
 * settings_apply() sets, the overrides that s has, and the names of the
 * variables that are given ("K=V"). For the lock's holder.
 */
int settings_refresh(const struct config *c, const struct session *s,
		     const struct strv *given, struct err *err);

/* worktree_location as an absolute path, to be freed; NULL: beside the
 * repository. */
char *settings_location(const struct config *c);

/* How many sessions the configuration allows. */
struct limit settings_limit(const struct config *c);

#endif
