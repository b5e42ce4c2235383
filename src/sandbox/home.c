/* home.c - makes a session's private HOME, with copies of the files that its
 * harness needs. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/env_list.h"
#include "base/file.h"
#include "sandbox/sandbox.h"

#define FILE_MAX_BYTES ((size_t)16 * 1024 * 1024)

/* Variables that lead to the user's home. */
static const char *const others[] = {"XDG_CONFIG_HOME", "XDG_DATA_HOME",
				     "XDG_CACHE_HOME",	"XDG_STATE_HOME",
				     "XDG_RUNTIME_DIR", "CLAUDE_CONFIG_DIR",
				     "CODEX_HOME",	"GEMINI_CLI_HOME",
				     "TMPDIR",		NULL};

static int copy(const char *from, const char *home, const char *name,
		struct err *err)
{
	struct stat theirs, its;
	_buf_ struct buf text = {0};
	const char *base;
	int dir, rc = 0;

	if (stat(from, &theirs) < 0)
		return 0;
	dir = file_open_parent(AT_FDCWD, home, name, 0700, &base);
	if (dir < 0)
		return err_errno(err, "make room for %s/%s", home, name);
	if (fstatat(dir, base, &its, AT_SYMLINK_NOFOLLOW) < 0 ||
	    its.st_mtime < theirs.st_mtime) {
		rc = file_read(AT_FDCWD, from, FILE_MAX_BYTES, &text, err);
		if (rc == 0)
			rc = file_replace(dir, base, text.data ? text.data : "",
					  text.len, false, err);
	}
	close(dir);
	return rc;
}

int sandbox_enter_home(const struct spec *spec, const char *home,
		       const char *const *files, struct strv *env,
		       struct err *err)
{
	const struct sandbox *tier = sandbox_find(spec->sandbox);
	const char *user = getenv("HOME");
	int rc = 0;

	if (!tier || !tier->private_home)
		return 0;
	for (size_t i = 0; others[i]; i++)
		env_apply(env, others[i]);
	env_set(env, "HOME", home);
	for (; user && files && *files && rc == 0; files++) {
		_free_ char *from = file_join(user, *files);
		/* A link of the user is followed. */
		_free_ char *real = realpath(from, NULL);

		if (real)
			rc = copy(real, home, *files, err);
	}
	return rc;
}
