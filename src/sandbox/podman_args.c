/*
 * podman_args.c - makes podman's command lines, and so decides what a container
 * sees. The user's options are read from the spec: options.def has their names
 * there.
 *
 * The session's directories have their own paths inside (podman_args_places()),
 * which do not show the user's; paths that the user names are the same as
 * outside. afw's own program is mounted with the loader and the libraries that
 * it uses here: an image may have others, or none.
 */
#include "sandbox/podman_args.h"

#include <inttypes.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/gitfile.h"
#include "base/spawn.h"
#include "wire/program.h"

static void add(struct strv *argv, const char *const *words)
{
	for (; *words; words++)
		strv_add(argv, *words);
}

#define ADD(argv, ...) add(argv, (const char *const[]){__VA_ARGS__, NULL})

char *podman_args_name(const char *id)
{
	return mem_printf("afw-%s", id);
}

void podman_args_version(struct strv *argv)
{
	ADD(argv, "podman", "version", "--format", "{{.Client.Version}}");
}

void podman_args_image_exists(const char *image, struct strv *argv)
{
	ADD(argv, "podman", "image", "exists", image);
}

void podman_args_images(struct strv *argv)
{
	ADD(argv, "podman", "image", "ls", "--format", "json");
}

/* Prints "1" if it has the label. */
void podman_args_image_label(const char *image, struct strv *argv)
{
	ADD(argv, "podman", "image", "inspect", "--format",
	    "{{index .Labels \"afw.managed\"}}", image);
}

void podman_args_pull(const char *image, struct strv *argv)
{
	ADD(argv, "podman", "pull", "--", image);
}

void podman_args_tag(const char *image, const char *name, struct strv *argv)
{
	ADD(argv, "podman", "tag", image, name);
}

/* Without the second name it would lose all its names. */
void podman_args_untag(const char *name, struct strv *argv)
{
	ADD(argv, "podman", "untag", name, name);
}

/* In one layer: an interrupted build leaves only its container, which is named
 * for its base. */
void podman_args_build(const struct podman_build *b, struct strv *argv)
{
	ADD(argv, "podman", "build", "--layers=false", "--pull=never",
	    "--label=afw.managed=1", "--file", b->file, "--tag", b->name);
	strv_addf(argv, "--label=afw.harness=%s", b->harness);
	strv_addf(argv, "--build-arg=BASE=%s", b->base);
	strv_addf(argv, "--build-arg=PACKAGE=%s", b->package);
	if (access("/dev/net/tun", R_OK | W_OK) < 0)
		strv_add(argv, "--network=host");
	for (size_t i = 0; b->more && b->more[i]; i++)
		strv_add(argv, b->more[i]);
	strv_addf(argv, "%.*s", (int)(strrchr(b->file, '/') - b->file),
		  b->file);
}

char *podman_args_builder(const char *base)
{
	return mem_printf("%s-working-container", strrchr(base, '/') + 1);
}

/* -- mounts ------------------------------------------------------------------
 */

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

static void add_own_program(struct strv *argv)
{
	_free_ char *self = program_find("afw-supervisor");

	dl_iterate_phdr(add_library, argv);
	add_mount(argv, self, PODMAN_OWN "/afw-supervisor", "ro");
}

void podman_args_own_program(struct strv *argv)
{
	ADD(argv, PODMAN_OWN "/ld.so", "--library-path", PODMAN_OWN "/lib",
	    PODMAN_OWN "/afw-supervisor");
}

#define WORKSPACE "/workspace"

static void add_place(struct strv *out, char *from, const char *to)
{
	if (!from)
		return;
	strv_take(out, from);
	strv_add(out, to);
}

void podman_args_places(const struct spec *spec, const char *home,
			struct strv *out)
{
	_free_ char *git = gitfile_dir(spec->repository);

	add_place(out, mem_strdup(spec->worktree), WORKSPACE);
	if (home)
		add_place(out, mem_strdup(home), "/home/agent");
	add_place(out, mem_strdup(spec->private_git), PODMAN_OWN "/git");
	add_place(out, file_join(git ? git : "", "objects"),
		  PODMAN_OWN "/objects");
	add_place(out, file_join(git ? git : "", "hooks"), PODMAN_OWN "/hooks");
	add_place(out, program_share("adapters"), PODMAN_OWN "/adapters");
}

