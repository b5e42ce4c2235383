/*
 * attach.c - afw attach: this terminal shows the session.
 *
 * The supervisor gets a descriptor of the terminal and does all the copying;
 * we only wait, pass on the size when it changes, and put the terminal back
 * as it was, whoever of the two ends first. The descriptor is opened anew,
 * so that its being non-blocking does not reach the shell we came from.
 * Where the terminal cannot be opened (it belongs to another user, as after
 * su), bytes are relayed through the socket instead.
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
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/json.h"
#include "base/keyname.h"
#include "base/procstat.h"
#include "commands/cli/output.h"
#include "commands/command.h"
#include "commands/launch/settings.h"
#include "session/live/connection.h"
#include "terminal/terminal.h"
#include "wire/frame.h"

static struct termios abort_saved;

static void restore_on_abort(void)
{
	tcsetattr(STDIN_FILENO, TCSANOW, &abort_saved);
}

static int signals_open(sigset_t *old)
{
	/* Stopped, we would leave the terminal to the supervisor and the
	 * shell at once. */
	static const int signals[] = {SIGWINCH, SIGINT,	 SIGTERM,
				      SIGHUP,	SIGQUIT, SIGTSTP};
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
		sigaddset(&set, signals[i]);
	sigprocmask(SIG_BLOCK, &set, old);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void set_first_line(cJSON *rq, const struct session *s, const char *key,
			   bool read_only)
{
	_free_ char *spoken = keyname_spoken(key);
	_buf_ struct buf line = {0};

	if (s->spec.repository_name)
		buf_addf(&line, "%s/", s->spec.repository_name);
	buf_addf(&line, "%s   ", s->spec.name);
	buf_addf(
	    &line, "%s leaves%s", strcmp(key, "none") == 0 ? "no key" : spoken,
	    read_only ? "; keys have no effect" : ", the agent keeps running");
	json_set_str(rq, "first_line", line.data);
}

cJSON *attachment_request(const struct session *s, const struct config *config,
			  bool read_only, struct err *err)
{
	const char *name = config_str(config, OPTION_DETACH_KEY);
	cJSON *rq = cJSON_CreateObject();
	struct strv hex = {0};
	struct keyname key;

	json_set_str(rq, "op", "attach");
	json_set_bool(rq, "read_only", read_only);
	json_set_str(rq, "clipboard", config_str(config, OPTION_CLIPBOARD));
	set_first_line(rq, s, name, read_only);
	if (strcmp(name, "none") == 0)
		return rq;
	if (keyname_parse_detach(name, &key, err) < 0) {
		cJSON_Delete(rq);
		return NULL;
	}
	keyname_hex(&key, &hex);
	json_set_strv(rq, "detach", &hex);
	json_set_str(rq, "detach_key", name);
	strv_finish(&hex);
	return rq;
}

static void set_size(cJSON *rq)
{
	struct winsize ws;
	bool known =
	    ioctl(STDIN_FILENO, TIOCGWINSZ, &ws) == 0 && ws.ws_col && ws.ws_row;

	json_set_int(rq, "cols", known ? ws.ws_col : 80);
	json_set_int(rq, "rows", known ? ws.ws_row : 24);
}

static int ask(struct attachment *a, const struct session *s,
	       const struct config *config, bool read_only, struct err *err)
{
	cJSON *rq = attachment_request(s, config, read_only, err), *reply;

	if (!rq)
		return -1;
	set_size(rq);
	reply = client_request(a->client, rq, a->tty_fd, ATTACH_REPLY_MS, err);
	cJSON_Delete(reply);
	return reply ? 0 : -1;
}

static void send_size(struct attachment *a)
{
	cJSON *rq = cJSON_CreateObject();

	json_set_str(rq, "op", "resize");
	set_size(rq);
	client_send(a->client, rq, -1, NULL);
}

void attachment_over(struct attachment *a, const char *reason)
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
			attachment_over(a, "signal");
	}
}

void attachment_event(struct attachment *a, const cJSON *o)
{
	const char *name = json_str_or(o, "event", "");
	struct buf data = {0};

	if (strcmp(name, "attach:end") == 0) {
		attachment_over(a, json_str_or(o, "reason", "lost"));
		snprintf(a->text, sizeof a->text, "%s",
			 json_str_or(o, "text", ""));
	} else if (a->tty_fd < 0 && strcmp(name, "agent:stdout") == 0 &&
		   frame_decode_bytes(json_str_or(o, "data", ""), &data) == 0) {
		if (file_write_all(STDOUT_FILENO, data.data, data.len) < 0)
			attachment_over(a, "lost");
	}
	buf_finish(&data);
}

