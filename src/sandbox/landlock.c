/*
 * landlock.c - tier landlock: makes the rules of confine/confine.h, through
 * which the harness is started. The handle is those rules, so that a later
 * command has the same limits.
 */
#include "sandbox/landlock.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/gitfile.h"
#include "base/json.h"
#include "base/spawn.h"
#include "wire/program.h"

#define TRY_MS 10000

static const char *const system_paths[] = {
    "/usr", "/bin", "/sbin", "/lib",  "/lib32", "/lib64", "/libx32",
    "/etc", "/opt", "/nix",  "/proc", "/sys",	NULL};

/* -- what there is -----------------------------------------------------------
 */

/* Runs the program that would enforce it: two lines, confine_try(). */
static int probe_kernel(int *version, char **namespaces, struct err *err)
{
	_free_ char *program = program_find("afw-supervisor");
	char *line;
	char *const argv[] = {program, (char *)"confine", NULL};
	struct spawn sp = {.argv = argv, .fd = {-1, -1, -1}};
	_buf_ struct buf out = {0};
	int status, rc;

	rc = spawn_run(&sp, NULL, &out, NULL, 4096, TRY_MS, &status, err);
	line = rc == 0 && out.data ? strchr(out.data, '\n') : NULL;
	if (line) {
		*version = atoi(out.data);
		*namespaces = mem_strndup(line + 1, strcspn(line + 1, "\n"));
	} else if (rc == 0) {
		rc =
		    err_set(err, ERR_FAILED, "`afw-supervisor confine` failed");
	}
	return rc;
}

void landlock_lacks(int version, const char *namespaces, bool ports,
		    struct strv *out)
{
	if (strcmp(namespaces, "yes") != 0)
		strv_addf(out,
			  "sandbox landlock: the system allows no namespace of "
			  "users and mounts (%s): its .git, shared memory, and "
			  "the mode, owner, times and attributes of all your "
			  "files are not protected; it cannot commit, and has "
			  "no /tmp",
			  namespaces);
	if (version < 4 && ports)
		strv_add(out, "sandbox landlock: this kernel cannot limit "
			      "ports (Linux 6.7 can)");
	if (version < 6)
		strv_add(out, "sandbox landlock: its signals reach your other "
			      "processes (Linux 6.12 can prevent it)");
}

static int check(const struct spec *spec, struct strv *degraded,
		 struct err *err)
{
	char *namespaces = NULL;
	int version = 0, rc = probe_kernel(&version, &namespaces, err);

	if (rc == 0 && version == 0) {
		err_set(err, ERR_FAILED,
			"sandbox landlock: this kernel has no Landlock");
		rc = err_hint(err, "Linux 5.13 has, where landlock is in "
				   "/sys/kernel/security/lsm");
	} else if (rc == 0) {
		landlock_lacks(version, namespaces, spec->sandbox_ports.n > 0,
			       degraded);
	}
	free(namespaces);
	return rc;
}

/* -- its rules ---------------------------------------------------------------
 */

/* Adds the directories of PATH, but not other files near them. */
static void add_path(const struct sandbox_start *st, struct strv *read)
{
	const char *path = getenv("PATH");

	while (path && *path) {
		size_t len = strcspn(path, ":");
		_free_ char *part = mem_strndup(path, len);

		if (sandbox_can_grant(st, part))
			strv_add(read, part);
		path += len + (path[len] == ':');
	}
}

/* The portable afw has its libraries in a directory of its own. The kernel's
 * library has no path: a name would be looked up where an agent may write. */
static int add_library(struct dl_phdr_info *info, size_t size, void *read)
{
	char *path =
	    info->dlpi_name[0] == '/' ? realpath(info->dlpi_name, NULL) : NULL;

	if (path)
		strv_take(read, path);
	return 0;
}

