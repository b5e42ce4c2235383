/*
 * attach.c - afw attach: this terminal shows the session.
 *
 * The supervisor gets a descriptor of the terminal and does all the copying;
 * we only wait, pass on the size when it changes, and put the terminal back
 * as it was, whoever of the two ends first. The descriptor is opened anew,
 * so that its being non-blocking does not reach the shell we came from.
 * Where the terminal cannot be opened (it belongs to another user, as after
 * su), bytes are relayed through the socket instead.
 *
 * A backend of its own (tmux) says which command shows the session: we run
 * that, and say what has become of the session when it ends.
 */
#include "commands/attach.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/spawn.h"
#include "commands/command.h"
#include "commands/connect.h"
#include "commands/output.h"
#include "commands/settings.h"
#include "config/keyname.h"
#include "terminal/terminal.h"
#include "wire/bytes.h"

#define REPLY_MS   5000
#define END_MS	   10000 /* for the last words of a session that ends */

struct attachment {
	struct client *client;
	int tty_fd; /* handed over; -1: relay */
	int signal_fd;
	struct termios saved;
	bool over;
	char reason[32], text[200];
};

static struct termios abort_saved;

static void restore_on_abort(void)
{
	tcsetattr(STDIN_FILENO, TCSANOW, &abort_saved);
}

static void size_of(int *cols, int *rows)
{
	struct winsize ws;

	*cols = 80;
	*rows = 24;
	if (ioctl(STDIN_FILENO, TIOCGWINSZ, &ws) == 0 && ws.ws_col && ws.ws_row) {
		*cols = ws.ws_col;
		*rows = ws.ws_row;
	}
}

static int signals_open(sigset_t *old)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGWINCH);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGQUIT);
	/* Stopped, we would leave the terminal to the supervisor and the
	 * shell at once. */
	sigaddset(&set, SIGTSTP);
	sigprocmask(SIG_BLOCK, &set, old);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static int detach_keys(const struct config *config, cJSON *rq,
		       struct err *err)
{
	const char *name = config_str(config, OPTION_DETACH_KEY);
	struct strv hex = {0};
	struct keyname key;

	if (strcmp(name, "none") == 0)
		return 0;
	if (keyname_parse_detach(name, &key, err) < 0)
		return -1;
	keyname_hex(&key, &hex);
	json_set_strv(rq, "detach", &hex);
	strv_finish(&hex);
	return 0;
}

static int ask(struct attachment *a, const struct config *config,
	       bool read_only, struct err *err)
{
	cJSON *rq = cJSON_CreateObject(), *reply;
	int cols, rows;

	size_of(&cols, &rows);
	json_set_str(rq, "op", "attach");
	json_set_int(rq, "cols", cols);
	json_set_int(rq, "rows", rows);
	json_set_bool(rq, "read_only", read_only);
	if (detach_keys(config, rq, err) < 0) {
		cJSON_Delete(rq);
		return -1;
	}
	reply = client_request(a->client, rq, a->tty_fd, REPLY_MS, err);
	cJSON_Delete(reply);
	return reply ? 0 : -1;
}

static void send_size(struct attachment *a)
{
	cJSON *rq = cJSON_CreateObject();
	int cols, rows;

	size_of(&cols, &rows);
	json_set_str(rq, "op", "resize");
	json_set_int(rq, "cols", cols);
	json_set_int(rq, "rows", rows);
	client_send(a->client, rq, -1, NULL);
}

static void end_with(struct attachment *a, const char *reason)
{
	a->over = true;
	snprintf(a->reason, sizeof a->reason, "%s", reason);
}

static void on_signals(struct attachment *a)
{
	struct signalfd_siginfo si;

	while (read(a->signal_fd, &si, sizeof si) == sizeof si) {
		if (si.ssi_signo == SIGWINCH)
			send_size(a);
		else if (si.ssi_signo != SIGTSTP)
			end_with(a, "signal");
	}
}

