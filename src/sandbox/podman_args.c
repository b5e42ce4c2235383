/*
 * podman_args.c - makes podman's command lines, and so decides how a container
 * is confined. The user's options are read from the spec: options.def has their
 * names there.
 */
#include "sandbox/podman_args.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "sandbox/confine/inside.h"
#include "sandbox/podman_engine.h"
#include "sandbox/podman_mounts.h"
#include "sandbox/podman_ports.h"

static void add(struct strv *argv, const char *const *words)
{
	for (; *words; words++)
		strv_add(argv, *words);
}

#define PROCESSES 4096 /* and threads of a container */

#define ADD(argv, ...) add(argv, (const char *const[]){__VA_ARGS__, NULL})

char *podman_args_name(const char *id)
{
	return mem_printf("afw-%s", id);
}

void podman_args_version(const char *engine, struct strv *argv)
{
	ADD(argv, podman_engine_find(engine)->name, "version", "--format",
	    "{{.Client.Version}}");
}

void podman_args_image_exists(const char *engine, const char *image,
			      struct strv *argv)
{
	const struct podman_engine *e = podman_engine_find(engine);

	strv_add(argv, e->name);
	add(argv, e->exists);
	strv_add(argv, image);
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
	if (*b->package)
		strv_addf(argv, "--build-arg=PROGRAM=%s", b->harness);
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

void podman_args_own_program(struct strv *argv)
{
	ADD(argv, PODMAN_OWN "/ld.so", "--library-path", PODMAN_OWN "/lib",
	    PODMAN_OWN "/afw-supervisor");
}

static void add_limits(const struct spec *spec, bool limits, struct strv *argv)
{
	int64_t most = PROCESSES;
	struct rlimit own;

	if (limits) {
		strv_addf(argv, "--memory=%" PRId64, spec->sandbox_memory);
		strv_addf(argv, "--memory-swap=%" PRId64, spec->sandbox_memory);
		strv_addf(argv, "--cpus=%" PRId64 ".%03d",
			  spec->sandbox_millicpus / 1000,
			  (int)(spec->sandbox_millicpus % 1000));
		strv_addf(argv, "--pids-limit=%d", PROCESSES);
	}
	/* There it would count the user's processes outside. */
	if (podman_engine_find(spec->engine)->has_daemon)
		return;
	/* No more than our own limit: podman would fail. */
	if (getrlimit(RLIMIT_NPROC, &own) == 0 && own.rlim_max < (rlim_t)most)
		most = (int64_t)own.rlim_max;
	strv_addf(argv, "--ulimit=nproc=%" PRId64 ":%" PRId64, most, most);
}

/* Returns the container's network; to be freed. */
static char *network(const struct spec *spec)
{
	const char *own = podman_engine_find(spec->engine)->network;

	if (strcmp(spec->network, "own") != 0)
		return mem_strdup(spec->network);
	return own ? mem_strdup(own) : podman_args_name(spec->id);
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
	_free_ char *seccomp = podman_args_seccomp(spec), *net = network(spec);

	ADD(argv, "--init", "--pull=never", "--read-only", "--cap-drop=all",
	    "--security-opt=no-new-privileges", "--log-driver=none",
	    "--network", net);
	if (podman_engine_find(spec->engine)->has_daemon)
		strv_addf(argv, "--user=%u:%u", getuid(), getgid());
	else
		strv_add(argv, "--userns=keep-id");
	if (seccomp)
		strv_addf(argv, "--security-opt=seccomp=%s", seccomp);
	add_limits(spec, limits, argv);
}

void podman_args_try(const struct spec *spec, const char *root, bool limits,
		     struct strv *argv)
{
	ADD(argv, "podman", "run", "--rm");
	add_walls(spec, limits, argv);
	podman_mounts_add_own_program(argv);
	ADD(argv, "--rootfs", root, PODMAN_OWN "/ld.so", "--version");
}

static void add_inside(const struct spec *spec, struct strv *argv)
{
	podman_args_own_program(argv);
	strv_add(argv,
		 strcmp(spec->network, "host") == 0 ? "inside-host" : "inside");
}

static void add_workdir(const struct sandbox_start *st, struct strv *argv)
{
	const char *dir = st->at_top ? NULL : st->spec->subdir;
	_free_ char *top = podman_mounts_worktree(st->spec, 0);

	strv_addf(argv, "--workdir=%s%s%s", top, dir ? "/" : "",
		  dir ? dir : "");
}

int podman_args_run(const struct sandbox_start *st, const char *image,
		    bool limits, const char *pid_file, const cJSON *ports,
		    struct strv *argv, struct err *err)
{
	const struct spec *spec = st->spec;
	const struct podman_engine *e = podman_engine_find(spec->engine);
	_free_ char *name = podman_args_name(spec->id);
	char *program = NULL;
	int rc;

