/* fullscreen.c - the terminal of a command that draws repeatedly. */
#include "commands/cli/fullscreen.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"

#define PICTURE_BYTES (256 * 1024) /* size of the buffer for one write */

#define CTRL_C 3
#define CTRL_Z 26

static volatile sig_atomic_t ended;
static struct fullscreen *shown; /* there is only one terminal */

static void on_signal(int signo)
{
	if (signo != SIGWINCH)
		ended = 1;
}

bool fullscreen_possible(void)
{
	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

static void enter(const struct fullscreen *f)
{
	struct termios raw = f->saved;

	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG);
	tcsetattr(STDIN_FILENO, TCSANOW, &raw);
	fputs("\033[?1049h\033[?25l", stdout);
}

int fullscreen_begin(struct fullscreen *f, const char *what, struct err *err)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGWINCH};
	static char picture[PICTURE_BYTES];
	struct sigaction sa = {.sa_handler = on_signal};

	if (tcgetattr(STDIN_FILENO, &f->saved) < 0)
		return err_errno(err, "%s: read the terminal's mode", what);
	for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
		sigaction(signals[i], &sa, NULL);
	setvbuf(stdout, picture, _IOFBF, sizeof picture);
	shown = f;
	enter(f);
	return 0;
}

void fullscreen_end(struct fullscreen *f)
{
	fputs("\033[?25h\033[?1049l", stdout);
	fflush(stdout);
	tcsetattr(STDIN_FILENO, TCSANOW, &f->saved);
}

void fullscreen_clear(void)
{
	fputs("\033[H\033[J", stdout);
}

int fullscreen_rows(void)
{
	struct winsize ws = {0};

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == 0 && ws.ws_row > 0
		   ? ws.ws_row
		   : 24;
}

bool fullscreen_pause(int64_t ms)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
	int64_t end = clock_mono_ms() + ms;
	char key;

	while (!ended) {
		int64_t left = end - clock_mono_ms();
		int n = poll(&p, 1, left > 0 ? (int)left : 0);

		if (n <= 0)
			return !ended; /* the size changed: draw again */
		if (read(STDIN_FILENO, &key, 1) <= 0 || key == 'q' ||
		    key == 'Q' || key == CTRL_C)
			return false;
		if (key == CTRL_Z) {
			fullscreen_end(shown);
			/* stops the whole job, as the terminal does */
			kill(0, SIGTSTP);
			enter(shown);
			return true;
		}
	}
	return false;
}