static void on_event(struct attachment *a, const cJSON *o)
{
	const char *name = json_str_or(o, "event", "");
	struct buf data = {0};

	if (strcmp(name, "attach:end") == 0) {
		end_with(a, json_str_or(o, "reason", "lost"));
		snprintf(a->text, sizeof a->text, "%s",
			 json_str_or(o, "text", ""));
	} else if (a->tty_fd < 0 && strcmp(name, "agent:stdout") == 0 &&
		   bytes_from_text(json_str_or(o, "data", ""), &data) == 0) {
		if (file_write_all(STDOUT_FILENO, data.data, data.len) < 0)
			end_with(a, "lost");
	}
	buf_finish(&data);
}

static void on_socket(struct attachment *a)
{
	struct err err = {0};
	cJSON *o;

	while (!a->over && (o = client_next(a->client, 0, &err))) {
		on_event(a, o);
		cJSON_Delete(o);
	}
	if (!a->over && err.kind != ERR_TIMEOUT)
		end_with(a, "lost");
}

/* Relay: a key was typed here. */
static void on_key(struct attachment *a)
{
	char chunk[4096];
	ssize_t n = read(STDIN_FILENO, chunk, sizeof chunk);
	struct buf text = {0};
	cJSON *rq;

	if (n <= 0) {
		if (n == 0 || errno != EINTR)
			end_with(a, "lost");
		return;
	}
	bytes_to_text(chunk, (size_t)n, &text);
	rq = cJSON_CreateObject();
	json_set_str(rq, "op", "input");
	json_set_str(rq, "data", text.data);
	buf_finish(&text);
	if (client_send(a->client, rq, -1, NULL) < 0)
		end_with(a, "lost");
}

static void wait_for_end(struct attachment *a)
{
	struct pollfd p[3] = {
	    {.fd = client_fd(a->client), .events = POLLIN},
	    {.fd = a->signal_fd, .events = POLLIN},
	    {.fd = a->tty_fd < 0 ? STDIN_FILENO : -1, .events = POLLIN},
	};

	on_socket(a); /* what came with the reply */
	while (!a->over) {
		if (poll(p, 3, -1) < 0 && errno != EINTR)
			break;
		if (p[1].revents)
			on_signals(a);
		if (p[0].revents && !a->over)
			on_socket(a);
		if (p[2].revents && !a->over)
			on_key(a);
	}
}

/* What a harness may have set, whoever set it; harmless twice. */
static void leave(const struct attachment *a)
{
	static const char modes[] =
	    "\030\033\\\033[?2026l\033[?1000l\033[?1002l\033[?1003l\033[?1006l"
	    "\033[?1004l\033[?2004l\033[?2031l\033[<u\033[>4m\033[?1l\033>"
	    "\033(B\033[4l\033[?1049l\033[<u\033[?6l\033[r\033[0m\033[?5l"
	    "\033[?7h\033[?25h\033[0 q\033[?12l\033[999;1H\r\n";

	/* The supervisor has done it, except where it was lost or relayed. */
	if (strcmp(a->reason, "lost") == 0 || a->tty_fd < 0)
		file_write_all(STDOUT_FILENO, modes, sizeof modes - 1);
	tcsetattr(STDIN_FILENO, TCSANOW, &a->saved);
}

static void say_end(const struct session *s, const struct attachment *a)
{
	if (strcmp(a->reason, "exit") == 0)
		printf("[%s: %s]\n", s->spec.name, a->text);
	else if (strcmp(a->reason, "lost") == 0)
		printf("[lost the connection to %s]\n", s->spec.name);
	else
		printf("[detached from %s; it goes on]\n", s->spec.name);
}

static int with_terminal(struct attachment *a, const struct session *s,
			 const struct config *config, bool read_only,
			 struct err *err)
{
	struct termios raw;
	sigset_t old;
	int rc;

