/*
 * gemini_home.c - adds hooks to one session of Gemini CLI, without changing the
 * user's files.
 *
 * Gemini CLI reads hooks from settings.json, which is in its home
 * (GEMINI_CLI_HOME), and from extensions, which are in that home, too. So the
 * session gets its own home: settings, login, memory, commands and
 * conversations in it are links to the user's; only one extension, beside the
 * user's, is ours. A copy of settings.json with hooks would also copy the
 * secrets in it, would lose changes that the user makes in a session, and has
 * no effect in an untrusted folder.
 *
 * In a sandbox the home of the session is its own already, and the agent can
 * write there: nothing is linked, and no link is followed.
 *
 * Files that Gemini CLI replaces by rename(2) would replace a link: each home
 * has its own projects.json (it is rebuilt from the marks in the conversations'
 * directories), and trustedFolders.json is named by a variable.
 */
#include "adapters/gemini/gemini.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adapters/launch.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/json.h"
#include "base/version.h"

#define ENTRIES_MAX  2000 /* links in one directory */
#define CONTEXT_FILE "AFW.md"

/* Opens the directory name in dirfd, and makes it if needed; deletes a link or
 * a file in its place. */
static int open_dir(int dirfd, const char *name, struct err *err)
{
	int fd;

	for (int tries = 0; tries < 2; tries++) {
		if (mkdirat(dirfd, name, 0700) < 0 && errno != EEXIST)
			break;
		fd = openat(dirfd, name,
			    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd >= 0)
			return fd;
		if ((errno != ENOTDIR && errno != ELOOP) ||
		    unlinkat(dirfd, name, 0) < 0)
			break;
	}
	return err_errno(err, "make %s in the session's home", name);
}

/* Makes dirfd/name a link to path; an existing directory there stays. */
static int make_link(const struct launch_request *rq, int dirfd,
		     const char *name, const char *path, struct err *err)
{
	_free_ char *target = launch_path(rq, path);

	if (symlinkat(target, dirfd, name) == 0)
		return 0;
	if (errno != EEXIST)
		return err_errno(err, "link %s", target);
	if (unlinkat(dirfd, name, 0) < 0)
		return errno == EISDIR ? 0 : err_errno(err, "replace %s", name);
	if (symlinkat(target, dirfd, name) < 0)
		return err_errno(err, "link %s", target);
	return 0;
}

static bool is_one_of(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (strcmp(name, *names) == 0)
			return true;
	return false;
}

/* Makes links to everything in from except those names; from may be missing. */
static int link_all(const struct launch_request *rq, int dirfd,
		    const char *from, const char *const *but, struct err *err)
{
	DIR *d = opendir(from);
	const struct dirent *e;
	int rc = 0;

	for (int n = 0; d && rc == 0 && n < ENTRIES_MAX && (e = readdir(d));
	     n++) {
		char *target;

		if (is_one_of(e->d_name, but))
			continue;
		target = file_join(from, e->d_name);
		rc = make_link(rq, dirfd, e->d_name, target, err);
		free(target);
	}
	if (d)
		closedir(d);
	return rc;
}

/* Only if the user has none: there is nothing to link to, and nothing to
 * lose. */
static int write_settings(int dirfd, struct err *err)
{
	_json_ cJSON *o = cJSON_CreateObject();
	cJSON *auth = json_set_object(json_set_object(o, "security"), "auth");

	json_set_str(auth, "selectedType", "gemini-api-key");
	return json_save(dirfd, "settings.json", o, false, err);
}

static int link_user(const struct launch_request *rq, int dirfd,
		     const char *user_dir, struct err *err)
{
	static const char *const own[] = {".",
					  "..",
					  "extensions",
					  "projects.json",
					  "projects.json.lock",
					  "trustedFolders.json",
					  NULL};
	/* Files that Gemini CLI makes at its first start or login: links to
	 * files that do not exist yet, so that it makes them in the user's
	 * directory. */
	static const char *const later[] = {"settings.json",
					    "oauth_creds.json",
					    "google_accounts.json",
					    "gemini-credentials.json",
					    "mcp-oauth-tokens.json",
					    "installation_id",
					    "state.json",
					    NULL};
	static const char *const dirs[] = {"tmp", "history", NULL};
	int rc = 0;

	if (mkdir(user_dir, 0700) < 0 && errno != EEXIST)
		return err_errno(err, "make %s", user_dir);
	for (size_t i = 0; rc == 0 && dirs[i]; i++) {
		_free_ char *dir = file_join(user_dir, dirs[i]);

		if (mkdir(dir, 0755) < 0 && errno != EEXIST)
			rc = err_errno(err, "make %s", dir);
	}
	for (size_t i = 0; rc == 0 && later[i]; i++) {
		_free_ char *target = file_join(user_dir, later[i]);

		rc = make_link(rq, dirfd, later[i], target, err);
	}
	return rc == 0 ? link_all(rq, dirfd, user_dir, own, err) : rc;
}

static int write_hooks(const struct launch_request *rq, int dirfd,
		       struct err *err)
{
	_json_ cJSON *o = cJSON_CreateObject();
	cJSON *hooks = json_set_object(o, "hooks");
	_free_ char *door = launch_path(rq, rq->door);
	_strv_ struct strv events = {0};
	int dir, rc = -1;

