/*
 * tmux_args.c - the configuration of tmux and the arguments of every call.
 *
 * Traps that these lists avoid (measured with 3.3a): a shell runs a pane's
 * command of one word, but not of two; -c and -s run #(command); a target
 * "=name:" is exact where "name" is a prefix; a trailing ; of an argument ends
 * the command; send-keys fails with 16,300 bytes and reaches the copy mode
 * instead of the pane, and paste-buffer -p omits the brackets there. So
 * everything is written by load-buffer and paste-buffer -r, with the sender's
 * own brackets: this works for any size and in any mode. From 3.7 on
 * paste-buffer makes bytes printable unless it has -S.
 */
#include "terminal/tmux_args.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "terminal/terminal.h"

#define SESSION	       "afw"
#define TARGET	       "=afw:"
#define BUFFER	       "afw"
#define SANITIZING     307 /* 3.7 */
#define CLOCK_SET_BACK 2   /* s: a later activity is from another clock */

static void add(struct strv *argv, const char *const *words)
{
	for (; *words; words++)
		strv_add(argv, *words);
}

static void call(struct strv *argv, const char *socket)
{
	strv_add(argv, "tmux");
	strv_add(argv, "-S");
	strv_add(argv, socket);
}

int tmux_args_version(const char *text)
{
	const char *p = strpbrk(text, "0123456789");
	char *end;
	long major, minor = 0;

	if (strncmp(text, "tmux ", 5) != 0)
		return -1;
	/* "tmux master" is newer than all that have a number; OpenBSD's own
	 * is called after the system. */
	if (strncmp(text + 5, "master", 6) == 0)
		return 99 * 100;
	if (!p)
		return -1;
	major = strtol(p, &end, 10);
	if (*end == '.')
		minor = strtol(end + 1, NULL, 10);
	if (major < 0 || major > 99 || minor < 0 || minor > 99)
		return -1;
	return (int)(major * 100 + minor);
}

void tmux_args_config(struct buf *out, int history, const char *term)
{
	buf_adds(out, "# Written by afw at every start of this session.\n"
		      /* No keys except those that attach binds. */
		      "set -g prefix None\n"
		      "set -g prefix2 None\n"
		      "unbind -q -a -T prefix\n"
		      "unbind -q -a -T root\n"
		      "set -g status off\n"
		      /* The text of attach covers the first line. */
		      "set -g status-position top\n"
		      "set -g display-time 4000\n"
		      "set -g mouse off\n"
		      /* Otherwise a key within 1 ms of another does not trigger
		       * a binding. */
		      "set -g assume-paste-time 0\n"
		      /* tmux drops a character whose bytes are further apart.
		       * That was its default until 3.5 made it 10. */
		      "set -s escape-time 500\n"
		      "set -s focus-events on\n"
		      "set -s extended-keys on\n"
		      /* Without the agent's clipboard: attach turns that on. */
		      "set -s set-clipboard external\n"
		      "set -g set-titles on\n"
		      "set -g set-titles-string '#{pane_title}'\n"
		      "set -g allow-rename off\n"
		      "set -g automatic-rename off\n"
		      /* The environment of attaching clients is not copied. */
		      "set -g update-environment ''\n"
		      "set -g default-shell /bin/sh\n"
		      "set -g default-command ''\n"
		      "set -g remain-on-exit off\n"
		      "set -s exit-empty on\n"
		      "set -g destroy-unattached off\n");
	buf_addf(out, "set -g default-terminal %s\n", term);
	buf_addf(out, "set -g history-limit %d\n", history);
}

void tmux_args_start(const struct tmux_args_start *st, struct strv *argv)
{
	call(argv, st->socket);
	strv_add(argv, "-f");
	strv_add(argv, st->config);
	add(argv, (const char *[]){"new-session", "-d", "-s", SESSION, "-P",
				   "-F", "#{pid} #{pane_id}", "-x", NULL});
	strv_addf(argv, "%d", st->cols);
	strv_add(argv, "-y");
	strv_addf(argv, "%d", st->rows);
	add(argv, (const char *[]){"--", st->program, "pane", st->pane_socket,
				   ";", NULL});
	/* A shell runs this, so it is always the same text. */
	add(argv, (const char *[]){"pipe-pane", "-O", "-t", TARGET,
				   "exec \"$" TMUX_ENV_PROGRAM "\" pipe "
				   "\"$" TMUX_ENV_SOCKET "\"",
				   NULL});
}

void tmux_args_write(const char *socket, const char *pane, int version,
		     struct strv *argv)
{
	call(argv, socket);
	add(argv,
	    (const char *[]){"load-buffer", "-b", BUFFER, "-", ";", NULL});
	add(argv,
	    (const char *[]){"paste-buffer", "-r", "-d", "-b", BUFFER, NULL});
	if (version >= SANITIZING)
		strv_add(argv, "-S");
	strv_add(argv, "-t");
	strv_add(argv, pane);
}

