/*
 * play - runs a program on a terminal of its own, presses the keys of a script
 *and prints the screen as text. The terminal's screen is src/screen's model.
 *
 *	play [-s COLSxROWS] [-u FILE] CMD ARGS... <SCRIPT >SCREEN
 *
 * A line of the script is a step:
 *
 *	wait TEXT	waits until the screen has TEXT
 *	size COLSxROWS	changes the window's size
 *	storm N		changes it N times, and back, as fast as possible
 *	type TEXT	types TEXT
 *	show		prints the screen now
 *	KEY...		presses each key when the screen has not changed for
 *			a moment: names as in `afw send --keys`, or characters
 *
 * At the end it prints the screen when that no longer changes; with -u as soon
 *as it is the same as FILE, or after ten seconds. Then the program gets
 *SIGTERM. Exit code 1: it ended before that; its last output is printed.
 */
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/keyname.h"
#include "screen/screen.h"

#include <fcntl.h>

#define DEADLINE_MS 60000
#define ANSWER_MS   300 /* a key that changes nothing has no answer */
#define CALM_MS	    60	/* longer than the dashboard's redraw interval */
#define END_CALM_MS 300

static int master;
static struct screen *screen;
static bool over;

static void reply(void *ctx, const char *data, size_t len)
{
	(void)ctx;
	if (write(master, data, len) < 0)
		over = true;
}

/* Takes what comes; false where nothing came for ms. */
static bool read_output(int ms)
{
	struct pollfd p = {.fd = master, .events = POLLIN};
	char data[65536];
	ssize_t n;

	if (over || poll(&p, 1, ms) <= 0)
		return false;
	n = read(master, data, sizeof data);
	over = n <= 0;
	if (n > 0)
		screen_feed(screen, data, (size_t)n);
	return n > 0;
}

static void calm(int answer_ms, int calm_ms)
{
	int64_t end = clock_mono_ms() + DEADLINE_MS;

	if (read_output(answer_ms))
		while (clock_mono_ms() < end && read_output(calm_ms))
			;
}

static void text(struct buf *out)
{
	int last = screen_rows(screen);

	buf_clear(out);
	buf_adds(out, "");
	for (int row = 0; row < last; row++) {
		screen_row_text(screen, row, false, out);
		buf_addc(out, '\n');
	}
}

/* Until the screen has it, or is it. */
static bool until(const char *wanted, bool whole)
{
	int64_t end = clock_mono_ms() + DEADLINE_MS;
	struct buf now = {0};
	bool found;

	do {
		text(&now);
		found = whole ? strcmp(now.data, wanted) == 0
			      : strstr(now.data, wanted) != NULL;
	} while (!found && !over && clock_mono_ms() < end &&
		 (read_output(50), 1));
	buf_finish(&now);
	return found;
}

static void print_screen(void)
{
	struct buf now = {0};

	text(&now);
	fputs(now.data, stdout);
	buf_finish(&now);
}

static void type(const char *data, size_t len)
{
	if (write(master, data, len) != (ssize_t)len)
		over = true;
}

static void resize(const char *size)
{
	struct winsize ws = {0};

	if (sscanf(size, "%hux%hu", &ws.ws_col, &ws.ws_row) != 2)
		exit(2);
	ioctl(master, TIOCSWINSZ, &ws); /* SIGWINCH comes by itself */
	screen_resize(screen, ws.ws_col, ws.ws_row);
}

static void resize_often(int n)
{
	int cols = screen_cols(screen), rows = screen_rows(screen);
	char size[32];

	for (int i = 1; i <= n; i++) {
		snprintf(size, sizeof size, "%dx%d", i < n ? 1 + i % 250 : cols,
			 i < n ? 1 + i * 7 % 90 : rows);
		resize(size);
		read_output(0);
	}
}

static void keys(char *line)
{
	struct err err = {0};

	for (char *w = strtok(line, " "); w; w = strtok(NULL, " ")) {
		struct buf b = {0};

		if (keyname_type(w, true, false, &b, &err) < 0) {
			fprintf(stderr, "play: %s\n", err.what);
			exit(2);
		}
		type(b.data, b.len);
		buf_finish(&b);
		calm(ANSWER_MS, CALM_MS);
	}
}

static void step(char *line)
{
	char *blank = strchr(line, ' '), *rest = blank ? blank + 1 : line;

	line[strcspn(line, "\n")] = '\0';
	if (strncmp(line, "wait ", 5) == 0) {
		if (!until(rest, false))
			fprintf(stderr, "play: never came: %s\n", rest);
		return;
	}
	if (strcmp(line, "show") == 0)
		print_screen();
	else if (strncmp(line, "size ", 5) == 0)
		resize(rest);
	else if (strncmp(line, "storm ", 6) == 0)
		resize_often(atoi(rest));
	else if (strncmp(line, "type ", 5) == 0)
		type(rest, strlen(rest));
	else
		keys(line);
	calm(CALM_MS, CALM_MS);
}

int main(int argc, char **argv)
{
	struct screen_events events = {.reply = reply};
	struct winsize ws = {.ws_col = 80, .ws_row = 24};
	struct buf wanted = {0};
	struct err err = {0};
	char line[1024];
	int opt, status;
	pid_t pid;

	while ((opt = getopt(argc, argv, "+s:u:")) != -1) {
		if (opt == 'u') {
			if (file_read(AT_FDCWD, optarg, 1 << 20, &wanted,
				      &err) != 0)
				return 2;
		} else if (opt != 's' || sscanf(optarg, "%hux%hu", &ws.ws_col,
						&ws.ws_row) != 2) {
			return 2;
		}
	}
	screen = screen_create(ws.ws_col, ws.ws_row, 0, &events);
	pid = forkpty(&master, NULL, NULL, &ws);
	if (pid == 0) {
		execvp(argv[optind], argv + optind);
		_exit(127);
	}
	calm(DEADLINE_MS, CALM_MS);
	while (!over && fgets(line, sizeof line, stdin))
		step(line);
	if (wanted.data)
		until(wanted.data, true);
	else
		calm(END_CALM_MS, END_CALM_MS);
	opt = over;
	print_screen();
	kill(pid, SIGTERM);
	while (read_output(DEADLINE_MS))
		;
	close(master);
	waitpid(pid, &status, 0);
	screen_destroy(screen);
	buf_finish(&wanted);
	return opt;
}