static void add_reads(const struct sandbox_start *st, struct strv *read)
{
	for (size_t i = 0; system_paths[i]; i++)
		strv_add(read, system_paths[i]);
	strv_add(read, "/run/systemd/resolve"); /* as /etc/resolv.conf */
	/* git's data for all worktrees, and the program of the door and the
	 * hooks. */
	for (size_t i = 0; i < spec_count(st->spec); i++) {
		_free_ char *git = gitfile_dir(spec_of(st->spec, i).repository);

		if (git)
			strv_addf(read, "%s/objects", git);
	}
	strv_take(read, program_find("afw-supervisor"));
	dl_iterate_phdr(add_library, read);
	strv_take(read, program_share("adapters"));
	free(sandbox_program(st, st->argv->v[0], read));
	free(sandbox_program(st, "node", read));
	sandbox_reads(st, read);
	add_path(st, read);
}

static void add_worktree(const struct spec *spec, cJSON *gits,
			 struct strv *write, struct strv *fixed)
{
	_free_ char *af = file_join(spec->worktree, ".af"),
		    *own = file_join(spec->worktree, ".git"),
		    *file = mem_printf(
			"%s.file", spec->private_git ? spec->private_git : "");

	strv_add(write, spec->worktree);
	if (spec->private_git) {
		strv_add(write, spec->private_git);
		json_set_str(gits, spec->worktree, file);
	} else {
		strv_add(fixed, own);
	}
	if (access(af, F_OK) == 0)
		strv_add(fixed, af);
}

static int add_rules(const struct sandbox_start *st, cJSON *rules,
		     struct err *err)
{
	const struct spec *spec = st->spec;
	_strv_ struct strv write = {0}, read = {0}, fixed = {0};
	_free_ char *tmp = sandbox_tmp(st, err);
	cJSON *gits = json_set_object(rules, "gits");

	if (!tmp)
		return -1;
	for (size_t i = 0; i < spec_count(spec); i++) {
		struct spec one = spec_of(spec, i);

		add_worktree(&one, gits, &write, &fixed);
	}
	strv_add(&write, st->home);
	strv_add(&write, tmp);
	add_reads(st, &read);
	json_set_str(rules, "dir", spec->worktree);
	json_set_str(rules, "subdir", st->at_top ? NULL : spec->subdir);
	json_set_str(rules, "tmp", tmp);
	json_set_strv(rules, "write", &write);
	json_set_strv(rules, "read", &read);
	json_set_strv(rules, "fixed", &fixed);
	json_set_bool(rules, "degraded", spec->allow_degraded);
	if (spec->sandbox_ports.n > 0)
		json_set_strv(rules, "ports", &spec->sandbox_ports);
	return 0;
}

/* The program that confines the command gets only the session's id. */
static int wrap(const struct sandbox_start *st, const cJSON *rules,
		struct err *err)
{
	struct strv argv = {0}, env = {0};
	char *text;

	for (size_t i = 0; i < st->env->n; i++)
		if (strncmp(st->env->v[i], "AF_SESSION", 10) == 0)
			strv_add(&env, st->env->v[i]);
	if (sandbox_send_env(st, err) < 0) {
		strv_finish(&env);
		return -1;
	}
	*st->env = env;
	text = cJSON_PrintUnformatted(rules);
	strv_take(&argv, program_find("afw-supervisor"));
	strv_add(&argv, "confine");
	strv_add(&argv, text);
	strv_copy(&argv, st->argv);
	strv_finish(st->argv);
	*st->argv = argv;
	free(text);
	return 0;
}

static int open_landlock(const struct sandbox_start *st, cJSON *handle,
			 struct err *err)
{
	if (add_rules(st, handle, err) < 0)
		return -1;
	return wrap(st, handle, err);
}

static int exec_landlock(const struct sandbox_start *st, const cJSON *handle,
			 struct err *err)
{
	_json_ cJSON *rules =
	    handle ? cJSON_Duplicate(handle, true) : cJSON_CreateObject();
	int rc = handle ? 0 : add_rules(st, rules, err);
	cJSON *read = json_get(rules, "read");

	for (size_t i = 0; rc == 0 && st->read && i < st->read->n; i++)
		cJSON_AddItemToArray(read, cJSON_CreateString(st->read->v[i]));
	if (rc == 0)
		rc = wrap(st, rules, err);
	return rc;
}

const struct sandbox sandbox_landlock = {
    .name = "landlock",
    .promise = "writes only in its worktree, its home and its /tmp; no "
	       "sockets of this machine",
    .private_home = true,
    .private_git = true,
    .check = check,
    .open = open_landlock,
    .exec = exec_landlock,
};