	if (tcgetattr(STDIN_FILENO, &a->saved) < 0)
		return err_errno(err, "attach to '%s': ask the terminal",
				 s->spec.name);
	abort_saved = a->saved;
	mem_on_abort(restore_on_abort);
	a->signal_fd = signals_open(&old);
	rc = ask(a, config, read_only, err);
	if (rc == 0) {
		if (a->tty_fd < 0) {
			raw = a->saved;
			cfmakeraw(&raw);
			tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
		}
		wait_for_end(a);
		if (strcmp(a->reason, "signal") == 0) {
			struct err ignored;
			cJSON *rq = cJSON_CreateObject();

			json_set_str(rq, "op", "detach");
			cJSON_Delete(client_request(a->client, rq, -1, 1000,
						    &ignored));
		}
		leave(a);
	}
	mem_on_abort(NULL);
	close(a->signal_fd);
	sigprocmask(SIG_SETMASK, &old, NULL);
	/* Last: a terminal that nobody reads can hold us here. */
	if (rc == 0)
		say_end(s, a);
	return rc;
}

/* -- a backend with a command of its own ---------------------------------- */

/* The command in reply; key: with the detach key's name. */
static int ask_command(struct client *client, const struct config *config,
		       bool read_only, struct strv *argv, struct err *err)
{
	const char *key = config_str(config, OPTION_DETACH_KEY);
	const char *color = getenv("COLORTERM");
	cJSON *rq = cJSON_CreateObject(), *reply;
	struct keyname parsed;
	int rc = 0;

	json_set_str(rq, "op", "attach");
	json_set_bool(rq, "outside", true);
	json_set_bool(rq, "truecolor",
		      color && (strcmp(color, "truecolor") == 0 ||
				strcmp(color, "24bit") == 0));
	json_set_bool(rq, "read_only", read_only);
	if (strcmp(key, "none") != 0) {
		if (keyname_parse_detach(key, &parsed, err) < 0) {
			cJSON_Delete(rq);
			return -1;
		}
		json_set_str(rq, "detach_key", key);
	}
	reply = client_request(client, rq, -1, REPLY_MS, err);
	if (!reply)
		return -1;
	json_strv(reply, "command", argv);
	cJSON_Delete(reply);
	if (argv->n == 0)
		rc = err_set(err, ERR_FAILED,
			     "attach: the supervisor named no command");
	return rc;
}

static volatile sig_atomic_t command_pid, command_told;

static void on_command_signal(int signo)
{
	if (signo == SIGINT || signo == SIGQUIT)
		return; /* the terminal's own go to it anyway */
	command_told = 1;
	kill((pid_t)command_pid, SIGTERM);
}

/* Runs it on this terminal; its exit code (0 where we were told to leave),
 * or -1. */
