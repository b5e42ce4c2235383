/*
 * term.c - starts and ends curses.
 *
 * raw(): Ctrl-C, Ctrl-Z, Ctrl-S and Ctrl-Q are keys like others, and the
 * program decides. Pastes are bracketed, so that pasted text is never taken for
 * commands. The sequences that restore the terminal are prepared at the start:
 * a handler of a fatal signal can neither allocate nor call curses.
 */
#include "tui/term/term.h"

#include <curses.h>
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#include "tui/term/mouse.h"

#define PASTE_ON    "\033[?2004h"
#define PASTE_OFF   "\033[?2004l"
#define PASTE_BEGIN 0x1000 /* codes above those of curses */
#define PASTE_END   0x1001
#define MOUSE_BEGIN 0x1002
#define MOUSE_OLD   0x1003

static struct {
	bool started, curses_on, utf8, colours, pasting, mouse;
	struct mouse_report report;
	SCREEN *screen;
	struct termios saved;
	char restore[256];
	size_t restore_len;
} term;

static void set_locale(void)
{
	const char *wanted;

	if (!setlocale(LC_ALL, ""))
		setlocale(LC_ALL, "C");
	wanted = getenv("LC_ALL");
	if (!wanted || !*wanted)
		wanted = getenv("LC_CTYPE");
	if (!wanted || !*wanted)
		wanted = getenv("LANG");
	/* A locale that is not installed here (ssh passes it on). */
	if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0 && wanted &&
	    (strcasestr(wanted, "utf-8") || strcasestr(wanted, "utf8")))
		setlocale(LC_CTYPE, "C.UTF-8");
	term.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static void restore_add(const char *s)
{
	size_t len;

	if (!s || s == (const char *)-1)
		return;
	/* Padding ("$<5>") is only for very old terminals. */
	len = strcspn(s, "$");
	if (term.restore_len + len < sizeof term.restore) {
		memcpy(term.restore + term.restore_len, s, len);
		term.restore_len += len;
	}
}

void term_restore_now(void)
{
	if (!term.started || !term.curses_on)
		return;
	if (write(STDOUT_FILENO, term.restore, term.restore_len) < 0) {
		/* a failure cannot be handled here */
	}
	tcsetattr(STDIN_FILENO, TCSANOW, &term.saved);
	term.curses_on = false;
}

static void on_fatal(int signo)
{
	term_restore_now();
	signal(signo, SIG_DFL);
	raise(signo);
}

static void catch_fatal(void)
{
	static const int fatal[] = {SIGSEGV, SIGBUS,  SIGABRT, SIGFPE,
				    SIGILL,  SIGQUIT, SIGSYS};
	struct sigaction now, mine = {.sa_handler = on_fatal};

	sigemptyset(&mine.sa_mask);
	mine.sa_flags = (int)(SA_RESETHAND | SA_NODEFER);
	for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
		if (sigaction(fatal[i], NULL, &now) == 0 &&
		    now.sa_handler == SIG_DFL)
			sigaction(fatal[i], &mine, NULL);
}

static int check_terminal(struct err *err)
{
	const char *name = getenv("TERM");
	int status = 0;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		err_set(
		    err, ERR_FAILED,
		    "dashboard: standard input and output are not a terminal");
		return err_hint(err, "`afw ls` prints the sessions anywhere");
	}
	if (!name || !*name)
		err_set(err, ERR_FAILED,
			"dashboard: TERM is not set, so "
			"nothing is known of the terminal");
	else if (setupterm(NULL, STDOUT_FILENO, &status) != OK)
		err_set(err, ERR_FAILED,
			"dashboard: the terminal '%.40s' (TERM) is unknown "
			"here",
			name);
	else if (!cursor_address || !clear_screen)
		err_set(err, ERR_FAILED,
			"dashboard: a terminal of the kind '%.40s' (TERM) "
			"cannot move its cursor",
			name);
	else
		return 0;
	return err_hint(err, "`afw ls` prints the sessions anywhere; "
			     "TERM=xterm is understood by most terminals");
}

static void set_modes(void)
{
	raw();
	noecho();
	nonl();
	intrflush(stdscr, FALSE);
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(25);
	/* Draw pictures whole, even if a key is waiting. */
	typeahead(-1);
	curs_set(0);
	define_key("\033[200~", PASTE_BEGIN);
	define_key("\033[201~", PASTE_END);
	/* Also if the mouse was not requested, so that its reports are not
	 * taken for keys. */
	define_key("\033[<", MOUSE_BEGIN);
	define_key("\033[M", MOUSE_OLD);
}

void term_write(const char *sequence)
{
	if (!term.curses_on)
		return;
	fflush(stdout);
	if (write(STDOUT_FILENO, sequence, strlen(sequence)) < 0) {
		/* a failure shows elsewhere */
	}
}

