/* env.c - chooses the variables of our environment for a sandbox: by name,
 * never by value. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/gitenv.h"
#include "base/venv.h"
#include "sandbox/sandbox.h"

extern char **environ;

/* The user's place, language and network, and afw's own. */
static const char *const always[] = {
    "PATH",	  "HOME",	 "USER",
    "LOGNAME",	  "SHELL",	 "TERM",
    "LANG",	  "LANGUAGE",	 "LC_*",
    "TZ",	  "TMPDIR",	 "EDITOR",
    "VISUAL",	  "PAGER",	 "NO_COLOR",
    "*_proxy",	  "*_PROXY",	 "SSL_CERT_*",
    "GIT_*_NAME", "GIT_*_EMAIL", "NODE_EXTRA_CA_CERTS",
    "XDG_*",	  "AF_*",	 NULL};

static bool matches(const char *const *patterns, const char *name)
{
	for (; patterns && *patterns; patterns++)
		if (fnmatch(*patterns, name, 0) == 0)
			return true;
	return false;
}

bool sandbox_env_is_secret(const struct spec *spec, const char *name)
{
	return strv_has(&spec->env_names, name) && !matches(always, name);
}

void sandbox_env(const struct spec *spec, const char *const *needs,
		 bool secrets, struct strv *out)
{
	const struct sandbox *tier = sandbox_find(spec->sandbox);
	bool all = tier && tier->passes_env && spec->env_pass.n == 0;

	for (char **e = environ; *e; e++) {
		_free_ char *name = mem_strndup(*e, strcspn(*e, "="));
		bool passes =
		    all || matches(always, name) || matches(needs, name) ||
		    matches((const char *const *)spec->env_pass.v, name);

		if (sandbox_env_is_secret(spec, name))
			passes = secrets;
		if (passes && !gitenv_is_local(*e))
			strv_add(out, *e);
	}
	venv_move(out, spec->repository, spec->worktree);
}
