/*
 * podman_mounts.c - makes the options that mount what a container sees.
 *
 * The session's directories have their own paths inside, which do not show the
 * user's; paths that the user names are the same as outside. afw's own program
 * is mounted with the loader and the libraries that it uses here: an image may
 * have others, or none.
 */
#include "sandbox/podman_mounts.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/gitfile.h"
#include "base/spawn.h"
#include "sandbox/confine/inside.h"
#include "sandbox/podman_engine.h"
#include "wire/program.h"

#define TRACE_MS 5000

/* True if the path can be mounted. A path with a ':' or ',' would be read as
 * options: it is left out, or refused if it is needed. */
static bool can_mount(const char *path)
{
	return !strpbrk(path, ":,\n");
}

static void add_mount(struct strv *argv, const char *from, const char *to,
		      const char *how)
{
	if (!can_mount(from) || !can_mount(to))
		return;
	strv_add(argv, "--volume");
	strv_addf(argv, "%s:%s:%s", from, to, how);
}

static void add_read(struct strv *argv, const char *path)
{
	if (access(path, F_OK) == 0)
		add_mount(argv, path, path, "ro");
}

/* True for a directory of the system, which the image provides. */
static bool is_system(const char *path)
{
	static const char *const places[] = {"/usr/", "/bin/", "/sbin/", "/lib",
					     NULL};

	for (size_t i = 0; places[i]; i++)
		if (strncmp(path, places[i], strlen(places[i])) == 0)
			return true;
	return false;
}

/* Returns the path to run it by, to be freed, or NULL if it is the image's. */
static char *add_program(const struct sandbox_start *st, struct strv *argv,
			 const char *name)
{
	_strv_ struct strv read = {0};
	char *path = sandbox_program(st, name, &read);

	if (path && !is_system(path)) {
		add_read(argv, read.v[0]);
	} else {
		free(path);
		path = NULL;
	}
	return path;
}

/* Mounts each library that this program uses, under the name that it asks
 * for. */
static int add_library(struct dl_phdr_info *info, size_t size, void *argv)
{
	const char *path = info->dlpi_name, *name = strrchr(path, '/');
	char *to;

	if (!name)
		return 0; /* the program itself, and the kernel's library */
	to = strncmp(name, "/ld-", 4) == 0
		 ? mem_strdup(PODMAN_OWN "/ld.so")
		 : mem_printf(PODMAN_OWN "/lib%s", name);
	add_mount(argv, path, to, "ro");
	free(to);
	return 0;
}

