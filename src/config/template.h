/*
 * template.h - the settings of a role: a section [template.NAME] of afw.ini, or
 * a directory with
 *
 * 	template.ini	keys as in afw.ini, which they override
 * 	prompt.md	text for the agent's system prompt
 * 	home/		files for the agent's home, if the session has its own
 *
 * Each may be missing; the options of a section count more than those of a
 * directory of its name. In the first two, ${AFW_ROLE} and the like (expand.h)
 * are replaced by the session's values. A directory is searched, in this order,
 * in the repository's .af/templates (if it is trusted; template.ini may then
 * have the keys of a repository's afw.ini), in templates/ of the data directory
 * (the user's) and in templates/ of share/ (afw's).
 */
#ifndef AFW_CONFIG_TEMPLATE_H
#define AFW_CONFIG_TEMPLATE_H

#include "base/buf.h"
#include "config/config.h"
#include "config/expand.h"
#include "config/filetree.h"

#define TEMPLATE_INI	"template.ini"
#define TEMPLATE_PROMPT "prompt.md"
#define TEMPLATE_KIND	"template" /* of its section */

/* Reads its template.ini and its section into c. values NULL: without a
 * session, only to check it. ERR_USAGE, with the nearest name, if there is no
 * such template; ERR_REFUSED if the repository has it and is not trusted;
 * ERR_FAILED with FILE:LINE if it has a mistake. */
int template_apply(struct config *c, const char *name,
		   const struct expand_values *values, struct err *err);

/* True, with err (ERR_REFUSED), if the repository has one of that name that is
 * ignored because it is not trusted, even if another place has one. */
bool template_is_untrusted(const struct config *c, const char *name,
			   struct err *err);

/* Returns its directory, to be freed; NULL if it has none. */
char *template_dir(const struct config *c, const char *name);

/*
 * Appends a file of it to out and returns 1; 0 if it has no such file, or there
 * is no such template; -1 with err. The user's own may be a link.
 */
int template_read(const struct config *c, const char *name, const char *file,
		  struct buf *out, struct err *err);

/* Returns the first line of its prompt, which describes it ("": it has none),
 * to be freed. */
char *template_summary(const struct config *c, const char *name);

/* Appends its prompt, expanded; returns as template_read(). */
int template_prompt(const struct config *c, const char *name,
		    const struct expand_values *values, struct buf *out,
		    struct err *err);

/* Reads the files of its home/, to be finished; as filetree_read(). */
int template_read_home(const struct config *c, const char *name,
		       struct filetree *out, struct err *err);

/* Reads all its files; as filetree_read(). ERR_USAGE if there is no such
 * template, or only a section. */
int template_files(const struct config *c, const char *name,
		   struct filetree *out, struct err *err);

/* Returns its owner: "repository", "user" or "afw", or "section" if it has only
 * that; NULL with err if there is no such template. */
const char *template_owner(const struct config *c, const char *name,
			   struct err *err);

/* Makes a template of the user with these files, in one step, and returns its
 * directory, to be freed. NULL with err: ERR_USAGE if the name is not allowed,
 * ERR_CONFLICT if the user has one of that name. */
char *template_create(const struct config *c, const char *name,
		      const struct filetree *files, struct err *err);

/* Checks the files of a repository's .af/ (trust_read()), afw.ini and all
 * templates, as they would be used. For `afw trust`, which trusts only what
 * would load. */
int template_check_repository(const struct config_where *where,
			      const struct filetree *af, struct err *err);

/* Appends all names, sorted. */
void template_names(const struct config *c, struct strv *out);

#endif