static void on_socket(struct attachment *a)
{
	struct err err = {0};
	cJSON *o;

	while (!a->over && (o = client_next(a->client, 0, &err))) {
		attachment_event(a, o);
		cJSON_Delete(o);
	}
	if (!a->over && err.kind != ERR_TIMEOUT)
		attachment_over(a, "lost");
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
			attachment_over(a, "lost");
		return;
	}
	frame_encode_bytes(chunk, (size_t)n, &text);
	rq = cJSON_CreateObject();
	json_set_str(rq, "op", "input");
	json_set_str(rq, "data", text.data);
	buf_finish(&text);
	if (client_send(a->client, rq, -1, NULL) < 0)
		attachment_over(a, "lost");
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
	    "\033[?7h\033[?25h\033[0 q\033[23;0t\033[?1007r"
	    "\033[999;1H\r\n";

	/* The supervisor has done it, except where it was lost or relayed. */
	if (strcmp(a->reason, "lost") == 0 || a->tty_fd < 0)
		file_write_all(STDOUT_FILENO, modes, sizeof modes - 1);
	tcsetattr(STDIN_FILENO, TCSANOW, &a->saved);
}

int attachment_say_end(const struct session *s, const struct attachment *a,
		       struct err *err)
{
	if (strcmp(a->reason, "lost") == 0) {
		err_set(err, ERR_FAILED,
			"attach to '%s': lost the connection to its supervisor",
			s->spec.name);
		return err_hint(err, "`afw status %s` says what is left",
				s->spec.name);
	}
	if (strcmp(a->reason, "exit") == 0)
		printf("[%s: %s]\n", s->spec.name, a->text);
	else
		printf("[detached from %s; it goes on]\n", s->spec.name);
	return 0;
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
	rc = ask(a, s, config, read_only, err);
	if (rc == 0) {
		if (a->tty_fd < 0) {
			raw = a->saved;
			cfmakeraw(&raw);
			tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
		}
		wait_for_end(a);
		if (strcmp(a->reason, "signal") == 0) {
			struct err ignored;

			cJSON_Delete(connect_ask(a->client, "detach", NULL,
						 1000, &ignored));
		}
		leave(a);
	}
	mem_on_abort(NULL);
	close(a->signal_fd);
	sigprocmask(SIG_SETMASK, &old, NULL);
	/* Last: a terminal that nobody reads can hold us here. */
	if (rc == 0)
		rc = attachment_say_end(s, a, err);
	return rc;
}

/*
 * Whether fd is the terminal that the session itself runs on: attached to
 * that, what it prints would be its input's echo, without an end, and the
 * detach key would be the outer one's.
 */
static bool is_its_own(const struct session *s, int fd)
{
	struct procstat p;
	struct stat st;

	return s->state.pid > 0 && procstat_read(s->state.pid, &p) &&
	       p.tty != 0 && fstat(fd, &st) == 0 && st.st_rdev == p.tty;
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
		return err_hint(err,
				"`afw capture %s` prints its screen, "
				"`afw logs -f %s` follows its output",
				s->spec.name, s->spec.name);
	}
	if (is_its_own(s, STDIN_FILENO) || is_its_own(s, STDOUT_FILENO))
		return err_set(err, ERR_REFUSED,
			       "attach to '%s': this terminal is the session's "
			       "own",
			       s->spec.name);
	if (backend && backend->attach)
		return attach_outside(s, config, read_only, err);
	a.client = connect_session(s, err);
	if (!a.client)
		return -1;
	if (tty)
		a.tty_fd = open(tty, O_RDWR | O_NOCTTY | O_CLOEXEC);
	rc = with_terminal(&a, s, config, read_only, err);
	file_close(a.tty_fd);
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

static int attach(struct session *s, const struct args *args, struct err *err)
{
	const char *key = args_value(args, "detach-key");
	struct config *config = NULL;
	int rc = -1;

	if (settings_load_usable(&config, spec_checkout(&s->spec), err) == 0 &&
	    (!key || config_set(config, OPTION_DETACH_KEY, key, err) == 0))
		rc = (args_has(args, "print") ? attach_print_command
					      : attach_session)(
		    s, config, args_has(args, "read-only"), err);
	config_destroy(config);
	return rc;
}

const struct command command_attach = {
    .name = "attach",
    .usage = "[NAME]",
    .summary = "show a session on this terminal; Ctrl-\\ leaves it",
    .max_args = 1,
    .options = attach_options,
    .each = attach,
};