static bool is_written(const char *to)
{
	return strncmp(to, PODMAN_OWN, strlen(PODMAN_OWN)) != 0 ||
	       strcmp(to, PODMAN_OWN "/git") == 0;
}

static void add_places(const struct sandbox_start *st, struct strv *argv)
{
	_strv_ struct strv places = {0};

	podman_args_places(st->spec, st->home, &places);
	for (size_t i = 0; i < places.n; i += 2)
		if (access(places.v[i], F_OK) == 0)
			add_mount(argv, places.v[i], places.v[i + 1],
				  is_written(places.v[i + 1]) ? "rw" : "ro");
}

/* Mounts the private git directory's file over the worktree's .git. */
static int add_git(const struct sandbox_start *st, struct strv *argv,
		   struct err *err)
{
	const struct spec *spec = st->spec;
	_free_ char *own = file_join(spec->worktree, ".git"),
		    *file = mem_printf("%s.file", spec->private_git);
	struct stat file_st;
	int rc = 0;

	/* With a link of the agent another file would be covered. */
	if (lstat(own, &file_st) < 0 || !S_ISREG(file_st.st_mode)) {
		err_set(err, ERR_FAILED, "%s is not git's file", own);
		rc = err_hint(err, "`git -C %s worktree repair %s` repairs it",
			      spec->repository, spec->worktree);
	}
	add_mount(argv, file, WORKSPACE "/.git", "ro");
	return rc;
}

static void cover_af(const struct spec *spec, struct strv *argv)
{
	_free_ char *af = file_join(spec->worktree, ".af");
	struct stat st;

	if (lstat(af, &st) == 0 && S_ISDIR(st.st_mode))
		strv_add(argv, "--tmpfs=" WORKSPACE
			       "/.af:ro,notmpcopyup,size=4k,mode=0555");
}

/* Mounts the session's /tmp. Mounts below it would leave directories there that
 * the user cannot remove. */
static void add_tmp(struct strv *argv, const char *tmp)
{
	bool below = false;

	for (size_t i = 0; i < argv->n; i++)
		below |= strstr(argv->v[i], ":/tmp/") != NULL;
	if (below)
		ADD(argv, "--tmpfs=/tmp:mode=1777");
	else
		add_mount(argv, tmp, "/tmp", "rw");
	add_mount(argv, tmp, "/var/tmp", "rw");
}

static int add_mounts(const struct sandbox_start *st, struct strv *argv,
		      char **program, struct err *err)
{
	const struct spec *spec = st->spec;
	char *node, *tmp;
	_strv_ struct strv named = {0};

	if (!can_mount(spec->worktree) || !can_mount(st->home))
		return err_set(err, ERR_FAILED,
			       "podman cannot mount a path with ':' or ',': %s",
			       spec->worktree);
	tmp = sandbox_tmp(st, err);
	if (!tmp)
		return -1;
	add_places(st, argv);
	add_own_program(argv);
	*program = add_program(st, argv, st->argv->v[0]);
	node = *program ? add_program(st, argv, "node") : NULL;
	sandbox_reads(st, &named);
	for (size_t i = 0; i < named.n; i++)
		if (!is_system(named.v[i]))
			add_read(argv, named.v[i]);
	add_tmp(argv, tmp);
	free(node);
	free(tmp);
	cover_af(spec, argv);
	return add_git(st, argv, err);
}

/* -- the commands ------------------------------------------------------------
 */

static void add_limits(const struct spec *spec, bool limits, struct strv *argv)
{
	int64_t most = spec->sandbox_pids;
	struct rlimit own;

	if (limits) {
		strv_addf(argv, "--memory=%" PRId64, spec->sandbox_memory);
		strv_addf(argv, "--memory-swap=%" PRId64, spec->sandbox_memory);
		strv_addf(argv, "--cpus=%" PRId64 ".%03d",
			  spec->sandbox_millicpus / 1000,
			  (int)(spec->sandbox_millicpus % 1000));
		strv_addf(argv, "--pids-limit=%" PRId64, spec->sandbox_pids);
	}
	/* No more than our own limit: podman would fail. */
	if (getrlimit(RLIMIT_NPROC, &own) == 0 && own.rlim_max < (rlim_t)most)
		most = (int64_t)own.rlim_max;
	strv_addf(argv, "--ulimit=nproc=%" PRId64 ":%" PRId64, most, most);
}

