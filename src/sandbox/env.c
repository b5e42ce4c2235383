/* env.c - what of our environment goes into a sandbox: by name, never by
 * what a value looks like. */
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/gitenv.h"
#include "sandbox/sandbox.h"

#define ENV_MAX (128 * 1024) /* what fits into a pipe or a socket */

extern char **environ;

/* A person's place, language and network, and afw's own. */
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
		char *name = mem_strndup(*e, strcspn(*e, "="));
		bool passes =
		    all || matches(always, name) || matches(needs, name) ||
		    matches((const char *const *)spec->env_pass.v, name);

		if (sandbox_env_is_secret(spec, name))
			passes = secrets;
		if (passes && !gitenv_is_local(*e))
			strv_add(out, *e);
		free(name);
	}
}

int sandbox_pour_env(const struct sandbox_start *st, struct err *err)
{
	struct buf text = {0};
	int ends[2], rc = 0;

	for (size_t i = 0; i < st->env->n; i++)
		buf_add(&text, st->env->v[i], strlen(st->env->v[i]) + 1);
	if (st->hold
		? socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0
		: pipe2(ends, O_CLOEXEC) < 0)
		return err_errno(err, "make a pipe");
	if (!st->hold)
		fcntl(ends[1], F_SETPIPE_SZ, ENV_MAX);
	file_set_nonblock(ends[1]);
	if (text.len > ENV_MAX ||
	    file_write_all(ends[1], text.data, text.len) < 0) {
		rc = err_set(err, ERR_LIMIT,
			     "sandbox %s: the environment is larger than "
			     "%d KiB",
			     st->spec->sandbox, ENV_MAX / 1024);
		close(ends[0]);
	}
	if (text.data)
		explicit_bzero(text.data, text.len);
	if (st->hold && rc == 0)
		*st->hold = ends[1];
	else
		close(ends[1]);
	buf_finish(&text);
	if (rc < 0)
		return -1;
	*st->fd = ends[0];
	strv_finish(st->env);
	return 0;
}