/* Switches the terminal's reports on or off. */
static void write_modes(bool on)
{
	term_write(on ? PASTE_ON : PASTE_OFF);
	if (term.mouse)
		term_write(on ? MOUSE_ON : MOUSE_OFF);
}

int term_start(bool mouse, struct err *err)
{
	const char *no_colour = getenv("NO_COLOR");

	set_locale();
	if (check_terminal(err) < 0)
		return -1;
	tcgetattr(STDIN_FILENO, &term.saved);
	/* curses would handle SIGWINCH, and take the size from LINES. */
	unsetenv("LINES");
	unsetenv("COLUMNS");
	term.screen = newterm(NULL, stdout, stdin);
	if (!term.screen)
		return err_set(err, ERR_FAILED,
			       "dashboard: curses cannot use this terminal");
	term.started = term.curses_on = true;
	term.mouse = mouse && key_mouse;
	restore_add(PASTE_OFF);
	restore_add(term.mouse ? MOUSE_OFF : NULL);
	restore_add(exit_attribute_mode);
	restore_add(keypad_local);
	restore_add(cursor_normal);
	restore_add(exit_ca_mode);
	restore_add("\r");
	catch_fatal();
	/* Until its first endwin(), curses takes itself for a program that only
	 * moves the cursor, and writes once for each move. */
	endwin();
	if (has_colors() && !(no_colour && *no_colour)) {
		start_color();
		use_default_colors();
		term.colours = true;
	}
	set_modes();
	write_modes(true);
	return 0;
}

void term_stop(void)
{
	if (!term.started)
		return;
	if (term.curses_on) {
		write_modes(false);
		endwin();
	}
	term.curses_on = false;
	term.started = false;
	delscreen(term.screen);
	term.screen = NULL;
}

void term_suspend(void)
{
	if (!term.curses_on)
		return;
	write_modes(false);
	def_prog_mode();
	endwin();
	term.curses_on = false;
	term.pasting = false;
}

void term_resume(void)
{
	term.curses_on = true;
	reset_prog_mode();
	term_resize();
	curs_set(0);
	write_modes(true);
}

void term_resize(void)
{
	struct winsize ws;

	/* Sizes in between, which are not reported, have cut the picture: the
	 * next refresh paints everything again. */
	clearok(curscr, TRUE);
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == 0 && ws.ws_row > 0 &&
	    ws.ws_col > 0)
		resizeterm(ws.ws_row, ws.ws_col);
}

bool term_utf8(void)
{
	return term.utf8;
}

bool term_colours(void)
{
	return term.colours;
}

void term_paste_ended(void)
{
	term.pasting = false;
}

bool term_in_paste(void)
{
	return term.pasting;
}

bool key_is_cancel(struct key k)
{
	return k.kind == KEY_KIND_CHAR && (k.cp == '\033' || k.cp == 'C' - '@');
}

struct key term_key(void)
{
	struct mouse m;
	wint_t c;
	int kind;

	for (;;) {
		kind = get_wch(&c);
		if (kind == ERR)
			return (struct key){KEY_KIND_NONE, 0};
		if (kind == OK && term.report.reads) {
			if (mouse_report_add(&term.report, c, &m) &&
			    term.mouse && !term.pasting)
				return (struct key){KEY_KIND_MOUSE,
						    mouse_pack(&m)};
			continue;
		}
		term.report.reads = false;
		if (kind == KEY_CODE_YES &&
		    (c == MOUSE_BEGIN || c == MOUSE_OLD))
			mouse_report_begin(&term.report, c == MOUSE_OLD);
		else if (kind == KEY_CODE_YES && c == PASTE_BEGIN)
			term.pasting = true;
		else if (kind == KEY_CODE_YES && c == PASTE_END)
			term.pasting = false;
		else if (kind != KEY_CODE_YES ||
			 (c != KEY_RESIZE && !term.pasting))
			break;
	}
	if (kind == KEY_CODE_YES)
		return (struct key){KEY_KIND_NAMED, c};
	if (term.pasting)
		return (struct key){KEY_KIND_PASTE, c == '\r' ? '\n' : c};
	if (c != '\033')
		return (struct key){KEY_KIND_CHAR, c};
	/* ESC directly followed by a character is Alt with that character. */
	kind = get_wch(&c);
	if (kind == OK)
		return (struct key){KEY_KIND_ALT, c};
	if (kind == KEY_CODE_YES && c != KEY_RESIZE)
		unget_wch((wchar_t)c);
	return (struct key){KEY_KIND_CHAR, '\033'};
}

const char *term_library(void)
{
	return curses_version();
}