void tmux_args_query_typed(const char *socket, const char *pane,
			   struct strv *argv)
{
	call(argv, socket);
	add(argv, (const char *[]){"display-message", "-p", "-t", pane,
				   "#{session_last_attached} "
				   "#{session_activity}",
				   NULL});
}

int64_t tmux_args_typed_ago(const char *answer, int64_t wall_ms)
{
	long long attached = 0, activity = 0;
	int n = sscanf(answer, "%lld %lld", &attached, &activity);
	int64_t ago;

	/* If there never was a client: " <activity>". */
	if (n == 1 && answer[0] == ' ')
		return TERMINAL_TYPED_NEVER;
	if (n != 2)
		return TERMINAL_TYPED_UNKNOWN;
	if (attached <= 0 || activity <= 0 ||
	    activity > wall_ms / 1000 + CLOCK_SET_BACK)
		return TERMINAL_TYPED_NEVER;
	ago = wall_ms - ((int64_t)activity * 1000 + 999);
	return ago > 0 ? ago : 0;
}

/* Sets whether the agent may set the clipboard, for all attached clients. */
static void add_clipboard(const char *when, struct strv *argv)
{
	bool focused = when && strcmp(when, "focused") == 0;
	bool on = focused || (when && strcmp(when, "always") == 0);

	add(argv, (const char *[]){"set-option", "-s", "set-clipboard",
				   on ? "on" : "external", ";", NULL});
	add(argv, (const char *[]){"set-hook", "-g", "client-focus-in",
				   focused ? "set -s set-clipboard on" : "",
				   ";", NULL});
	add(argv,
	    (const char *[]){"set-hook", "-g", "client-focus-out",
			     focused ? "set -s set-clipboard external" : "",
			     ";", NULL});
}

/* tmux expands # and, as strftime(3), % in it. */
static void add_message(const char *text, struct strv *argv)
{
	_buf_ struct buf out = {0};

	for (; *text; text++) {
		if (strchr("#%", *text))
			buf_addc(&out, *text);
		buf_addc(&out, *text);
	}
	add(argv, (const char *[]){";", "display-message", out.data, NULL});
}

void tmux_args_attach(const char *socket, const char *detach_key,
		      const struct terminal_attach *a, struct strv *argv)
{
	call(argv, socket);
	strv_add(argv, "-u");
	if (a->truecolor)
		add(argv, (const char *[]){"-T", "RGB", NULL});
	/* This terminal's size replaces one that was set by hand. */
	add(argv, (const char *[]){"set-option", "-q", "-w", "-u", "-t", TARGET,
				   "window-size", ";", NULL});
	add(argv, (const char *[]){"unbind-key", "-q", "-a", "-T", "root", ";",
				   NULL});
	add(argv, (const char *[]){"bind-key", "-n", "S-PPage", "copy-mode",
				   "-e", "-u", ";", NULL});
	add_clipboard(a->clipboard, argv);
	if (detach_key)
		add(argv, (const char *[]){"bind-key", "-n", detach_key,
					   "detach-client", ";", NULL});
	strv_add(argv, "attach-session");
	if (a->read_only)
		strv_add(argv, "-r");
	add(argv, (const char *[]){"-t", "=" SESSION, NULL});
	if (a->first_line)
		add_message(a->first_line, argv);
}

void tmux_args_kill(const char *socket, struct strv *argv)
{
	call(argv, socket);
	strv_add(argv, "-N");
	strv_add(argv, "kill-server");
}

void tmux_args_query_version(struct strv *argv)
{
	strv_add(argv, "tmux");
	strv_add(argv, "-V");
}

char *tmux_args_key(const char *name)
{
	struct buf out = {0};
	const char *p = name;

	if (!name[0] || strlen(name) > 40)
		return NULL;
	for (const char *c = name; *c; c++)
		if ((unsigned char)*c <= ' ' || *c == 127)
			return NULL;
	while (p[0] && p[1] == '-' && p[2]) { /* A- is another name for M- */
		buf_addc(&out, p[0] == 'A' || p[0] == 'a' ? 'M' : p[0]);
		buf_addc(&out, '-');
		p += 2;
	}
	if (strcasecmp(p, "Backspace") == 0)
		p = "BSpace";
	buf_adds(&out, p);
	if (out.data[out.len - 1] == ';') {
		out.data[out.len - 1] = '\\';
		buf_addc(&out, ';');
	}
	if (out.data[0] == '-') {
		buf_finish(&out);
		return NULL;
	}
	return buf_steal(&out);
}