/* The same of another program, which its loader lists, as for ldd(1). */
static void add_libraries_of(char *program, struct strv *argv)
{
	static char trace[] = "LD_TRACE_LOADED_OBJECTS=1";
	char *const words[] = {program, NULL}, *const env[] = {trace, NULL};
	struct spawn sp = {.argv = words, .envp = env, .fd = {-1, -1, -1}};
	_buf_ struct buf out = {0};
	char *save = NULL, *path;
	int status;

	buf_adds(&out, "");
	spawn_run(&sp, NULL, &out, NULL, 65536, TRACE_MS, &status, NULL);
	for (char *line = strtok_r(out.data, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		struct dl_phdr_info info = {0};

		path = strchr(line, '/');
		if (!path)
			continue;
		path[strcspn(path, " ")] = '\0';
		info.dlpi_name = path;
		add_library(&info, sizeof info, argv);
	}
}

void podman_mounts_add_own_program(struct strv *argv)
{
	_free_ char *self = program_find("afw-supervisor"),
		    *is = realpath("/proc/self/exe", NULL);

	if (is && strcmp(strrchr(is, '/') + 1, "afw-supervisor") == 0)
		dl_iterate_phdr(add_library, argv);
	else
		add_libraries_of(self, argv);
	add_mount(argv, self, PODMAN_OWN "/afw-supervisor", "ro");
}

static void add_place(struct strv *out, char *from, const char *to)
{
	if (!from)
		return;
	strv_take(out, from);
	strv_add(out, to);
}

/* Several are next to each other, as outside, under their names. */
char *podman_mounts_worktree(const struct spec *spec, size_t i)
{
	return spec->with ? mem_printf(PODMAN_WORKSPACE "/%s",
				       spec_of(spec, i).repository_name)
			  : mem_strdup(PODMAN_WORKSPACE);
}

/* The directories of git for the i-th worktree: "/git", "/git-api". */
static void add_git_places(const struct spec *spec, size_t i, struct strv *out)
{
	struct spec one = spec_of(spec, i);
	const char *dash = i ? "-" : "", *name = i ? one.repository_name : "";
	_free_ char *git = gitfile_dir(one.repository),
		    *own = mem_printf(PODMAN_OWN "/git%s%s", dash, name),
		    *objects =
			mem_printf(PODMAN_OWN "/objects%s%s", dash, name),
		    *hooks = mem_printf(PODMAN_OWN "/hooks%s%s", dash, name);

	add_place(out, mem_strdup(one.private_git), own);
	add_place(out, file_join(git ? git : "", "objects"), objects);
	add_place(out, file_join(git ? git : "", "hooks"), hooks);
}

void podman_mounts_places(const struct spec *spec, const char *home,
			  struct strv *out)
{
	for (size_t i = 0; i < spec_count(spec); i++) {
		_free_ char *to = podman_mounts_worktree(spec, i);

		add_place(out, mem_strdup(spec_of(spec, i).worktree), to);
	}
	if (home)
		add_place(out, mem_strdup(home), "/home/agent");
	for (size_t i = 0; i < spec_count(spec); i++)
		add_git_places(spec, i, out);
	add_place(out, program_share("adapters"), PODMAN_OWN "/adapters");
}

static bool is_written(const char *to)
{
	static const char git[] = PODMAN_OWN "/git";

	return strncmp(to, PODMAN_OWN, strlen(PODMAN_OWN)) != 0 ||
	       strncmp(to, git, strlen(git)) == 0;
}

static void add_places(const struct sandbox_start *st, struct strv *argv)
{
	_strv_ struct strv places = {0};

	podman_mounts_places(st->spec, st->home, &places);
	for (size_t i = 0; i < places.n; i += 2)
		if (access(places.v[i], F_OK) == 0)
			add_mount(argv, places.v[i], places.v[i + 1],
				  is_written(places.v[i + 1]) ? "rw" : "ro");
}

/* Mounts the private git directory's file over the worktree's .git. */
static int add_git(const struct spec *spec, const char *to, struct strv *argv,
		   struct err *err)
{
	_free_ char *at = file_join(to, ".git"),
		    *own = file_join(spec->worktree, ".git"),
		    *file = mem_printf("%s.file", spec->private_git);
	struct stat file_st;
	int rc = 0;

	/* With a link of the agent another file would be covered. */
	if (lstat(own, &file_st) < 0 || !S_ISREG(file_st.st_mode)) {
		err_set(err, ERR_FAILED, "%s is not git's file", own);
		rc = err_hint(err, "`git -C %s worktree repair %s` repairs it",
			      spec->repository, spec->worktree);
	}
	add_mount(argv, file, at, "ro");
	return rc;
}

static void cover_af(const struct spec *spec, const char *to, struct strv *argv)
{
	_free_ char *af = file_join(spec->worktree, ".af");
	struct stat st;

	if (lstat(af, &st) == 0 && S_ISDIR(st.st_mode))
		strv_addf(argv, "--tmpfs=%s/.af:%s", to,
			  podman_engine_find(spec->engine)->cover);
}

/* Covers what the agent must not write in its worktrees. */
static int cover_files(const struct spec *spec, struct strv *argv,
		       struct err *err)
{
	for (size_t i = 0; i < spec_count(spec); i++) {
		struct spec one = spec_of(spec, i);
		_free_ char *to = podman_mounts_worktree(spec, i);

		cover_af(&one, to, argv);
		if (add_git(&one, to, argv, err) < 0)
			return -1;
	}
	return 0;
}

/* Mounts the session's /tmp. Mounts below it would leave directories there that
 * the user cannot remove. */
static void add_tmp(struct strv *argv, const char *tmp)
{
	bool below = false;

	for (size_t i = 0; i < argv->n; i++)
		below |= strstr(argv->v[i], ":/tmp/") != NULL;
	if (below)
		strv_add(argv, "--tmpfs=/tmp:mode=1777");
	else
		add_mount(argv, tmp, "/tmp", "rw");
	add_mount(argv, tmp, "/var/tmp", "rw");
}

char *podman_mounts_fifos(const struct sandbox_start *st)
{
	return file_join(st->dir, "fifos");
}

static void add_fifos(const struct sandbox_start *st, struct strv *argv)
{
	_free_ char *dir = podman_mounts_fifos(st);

	add_mount(argv, dir, INSIDE_FIFOS, "ro");
}

/* afw's own volumes, never another of the user's. podman gives them to the user
 * inside; docker as the image has that directory. */
static void add_volumes(const struct spec *spec, struct strv *argv)
{
	const char *own =
	    podman_engine_find(spec->engine)->has_daemon ? "" : ":U";

	for (size_t i = 0; i < spec->volumes.n; i++) {
		strv_add(argv, "--volume");
		strv_addf(argv, "afw-%s%s", spec->volumes.v[i], own);
	}
}

int podman_mounts_add(const struct sandbox_start *st, struct strv *argv,
		      char **program, struct err *err)
{
	const struct spec *spec = st->spec;
	char *node, *tmp;
	_strv_ struct strv named = {0};

	for (size_t i = 0; i < spec_count(spec); i++)
		if (!can_mount(spec_of(spec, i).worktree) ||
		    !can_mount(st->home))
			return err_set(err, ERR_FAILED,
				       "podman cannot mount a path with ':' or "
				       "',': %s",
				       spec_of(spec, i).worktree);
	tmp = sandbox_tmp(st, err);
	if (!tmp)
		return -1;
	add_places(st, argv);
	podman_mounts_add_own_program(argv);
	*program = add_program(st, argv, st->argv->v[0]);
	node = *program ? add_program(st, argv, "node") : NULL;
	sandbox_reads(st, &named);
	for (size_t i = 0; i < named.n; i++)
		if (!is_system(named.v[i]))
			add_read(argv, named.v[i]);
	add_volumes(spec, argv);
	add_tmp(argv, tmp);
	if (podman_engine_find(spec->engine)->has_daemon)
		add_fifos(st, argv);
	free(node);
	free(tmp);
	return cover_files(spec, argv, err);
}