static const char *network(const struct spec *spec)
{
	return strcmp(spec->network, "own") == 0 ? "slirp4netns"
						 : spec->network;
}

char *podman_args_seccomp(const struct spec *spec)
{
	const char *path = spec->sandbox_seccomp, *home = getenv("HOME");

	if (!path || !*path)
		return NULL;
	return *path == '~' ? file_join(home ? home : "", path + 2)
			    : mem_strdup(path);
}

/* Adds the options that confine it. */
static void add_walls(const struct spec *spec, bool limits, struct strv *argv)
{
	_free_ char *seccomp = podman_args_seccomp(spec);

	ADD(argv, "--init", "--pull=never", "--read-only", "--cap-drop=all",
	    "--security-opt=no-new-privileges", "--userns=keep-id",
	    "--log-driver=none", "--network", network(spec));
	if (seccomp)
		strv_addf(argv, "--security-opt=seccomp=%s", seccomp);
	for (size_t i = 0; i < spec->dns.n; i++)
		if (strcmp(spec->network, "none") != 0)
			strv_addf(argv, "--dns=%s", spec->dns.v[i]);
	add_limits(spec, limits, argv);
}

void podman_args_try(const struct spec *spec, const char *root, bool limits,
		     struct strv *argv)
{
	ADD(argv, "podman", "run", "--rm");
	add_walls(spec, limits, argv);
	add_own_program(argv);
	ADD(argv, "--rootfs", root, PODMAN_OWN "/ld.so", "--version");
}

int podman_args_run(const struct sandbox_start *st, const char *image,
		    bool limits, const char *pid_file, struct strv *argv,
		    struct err *err)
{
	const struct spec *spec = st->spec;
	_free_ char *name = podman_args_name(spec->id);
	char *program = NULL;
	int rc;

	ADD(argv, "podman", "run", "--interactive", "--replace",
	    "--detach-keys=", "--preserve-fds=1", "--label=afw.managed=1",
	    "--workdir", WORKSPACE, "--name", name, "--conmon-pidfile",
	    pid_file);
	if (!st->piped)
		strv_add(argv, "--tty");
	strv_addf(argv, "--label=afw.session=%s", spec->id);
	strv_addf(argv, "--label=afw.dir=%s", st->dir);
	add_walls(spec, limits, argv);
	rc = add_mounts(st, argv, &program, err);
	strv_add(argv, image);
	podman_args_own_program(argv);
	strv_add(argv, "inside");
	strv_add(argv, program ? program : st->argv->v[0]);
	for (size_t i = 1; i < st->argv->n; i++)
		strv_add(argv, st->argv->v[i]);
	free(program);
	return rc;
}

void podman_args_exec(const struct sandbox_start *st, const char *name,
		      bool tty, struct strv *argv)
{
	ADD(argv, "podman", "exec", "--interactive", "--preserve-fds=1",
	    "--detach-keys=", "--workdir", WORKSPACE);
	if (tty)
		strv_add(argv, "--tty");
	strv_add(argv, name);
	podman_args_own_program(argv);
	strv_add(argv, "inside");
	strv_copy(argv, st->argv);
}

void podman_args_probe(const char *name, struct strv *argv)
{
	ADD(argv, "podman", "exec", name);
	podman_args_own_program(argv);
}

void podman_args_inspect(const char *name, struct strv *argv)
{
	ADD(argv, "podman", "container", "inspect", "--format",
	    "{{.State.ExitCode}} {{.State.OOMKilled}}", name);
}

void podman_args_containers(struct strv *argv)
{
	ADD(argv, "podman", "ps", "--all", "--filter", "label=afw.dir",
	    "--format", "{{.Names}} {{index .Labels \"afw.dir\"}}");
}

void podman_args_remove(const char *name, int64_t grace_ms, struct strv *argv)
{
	ADD(argv, "podman", "rm", "--ignore", "--volumes");
	if (grace_ms >= 0)
		ADD(argv, "--force");
	if (grace_ms >= 0)
		strv_addf(argv, "--time=%lld",
			  (long long)(grace_ms + 999) / 1000);
	strv_add(argv, name);
}