	ADD(argv, e->name, "run", "--interactive", e->detach,
	    "--label=afw.managed=1", "--name", name);
	add_workdir(st, argv);
	if (!e->has_daemon)
		ADD(argv, "--replace", e->pass_fd, "--conmon-pidfile",
		    pid_file);
	if (!st->piped)
		strv_add(argv, "--tty");
	strv_addf(argv, "--label=afw.session=%s", spec->id);
	strv_addf(argv, "--label=afw.dir=%s", st->dir);
	add_walls(spec, limits, argv);
	podman_ports_add(ports, argv);
	podman_ports_add_own(spec, argv, st->degraded);
	rc = podman_mounts_add(st, argv, &program, err);
	strv_add(argv, image);
	add_inside(spec, argv);
	strv_add(argv, program ? program : st->argv->v[0]);
	for (size_t i = 1; i < st->argv->n; i++)
		strv_add(argv, st->argv->v[i]);
	free(program);
	return rc;
}

void podman_args_exec(const struct sandbox_start *st, const char *name,
		      const char *fifo, bool tty, struct strv *argv)
{
	const struct podman_engine *e = podman_engine_find(st->spec->engine);

	ADD(argv, e->name, "exec", "--interactive", e->detach);
	add_workdir(st, argv);
	if (e->pass_fd)
		strv_add(argv, e->pass_fd);
	if (fifo)
		strv_addf(argv, "--env=" INSIDE_FIFO_OF "=%s", fifo);
	if (tty)
		strv_add(argv, "--tty");
	strv_add(argv, name);
	add_inside(st->spec, argv);
	strv_copy(argv, st->argv);
}

void podman_args_probe(const char *engine, const char *name, struct strv *argv)
{
	ADD(argv, podman_engine_find(engine)->name, "exec", name);
	podman_args_own_program(argv);
}

void podman_args_make_network(const char *engine, const char *name,
			      struct strv *argv)
{
	ADD(argv, podman_engine_find(engine)->name, "network", "create",
	    "--label=afw.managed=1", name);
}

void podman_args_remove_network(const char *engine, const char *name,
				struct strv *argv)
{
	ADD(argv, podman_engine_find(engine)->name, "network", "rm", name);
}

void podman_args_inspect(const char *engine, const char *name,
			 struct strv *argv)
{
	ADD(argv, podman_engine_find(engine)->name, "container", "inspect",
	    "--format", "{{.State.ExitCode}} {{.State.OOMKilled}}", name);
}

void podman_args_containers(const char *engine, struct strv *argv)
{
	const struct podman_engine *e = podman_engine_find(engine);

	ADD(argv, e->name, "ps", "--all", "--filter", "label=afw.dir",
	    "--format", e->list);
}

/* The short option: docker has renamed its long one. */
static void add_time(struct strv *argv, int64_t ms)
{
	strv_addf(argv, "-t%lld", (long long)(ms + 999) / 1000);
}

void podman_args_stop(const char *name, int64_t grace_ms, struct strv *argv)
{
	ADD(argv, "docker", "stop");
	add_time(argv, grace_ms);
	strv_add(argv, name);
}

void podman_args_remove(const char *engine, const char *name, int64_t grace_ms,
			struct strv *argv)
{
	const struct podman_engine *e = podman_engine_find(engine);

	strv_add(argv, e->name);
	add(argv, e->rm);
	if (grace_ms >= 0)
		strv_add(argv, "--force");
	if (grace_ms >= 0 && !e->has_daemon)
		add_time(argv, grace_ms);
	strv_add(argv, name);
}
