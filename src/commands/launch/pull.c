/* pull.c - checks the image of a session's container, and pulls the base of
 * one. */
#include "commands/launch/pull.h"

#include <fnmatch.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/spawn.h"
#include "commands/cli/foreground.h"
#include "commands/cli/output.h"
#include "sandbox/podman.h"
#include "sandbox/podman_args.h"
#include "sandbox/podman_image.h"

#define MOST_MS (60 * 60 * 1000)

int pull_run_podman(struct strv *argv, int *signo, struct err *err)
{
	struct spawn sp = {
	    .argv = argv->v, .fd = {-1, 2, 2}, .new_session = true};
	struct foreground f;
	struct signalfd_siginfo si;
	int rc = -1;

	foreground_begin(&f);
	f.pid = spawn_start(&sp, err);
	if (f.pid > 0) {
		*signo = foreground_wait(&f, clock_mono_ms() + MOST_MS, &si);
		if (*signo)
			foreground_end(&f);
		if (*signo < 0)
			err_set(err, ERR_TIMEOUT,
				"podman was not done after an hour");
		else
			rc = WIFEXITED(f.status) ? WEXITSTATUS(f.status) : 128;
	}
	/* After a signal the others stay blocked, so that the caller's cleanup
	 * is not interrupted. */
	if (*signo <= 0)
		foreground_finish(&f);
	strv_finish(argv);
	return rc;
}

void pull_die_of(int signo)
{
	sigset_t none;

	if (signo <= 0)
		return;
	output_warn("interrupted");
	signal(signo, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	raise(signo);
}

int pull_image(const char *image, struct err *err)
{
	int rc = podman_image_exists(NULL, image, err), signo = 0;
	struct strv argv = {0};

	if (rc)
		return rc < 0 ? -1 : 0;
	if (podman_image_is_local(image))
		return err_set(err, ERR_FAILED, "there is no image %s", image);
	podman_args_pull(image, &argv);
	rc = pull_run_podman(&argv, &signo, err);
	pull_die_of(signo);
	if (rc > 0)
		err_set(err, ERR_FAILED, "podman could not pull %s, see above",
			image);
	return rc == 0 ? 0 : -1;
}

int pull_allowed(const struct config *c, const struct spec *s, struct err *err)
{
	const struct strv *allowed = config_list(c, OPTION_ALLOW_IMAGES);
	_free_ char *image = podman_image_of(s);
	bool fits =
	    allowed->n == 0 || strcmp(s->sandbox, sandbox_podman.name) != 0;

	for (size_t i = 0; i < allowed->n; i++)
		fits |= fnmatch(allowed->v[i], image, 0) == 0;
	if (fits)
		return 0;
	err_set(err, ERR_REFUSED, "sandbox podman: the image %s is not allowed",
		image);
	return err_hint(err, "%s: allow_images",
			config_origin(c, OPTION_ALLOW_IMAGES));
}