	hook_names(rq->rules, &events);
	for (size_t i = 0; i < events.n; i++) {
		cJSON *hook =
		    launch_add_hook(rq, hooks, events.v[i], 10000 /* ms */);

		json_set_str(hook, "name", "afw");
		/* The user may configure it to hide variables from its
		 * children. */
		json_set_str(json_set_object(hook, "env"), "AF_DOOR", door);
	}
	dir = open_dir(dirfd, "hooks", err);
	if (dir >= 0) {
		rc = json_save(dir, "hooks.json", o, false, err);
		close(dir);
	}
	return rc;
}

/* It inserts "${NAME}" itself, from its environment. */
static void add_mcp(const struct launch_request *rq, cJSON *o,
		    struct launch *out)
{
	cJSON *servers = launch_mcp(rq, out), *s;

	cJSON_ArrayForEach (s, servers)
		if (json_str(s, "command"))
			cJSON_DeleteItemFromObjectCaseSensitive(s, "type");
	if (servers)
		cJSON_AddItemToObject(o, "mcpServers", servers);
}

/* Writes prompt and instructions as the extension's own context: Gemini CLI's
 * system prompt can be replaced (GEMINI_SYSTEM_MD), but not extended. */
static int write_context(const struct launch_request *rq, int dirfd, cJSON *o,
			 struct err *err)
{
	_free_ char *text = launch_prompt(rq);
	int rc = 0;

	if (text) {
		json_set_str(o, "contextFileName", CONTEXT_FILE);
		rc = file_replace(dirfd, CONTEXT_FILE, text, strlen(text),
				  false, err);
	}
	return rc;
}

static int write_extension(const struct launch_request *rq, int dirfd,
			   struct launch *out, struct err *err)
{
	int dir = open_dir(dirfd, GEMINI_EXTENSION, err), rc;
	cJSON *o;

	if (dir < 0)
		return -1;
	o = cJSON_CreateObject();
	json_set_str(o, "name", GEMINI_EXTENSION);
	json_set_str(o, "version", AFW_VERSION);
	add_mcp(rq, o, out);
	rc = write_context(rq, dir, o, err);
	if (rc == 0)
		rc = json_save(dir, "gemini-extension.json", o, false, err);
	if (rc == 0)
		rc = write_hooks(rq, dir, err);
	cJSON_Delete(o);
	close(dir);
	return rc;
}

/* Fills the directory .gemini, open as dirfd. */
static int fill(const struct launch_request *rq, int dirfd,
		const char *user_dir, struct launch *out, struct err *err)
{
	static const char *const own[] = {".", "..", GEMINI_EXTENSION, NULL};
	_free_ char *theirs = file_join(user_dir, "extensions");
	bool own_home = launch_has_own_home(rq);
	int dir = -1, rc = own_home ? 0 : link_user(rq, dirfd, user_dir, err);

	if (rc == 0 && gemini_auth_by_key(rq->environ_now, user_dir))
		rc = write_settings(dirfd, err);
	if (rc == 0)
		dir = open_dir(dirfd, "extensions", err);
	if (dir < 0)
		return -1;
	if (!own_home)
		rc = link_all(rq, dir, theirs, own, err);
	if (rc == 0)
		rc = write_extension(rq, dir, out, err);
	close(dir);
	return rc;
}

/* Links the files that Gemini CLI looks for beside its directory. */
static int link_beside(const struct launch_request *rq, int dirfd,
		       const char *user_dir, struct err *err)
{
	static const char *const names[] = {".agents", ".env", NULL};
	size_t len = strlen(user_dir) - strlen("/.gemini");
	int rc = 0;

	for (size_t i = 0; rc == 0 && names[i]; i++) {
		_free_ char *target =
		    mem_printf("%.*s/%s", (int)len, user_dir, names[i]);

		if (access(target, F_OK) == 0)
			rc = make_link(rq, dirfd, names[i], target, err);
	}
	return rc;
}

int gemini_home_make(const struct launch_request *rq, const char *user_dir,
		     struct launch *out, struct err *err)
{
	bool own_home = launch_has_own_home(rq);
	int top = open(rq->home, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int home = -1, dir = -1, rc = -1;

	if (top < 0)
		return err_errno(err, "open %s", rq->home);
	home = open_dir(top, own_home ? "." : "gemini", err);
	if (home >= 0)
		dir = open_dir(home, ".gemini", err);
	if (dir >= 0 && fill(rq, dir, user_dir, out, err) == 0 &&
	    (own_home || link_beside(rq, home, user_dir, err) == 0)) {
		strv_addf(&out->env, "GEMINI_CLI_HOME=%s%s", rq->home,
			  own_home ? "" : "/gemini");
		if (!environ_get(rq->environ_now,
				 "GEMINI_CLI_TRUSTED_FOLDERS_PATH"))
			strv_addf(&out->env,
				  "GEMINI_CLI_TRUSTED_FOLDERS_PATH="
				  "%s/trustedFolders.json",
				  user_dir);
		rc = 0;
	}
	file_close(dir);
	file_close(home);
	close(top);
	return rc;
}
