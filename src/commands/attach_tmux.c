/*
 * attach_tmux.c - for a backend with a terminal of its own (tmux), which names
 * the command that shows the session: runs or prints that command, and reports
 * what happened to the session when it ends.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/spawn.h"
#include "base/words.h"
#include "commands/attachment.h"
#include "session/live/connection.h"

#define END_MS 10000 /* for the last event of a session that ends */

/* Gets the command from the supervisor, in *reply. */
static int request_command(struct client *client, const struct session *s,
			   const struct config *config, bool read_only,
			   struct strv *argv, struct err *err)
{
	const char *color = getenv("COLORTERM");
	struct request rq;
	char line[ATTACH_LINE];
	cJSON *reply;

	if (attachment_request(&rq, line, s, config, read_only, err) < 0)
		return -1;
	rq.attach.outside = true;
	rq.attach.truecolor = color && (strcmp(color, "truecolor") == 0 ||
					strcmp(color, "24bit") == 0);
	reply = client_request(client, &rq, -1, ATTACH_REPLY_MS, err);
	request_finish(&rq);
	if (!reply)
		return -1;
	json_strv(reply, "argv", argv);
	cJSON_Delete(reply);
	return argv->n ? 0
		       : err_set(err, ERR_FAILED,
				 "attach: the supervisor named no command");
}

static volatile sig_atomic_t command_pid, command_told;

static void on_command_signal(int signo)
{
	if (signo == SIGINT || signo == SIGQUIT)
		return; /* the terminal also sends these to the command */
	command_told = 1;
	kill((pid_t)command_pid, SIGTERM);
}

/* Runs it on this terminal. Returns its exit code (0 if a signal told us to
 * leave), or -1. */
static int run_command(const struct strv *argv, struct err *err)
{
	/* Its final message is discarded, as ours is better. Its standard input
	 * is the terminal. */
	struct spawn sp = {.argv = argv->v,
			   .fd = {STDIN_FILENO, -1, STDERR_FILENO}};
	const int signals[] = {SIGINT, SIGQUIT, SIGHUP, SIGTERM};
	struct sigaction sa = {.sa_handler = on_command_signal}, old[4];
	int status = 0;
	pid_t pid;

	/* This lets it run inside the user's own tmux. */
	unsetenv("TMUX");
	unsetenv("TMUX_PANE");
	pid = spawn_start(&sp, err);
	if (pid < 0)
		return -1;
	command_pid = pid;
	command_told = 0;
	for (size_t i = 0; i < 4; i++)
		sigaction(signals[i], &sa, &old[i]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	for (size_t i = 0; i < 4; i++)
		sigaction(signals[i], &old[i], NULL);
	if (command_told)
		return 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/* Asks why it ended; sets reason and text. */
static void request_end(struct attachment *a, bool failed)
{
	cJSON *reply, *o;
	int64_t end = clock_mono_ms() + END_MS;
	struct err err = {0};
	bool ending;

	reply = client_request(a->client, REQUEST_OF(DETACH), -1,
			       ATTACH_REPLY_MS, &err);
	ending = !reply || json_bool(reply, "ending", false);
	cJSON_Delete(reply);
	/* If its server has ended, the supervisor may not have noticed yet. */
	if (failed && !ending)
		end = clock_mono_ms() + 1000;
	while (!a->over && (ending || failed)) {
		int64_t left = end - clock_mono_ms();

		o = client_next(a->client, left > 0 ? left : 0, &err);
		if (!o)
			break;
		attachment_handle_event(a, o);
		cJSON_Delete(o);
	}
	if (!a->over)
		attachment_end(a, ending ? "lost" : "detached");
}

int attach_tmux(const struct session *s, const struct config *config,
		bool read_only, struct err *err)
{
	_client_ struct client *client = connect_session(s, err);
	struct attachment a = {.tty_fd = -1, .client = client};
	struct termios saved;
	_strv_ struct strv argv = {0};
	int code;

	if (!client ||
	    request_command(client, s, config, read_only, &argv, err) < 0)
		return -1;
	if (tcgetattr(STDIN_FILENO, &saved) < 0)
		return err_errno(err, "attach to '%s': ask the terminal",
				 s->spec.name);
	code = run_command(&argv, err);
	if (code < 0)
		return -1;
	tcsetattr(STDIN_FILENO, TCSANOW, &saved);
	request_end(&a, code != 0);
	if (code != 0 && strcmp(a.reason, "detached") == 0) {
		err_set(err, ERR_FAILED,
			"attach to '%s': %s could not show it (exit code %d)",
			s->spec.name, argv.v[0], code);
		return err_hint(err, "if tmux does not know this terminal: "
				     "TERM=xterm is understood by most "
				     "terminals");
	}
	return attachment_print_end(s, &a, err);
}

int attach_print_command(const struct session *s, const struct config *config,
			 bool read_only, struct err *err)
{
	_client_ struct client *client = connect_session(s, err);
	_strv_ struct strv argv = {0};
	_buf_ struct buf line = {0};

	if (!client ||
	    request_command(client, s, config, read_only, &argv, err) < 0)
		return -1;
	for (size_t i = 0; i < argv.n; i++) {
		buf_addc(&line, ' ');
		words_quote_shown(argv.v[i], &line);
	}
	printf("env -u TMUX%s\n", line.data);
	return 0;
}
