/*
 * The command lines of engine docker. Each option was compared with the help of
 * docker's client, version 28.2.2 (`docker run --help` and so on), which also
 * accepted these lines; no daemon ran them.
 */
#include "support_unit.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/mem.h"
#include "sandbox/podman_args.h"
#include "support_scratch.h"

/* In one line, to be freed; without the volumes, whose paths are this
 * machine's. */
static char *line(struct strv *argv)
{
	char *all = mem_strdup("");

	for (size_t i = 0; i < argv->n; i++) {
		char *longer;

		if (strcmp(argv->v[i], "--volume") == 0) {
			i++;
			continue;
		}
		longer = mem_printf("%s%s%s", all, *all ? " " : "", argv->v[i]);
		free(all);
		all = longer;
	}
	strv_finish(argv);
	return all;
}

static void expect_line(struct strv *argv, const char *wanted)
{
	_free_ char *got = line(argv);

	assert_string_equal(got, wanted);
}

TEST(podman_args__docker_has_its_own_words)
{
	struct strv argv = {0};

	podman_args_version("docker", &argv);
	expect_line(&argv, "docker version --format {{.Client.Version}}");
	podman_args_image_exists("docker", "i", &argv);
	expect_line(&argv, "docker image inspect --format={{.Id}} i");
	podman_args_pull("i", &argv);
	expect_line(&argv, "podman pull -- i");
	podman_args_inspect("docker", "c", &argv);
	expect_line(&argv, "docker container inspect --format "
			   "{{.State.ExitCode}} {{.State.OOMKilled}} c");
	podman_args_stop("c", 1500, &argv);
	expect_line(&argv, "docker stop -t2 c");
	podman_args_remove("docker", "c", 0, &argv);
	expect_line(&argv, "docker rm --volumes --force c");
	podman_args_remove("docker", "c", -1, &argv);
	expect_line(&argv, "docker rm --volumes c");
}

TEST(podman_args__podman_keeps_its_own)
{
	struct strv argv = {0};

	podman_args_image_exists(NULL, "i", &argv);
	expect_line(&argv, "podman image exists i");
	podman_args_remove("podman", "c", 1500, &argv);
	expect_line(&argv, "podman rm --ignore --volumes --force -t2 c");
}

FIXTURE(scratch_make, scratch_remove)

TEST(podman_args__docker_run)
{
	struct strv argv = {0}, env = {0}, command = {0};
	char engine[] = "docker", network[] = "own";
	_free_ char *worktree = file_join(scratch, "worktree"),
		    *git = file_join(worktree, ".git"), *wanted = NULL;
	struct spec spec = {.id = "1a",
			    .engine = engine,
			    .network = network,
			    .worktree = worktree,
			    .repository = scratch,
			    .private_git = scratch,
			    .subdir = (char[]){"web"},
			    .sandbox_memory = 1 << 30,
			    .sandbox_millicpus = 500};
	struct sandbox_start st = {.spec = &spec,
				   .dir = scratch,
				   .home = scratch,
				   .argv = &command,
				   .env = &env};
	struct err err = {0};

	strv_add(&command, "sh");
	strv_add(&command, "-c");
	strv_add(&command, "true");
	assert_int_equal(mkdir(worktree, 0700), 0);
	assert_true(close(open(git, O_CREAT | O_WRONLY | O_CLOEXEC, 0600)) ==
		    0);
	if (podman_args_run(&st, "image", true, "unused", NULL, &argv, &err) <
	    0)
		fail_msg("%s", err.what);
	wanted = mem_printf(
	    "docker run --interactive "
	    "--detach-keys=ctrl-^,ctrl-@,ctrl-^,ctrl-@ "
	    "--label=afw.managed=1 --name afw-1a --workdir=/workspace/web "
	    "--tty "
	    "--label=afw.session=1a --label=afw.dir=%s --init --pull=never "
	    "--read-only --cap-drop=all --security-opt=no-new-privileges "
	    "--log-driver=none --network afw-1a --user=%u:%u "
	    "--memory=1073741824 --memory-swap=1073741824 --cpus=0.500 "
	    "--pids-limit=4096 image /run/afw/ld.so "
	    "--library-path /run/afw/lib /run/afw/afw-supervisor inside sh -c "
	    "true",
	    scratch, getuid(), getgid());
	expect_line(&argv, wanted);
	strv_finish(&command);
}
