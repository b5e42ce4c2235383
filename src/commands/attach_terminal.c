/*
 * attach_terminal.c - the supervisor shows the session on this terminal.
 *
 * The supervisor gets a descriptor of the terminal and copies all bytes; we
 * only wait, report changes of the size, and restore the terminal, whichever of
 * the two processes ends first. The descriptor is opened again, so that
 * O_NONBLOCK does not affect the shell that started us. If the terminal cannot
 * be opened (it belongs to another user, as after su), bytes are relayed
 * through the socket instead.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/json.h"
#include "commands/attachment.h"
#include "session/live/connection.h"
#include "wire/frame.h"

static struct termios abort_saved;

static void restore_on_abort(void)
{
	tcsetattr(STDIN_FILENO, TCSANOW, &abort_saved);
}

static int signals_open(sigset_t *old)
{
	/* If we were stopped, the supervisor and the shell would both use the
	 * terminal. */
	static const int signals[] = {SIGWINCH, SIGINT,	 SIGTERM,
				      SIGHUP,	SIGQUIT, SIGTSTP};
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
		sigaddset(&set, signals[i]);
	sigprocmask(SIG_BLOCK, &set, old);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void get_size(int64_t *cols, int64_t *rows)
{
	struct winsize ws;
	bool known =
	    ioctl(STDIN_FILENO, TIOCGWINSZ, &ws) == 0 && ws.ws_col && ws.ws_row;

	*cols = known ? ws.ws_col : 80;
	*rows = known ? ws.ws_row : 24;
}

static int request_attach(struct attachment *a, const struct session *s,
			  const struct config *config, bool read_only,
			  const char *first_line, struct err *err)
{
	struct request rq;
	char line[ATTACH_LINE];
	cJSON *reply;

	if (attachment_request(&rq, line, s, config, read_only, err) < 0)
		return -1;
	if (first_line)
		rq.attach.first_line = first_line;
	get_size(&rq.attach.cols, &rq.attach.rows);
	reply = client_request(a->client, &rq, a->tty_fd, ATTACH_REPLY_MS, err);
	request_finish(&rq);
	cJSON_Delete(reply);
	return reply ? 0 : -1;
}

static void send_size(struct attachment *a)
{
	struct request rq = {.id = REQUEST_RESIZE};

	get_size(&rq.resize.cols, &rq.resize.rows);
	client_send(a->client, &rq, -1, CLIENT_SEND_MS, NULL);
}

static void on_signals(struct attachment *a)
{
	struct signalfd_siginfo si;

	while (read(a->signal_fd, &si, sizeof si) == sizeof si) {
		if (si.ssi_signo == SIGWINCH)
			send_size(a);
		else if (si.ssi_signo != SIGTSTP)
			attachment_end(a, "signal");
	}
}

static void on_socket(struct attachment *a)
{
	struct err err = {0};
	cJSON *o;

	while (!a->over && (o = client_next(a->client, 0, &err))) {
		attachment_handle_event(a, o);
		cJSON_Delete(o);
	}
	if (!a->over && err.kind != ERR_TIMEOUT)
		attachment_end(a, "lost");
}

/* Relay: reads the keys that were typed here. */
static void on_key(struct attachment *a)
{
	char chunk[4096];
	ssize_t n = read(STDIN_FILENO, chunk, sizeof chunk);
	_buf_ struct buf text = {0};

	if (n <= 0) {
		if (n == 0 || errno != EINTR)
			attachment_end(a, "lost");
		return;
	}
	frame_encode_bytes(chunk, (size_t)n, &text);
	if (client_send(a->client, REQUEST_OF(INPUT, .input.data = text.data),
			-1, CLIENT_SEND_MS, NULL) < 0)
		attachment_end(a, "lost");
}

static void wait_for_end(struct attachment *a)
{
	struct pollfd p[3] = {
	    {.fd = client_fd(a->client), .events = POLLIN},
	    {.fd = a->signal_fd, .events = POLLIN},
	    {.fd = a->tty_fd < 0 ? STDIN_FILENO : -1, .events = POLLIN},
	};

	on_socket(a); /* frames that came with the reply */
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

/* Resets the modes that a harness may have set; harmless if repeated. */
static void reset_modes(const struct attachment *a)
{
	static const char modes[] =
	    "\030\033\\\033[?2026l\033[?1000l\033[?1002l\033[?1003l\033[?1006l"
	    "\033[?1004l\033[?2004l\033[?2031l\033[<u\033[>4m\033[?1l\033>"
	    "\033(B\033[4l\033[?1049l\033[<u\033[?6l\033[r\033[0m\033[?5l"
	    "\033[?7h\033[?25h\033[0 q\033[23;0t\033[?1007r"
	    "\033[999;1H\r\n";

	/* The supervisor has reset them, unless it was lost or bytes were
	 * relayed. */
	if (strcmp(a->reason, "lost") == 0 || a->tty_fd < 0)
		file_write_all(STDOUT_FILENO, modes, sizeof modes - 1);
	tcsetattr(STDIN_FILENO, TCSANOW, &a->saved);
}

static int with_terminal(struct attachment *a, const struct session *s,
			 const struct config *config, bool read_only,
			 const char *first_line, struct err *err)
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
	rc = request_attach(a, s, config, read_only, first_line, err);
	if (rc == 0) {
		if (a->tty_fd < 0) {
			raw = a->saved;
			cfmakeraw(&raw);
			tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
		}
		wait_for_end(a);
		if (strcmp(a->reason, "signal") == 0) {
			struct err ignored;

			cJSON_Delete(client_request(
			    a->client, REQUEST_OF(DETACH), -1, 1000, &ignored));
		}
		reset_modes(a);
	}
	mem_on_abort(NULL);
	close(a->signal_fd);
	sigprocmask(SIG_SETMASK, &old, NULL);
	/* Last, because closing a terminal that is not read can block. */
	if (rc == 0)
		rc = attachment_print_end(s, a, err);
	return rc;
}

int attach_terminal(const struct session *s, const struct config *config,
		    bool read_only, const char *first_line, struct err *err)
{
	struct attachment a = {.tty_fd = -1};
	const char *tty = ttyname(STDIN_FILENO);
	int rc;

	a.client = connect_session(s, err);
	if (!a.client)
		return -1;
	if (tty)
		a.tty_fd = open(tty, O_RDWR | O_NOCTTY | O_CLOEXEC);
	rc = with_terminal(&a, s, config, read_only, first_line, err);
	file_close(a.tty_fd);
	client_destroy(a.client);
	return rc;
}