static int run_command(const struct strv *argv, struct err *err)
{
	/* What it says at its end goes nowhere: the terminal is its standard
	 * input, and we say it better. */
	struct spawn sp = {.argv = argv->v,
			   .fd = {STDIN_FILENO, -1, STDERR_FILENO}};
	const int signals[] = {SIGINT, SIGQUIT, SIGHUP, SIGTERM};
	struct sigaction sa = {.sa_handler = on_command_signal}, old[4];
	int status = 0;
	pid_t pid;

	/* So that it can run inside the user's own tmux. */
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

/* Why did it end? Fills in reason and text. */
static void ask_end(struct attachment *a, bool failed)
{
	cJSON *rq = cJSON_CreateObject(), *reply, *o;
	int64_t end = clock_mono_ms() + END_MS;
	struct err err = {0};
	bool ending;

	json_set_str(rq, "op", "detach");
	reply = client_request(a->client, rq, -1, REPLY_MS, &err);
	ending = !reply || json_bool(reply, "ending", false);
	cJSON_Delete(reply);
	/* Its server gone, the supervisor may not have heard of it yet. */
	if (failed && !ending)
		end = clock_mono_ms() + 1000;
	while (!a->over && (ending || failed)) {
		int64_t left = end - clock_mono_ms();

		o = client_next(a->client, left > 0 ? left : 0, &err);
		if (!o)
			break;
		on_event(a, o);
		cJSON_Delete(o);
	}
	if (!a->over)
		end_with(a, ending ? "lost" : "detached");
}

static int attach_outside(const struct session *s, const struct config *config,
			  bool read_only, struct err *err)
{
	struct attachment a = {.tty_fd = -1};
	struct termios saved;
	struct strv argv = {0};
	int rc = -1, code;

	a.client = connect_session(s, err);
	if (!a.client)
		return -1;
	if (ask_command(a.client, config, read_only, &argv, err) < 0 ||
	    tcgetattr(STDIN_FILENO, &saved) < 0)
		goto out;
	code = run_command(&argv, err);
	if (code < 0)
		goto out;
	tcsetattr(STDIN_FILENO, TCSANOW, &saved);
	ask_end(&a, code != 0);
	if (code != 0 && strcmp(a.reason, "detached") == 0) {
		err_set(err, ERR_FAILED,
			"attach to '%s': %s could not show it (exit code %d)",
			s->spec.name, argv.v[0], code);
		goto out;
	}
	say_end(s, &a);
	rc = 0;
out:
	strv_finish(&argv);
	client_destroy(a.client);
	return rc;
}

static void print_word(const char *word)
{
	static const char plain[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	    "0123456789_-+=:,./@%";

	if (word[0] && strspn(word, plain) == strlen(word) && word[0] != '=') {
		printf(" %s", word);
		return;
	}
	printf(" '");
	for (; *word; word++) {
		if (*word == '\'')
			printf("'\\''");
		else
			putchar(*word);
	}
	putchar('\'');
}

static int print_command(const struct session *s, const struct config *config,
			 bool read_only, struct err *err)
{
	struct client *client = connect_session(s, err);
	struct strv argv = {0};
	int rc = -1;

	if (client)
		rc = ask_command(client, config, read_only, &argv, err);
	if (rc == 0) {
		printf("env -u TMUX");
		for (size_t i = 0; i < argv.n; i++)
			print_word(argv.v[i]);
		putchar('\n');
	}
	strv_finish(&argv);
	client_destroy(client);
	return rc;
}

int attach_session(const struct session *s, const struct config *config,
		   bool read_only, struct err *err)
{
	const struct terminal_backend *backend = terminal_find(s->spec.backend);
	struct attachment a = {.tty_fd = -1};
	const char *tty = ttyname(STDIN_FILENO);
	int rc;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		err_set(err, ERR_USAGE, "attach to '%s': this is no terminal",
			s->spec.name);
		return err_hint(err, "`afw capture %s` prints its screen, "
				     "`afw logs -f %s` follows its output",
				s->spec.name, s->spec.name);
	}
	if (backend && backend->attach)
		return attach_outside(s, config, read_only, err);
	a.client = connect_session(s, err);
	if (!a.client)
		return -1;
	if (tty)
		a.tty_fd = open(tty, O_RDWR | O_NOCTTY | O_CLOEXEC);
	rc = with_terminal(&a, s, config, read_only, err);
	if (a.tty_fd >= 0)
		close(a.tty_fd);
	client_destroy(a.client);
	return rc;
}

static const struct command_option attach_options[] = {
    {.name = "read-only",
     .letter = 'r',
     .help = "watch only: keys and this terminal's size do not reach it"},
    {.name = "detach-key",
     .letter = 'k',
     .arg = "KEY",
     .help = "the key that detaches; default detach_key (C-\\)"},
    {.name = "print",
     .help = "only print the command that shows it (backend tmux)"},
    {.name = NULL},
};

static int run(const struct args *args, struct err *err)
{
	const char *key = args_value(args, "detach-key");
	struct config *config = NULL;
	struct session s;
	int rc = -1;

	if (session_find(&s, args->positional[0], err) < 0)
		return -1;
	if (settings_load(&config, s.spec.repository, err) == 0 &&
	    (!key || config_set(config, OPTION_DETACH_KEY, key, err) == 0))
		rc = (args_has(args, "print") ? print_command : attach_session)(
		    &s, config, args_has(args, "read-only"), err);
	config_destroy(config);
	session_finish(&s);
	return rc;
}

const struct command command_attach = {
    .name = "attach",
    .usage = "NAME",
    .summary = "show a session on this terminal; Ctrl-\\ leaves it",
    .completes = "session",
    .min_args = 1,
    .max_args = 1,
    .options = attach_options,
    .run = run,
};
