/*
 * template.h - a role's blueprint: a directory with
 *
 *	template.ini	what afw.ini may have, laid over it
 *	prompt.md	text for the agent's system prompt
 *	home/		files for the agent's home, where the session has its
 *own
 *
 * each of which may be missing. In the first two, ${AFW_ROLE} and its like
 * (expand.h) are what they are of the session. It is the first of that name in
 *.af/templates of the repository (where that is trusted; its template.ini may
 *have what a repository's afw.ini may), templates/ of the data directory (the
 *user's own), and templates/ of share/ (afw's).
 */
#ifndef AFW_CONFIG_TEMPLATE_H
#define AFW_CONFIG_TEMPLATE_H

#include "base/buf.h"
#include "config/config.h"
#include "config/expand.h"
#include "config/filetree.h"

#define TEMPLATE_INI	"template.ini"
#define TEMPLATE_PROMPT "prompt.md"

/* Lays its template.ini over c. values NULL: of no session, for who only looks
 * whether it is sound. ERR_USAGE, with the nearest, where there is no
 * such template; ERR_REFUSED where there is but the repository is not trusted
 * with it; ERR_FAILED with FILE:LINE where it has a mistake. */
int template_apply(struct config *c, const char *name,
		   const struct expand_values *values, struct err *err);

/* Whether the repository has one of that name which does not count before it
 * is trusted, with err (ERR_REFUSED), even if another one does. */
bool template_is_untrusted(const struct config *c, const char *name,
			   struct err *err);

/* Its directory, to be freed; NULL: there is none. */
char *template_dir(const struct config *c, const char *name);

/*
 * A file of it, appended to out: 1, 0 where it has none (nor where there is no
 * such template), -1 with err. The user's own may be a link.
 */
int template_read(const struct config *c, const char *name, const char *file,
		  struct buf *out, struct err *err);

/* Its prompt, expanded, as template_read(). */
int template_prompt(const struct config *c, const char *name,
		    const struct expand_values *values, struct buf *out,
		    struct err *err);

/* The files of its home/, to be finished; as filetree_read(). */
int template_home(const struct config *c, const char *name,
		  struct filetree *out, struct err *err);

/* All files that it has; as filetree_read(). ERR_USAGE where there is none of
 * that name. */
int template_files(const struct config *c, const char *name,
		   struct filetree *out, struct err *err);

/* "repository", "user" or "afw", whose it is; NULL with err where there is
 * none. */
const char *template_owner(const struct config *c, const char *name,
			   struct err *err);

/* Makes one of the user's own with these files, all at once: its directory, to
 * be freed. NULL with err: ERR_USAGE where it cannot have that name,
 * ERR_CONFLICT where the user has one. */
char *template_make(const struct config *c, const char *name,
		    const struct filetree *files, struct err *err);

/* What a repository has in its .af/ (trust_read()) is checked as if it were
 * used, and given up. For `afw trust`, which trusts only what would load. */
int template_check_repository(const struct config_where *where,
			      const struct filetree *af, struct err *err);

/* All names, sorted, appended. */
void template_names(const struct config *c, struct strv *out);

#endif
