/*
 * landlock.c - what a harness may do, as rules for confine/confine.h, which it
 * is started through. The handle is those rules: a command beside it gets the
 * same walls.
 */
#include "sandbox/landlock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/env_list.h"
#include "base/file.h"
#include "base/gitfile.h"
#include "base/json.h"
#include "base/spawn.h"
#include "session/orphans.h"
#include "wire/program.h"

#define TRY_MS 10000

static const char *const system_paths[] = {"/usr",
					   "/bin",
					   "/sbin",
					   "/lib",
					   "/lib32",
					   "/lib64",
					   "/libx32",
					   "/etc",
					   "/opt",
					   "/nix",
					   "/sys",
					   "/proc",
					   "/run/systemd/resolve",
					   NULL};

/* -- what there is -----------------------------------------------------------
 */

static char *confiner(void)
{
	char *dir = file_program_dir(),
	     *path = file_join(dir, "afw-supervisor");

	free(dir);
	return path;
}

/* Asks the program that would do it: two lines, confine_try(). */
static int ask(int *version, char **namespaces, struct err *err)
{
	char *program = confiner(), *line;
	char *const argv[] = {program, (char *)"confine", NULL};
	struct spawn sp = {.argv = argv, .fd = {-1, -1, -1}};
	struct buf out = {0};
	int status, rc;

	rc = spawn_run(&sp, NULL, &out, NULL, 4096, TRY_MS, &status, err);
	free(program);
	line = rc == 0 && out.data ? strchr(out.data, '\n') : NULL;
	if (line) {
		*version = atoi(out.data);
		*namespaces = mem_strndup(line + 1, strcspn(line + 1, "\n"));
	} else if (rc == 0) {
		rc =
		    err_set(err, ERR_FAILED, "`afw-supervisor confine` failed");
	}
	buf_finish(&out);
	return rc;
}

void landlock_lacks(int version, const char *namespaces, bool ports,
		    struct strv *out)
{
	if (strcmp(namespaces, "yes") != 0)
		strv_addf(out,
			  "sandbox landlock: the system allows no namespace of "
			  "users and mounts (%s): .git, /tmp and shared "
			  "memory are not protected, and it cannot commit",
			  namespaces);
	if (version < 4 && ports)
		strv_add(out, "sandbox landlock: this kernel cannot limit "
			      "ports (Linux 6.7 can)");
	if (version < 6)
		strv_add(out, "sandbox landlock: its signals reach your other "
			      "processes (Linux 6.12 keeps them in)");
}

static int check(const struct spec *spec, struct strv *degraded,
		 struct err *err)
{
	char *namespaces = NULL;
	int version = 0, rc = ask(&version, &namespaces, err);

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

/* A program that may be the user's own: what npm has installed with it, else
 * its file alone. */
static void add_program(const char *name, struct strv *read)
{
	static const char modules[] = "/node_modules/";
	char *found = spawn_find(name);
	char *path = found ? realpath(found, NULL) : NULL;
	char *end = path ? strstr(path, modules) : NULL;

	if (end)
		end[sizeof modules - 2] = '\0';
	if (path)
		strv_add(read, path);
	free(path);
	free(found);
}

/* Where its programs are looked for, but not what else is beside these. */
static void add_path(struct strv *read)
{
	const char *path = getenv("PATH");

	while (path && *path) {
		size_t len = strcspn(path, ":");

		if (path[0] == '/')
			strv_take(read, mem_strndup(path, len));
		path += len + (path[len] == ':');
	}
}

static void add_reads(const struct sandbox_start *st, struct strv *read)
{
	char *program = file_program_dir(), *share = program_share("adapters"),
	     *git = gitfile_dir(st->spec->repository);

	for (size_t i = 0; system_paths[i]; i++)
		strv_add(read, system_paths[i]);
	/* What git keeps for all, and the door's and hooks' program. */
	if (git)
		strv_addf(read, "%s/objects", git);
	strv_add(read, program);
	strv_add(read, share);
	add_program(st->argv->v[0], read);
	add_program("node", read);
	sandbox_reads(st, read);
	add_path(read);
	free(program);
	free(share);
	free(git);
}

static void add_ports(const struct spec *spec, cJSON *rules)
{
	cJSON *ports;

	if (spec->sandbox_ports.n == 0)
		return;
	ports = cJSON_AddArrayToObject(rules, "ports");
	for (size_t i = 0; i < spec->sandbox_ports.n; i++)
		if (atoi(spec->sandbox_ports.v[i]) > 0)
			cJSON_AddItemToArray(
			    ports,
			    cJSON_CreateNumber(atoi(spec->sandbox_ports.v[i])));
}

static void add_rules(const struct sandbox_start *st, cJSON *rules)
{
	const struct spec *spec = st->spec;
	struct strv write = {0}, read = {0}, fixed = {0};
	char *tmp = file_join(st->home, "tmp"),
	     *af = file_join(spec->worktree, ".af");

	strv_add(&write, spec->worktree);
	strv_add(&write, st->home);
	add_reads(st, &read);
	if (spec->private_git) {
		char *file = mem_printf("%s.file", spec->private_git);

		strv_add(&write, spec->private_git);
		json_set_str(rules, "git", file);
		free(file);
	} else {
		strv_addf(&fixed, "%s/.git", spec->worktree);
	}
	if (access(af, F_OK) == 0)
		strv_add(&fixed, af);
	json_set_str(rules, "dir", spec->worktree);
	json_set_str(rules, "tmp", tmp);
	json_set_strv(rules, "write", &write);
	json_set_strv(rules, "read", &read);
	json_set_strv(rules, "fixed", &fixed);
	json_set_bool(rules, "degraded", spec->allow_degraded);
	add_ports(spec, rules);
	strv_finish(&write);
	strv_finish(&read);
	strv_finish(&fixed);
	free(af);
	free(tmp);
}

static int wrap(const struct sandbox_start *st, const cJSON *rules,
		struct err *err)
{
	const char *tmp = json_str_or(rules, "tmp", "");
	struct strv argv = {0};
	char *text;

	if (file_private_dir(tmp, err) < 0)
		return -1;
	/* /tmp itself where there are namespaces. */
	env_set(st->env, "TMPDIR", st->degraded->n ? tmp : "/tmp");
	text = cJSON_PrintUnformatted(rules);
	strv_take(&argv, confiner());
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
	add_rules(st, handle);
	return wrap(st, handle, err);
}

static int exec_landlock(const struct sandbox_start *st, const cJSON *handle,
			 struct err *err)
{
	cJSON *rules =
	    handle ? cJSON_Duplicate(handle, 1) : cJSON_CreateObject();
	int rc;

	if (!handle)
		add_rules(st, rules);
	rc = wrap(st, rules, err);
	cJSON_Delete(rules);
	return rc;
}

static int stop(const struct spec *spec, const cJSON *handle, int64_t grace_ms,
		struct err *err)
{
	return orphans_end(spec->id, grace_ms, err) < 0 ? -1 : 0;
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
    .stop = stop,
};
