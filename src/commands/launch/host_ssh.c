/* host_ssh.c - runs afw on another machine through the user's ssh. */
#include "commands/launch/host_ssh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/spawn.h"
#include "commands/cli/output.h"
#include "commands/launch/host_output.h"
#include "config/ssh_url.h"

#define ANSWER_MAX ((size_t)4 * 1024 * 1024)
#define ANSWER_MS  ((int64_t)600 * 1000)

/* sshd passes the whole command line to a shell as one argument, which Linux
 * limits to 128 KiB (execve(2)). */
#define LINE_MAX_BYTES ((size_t)120 * 1024)

/*
 * What the login shell of the other machine runs, whichever shell it is: a
 * fixed script for sh, followed by words of digits and blanks. The PATH of a
 * login by ssh often lacks ~/.local/bin, where make install PREFIX=~/.local
 * puts afw.
 */
#define ARRIVE                                                                 \
	"exec sh -c 'PATH=$PATH:$HOME/.local/bin; "                            \
	"command -v afw >/dev/null || { "                                      \
	"echo \"afw: start afw on the other machine: it is neither in PATH "   \
	"nor in ~/.local/bin there\" >&2; "                                    \
	"echo \"hint: install it there, or add its directory to PATH in "      \
	"~/.bashrc\" >&2; "                                                    \
	"exit 127; }; "                                                        \
	"exec afw on-host \"$@\"' afw"

void host_ssh_begin(struct buf *line, const char *url)
{
	buf_adds(line, ARRIVE);
	host_ssh_word(line, url + ssh_url_destination(url));
}

void host_ssh_word(struct buf *line, const char *word)
{
	buf_adds(line, *word ? " " : " -");
	for (; *word; word++)
		buf_addf(line, "%02x", (unsigned char)*word);
}

void host_ssh_option(struct buf *line, const char *name, const char *value)
{
	char *word = value ? mem_printf("--%s=%s", name, value)
			   : mem_printf("--%s", name);

	host_ssh_word(line, word);
	free(word);
}

static int check_length(const struct buf *line, struct err *err)
{
	if (line->len <= LINE_MAX_BYTES)
		return 0;
	err_set(err, ERR_USAGE, "the command is too long for another machine");
	return err_hint(err, "give a long message with -F FILE");
}

/* Appends ssh with its options, up to the command line. */
static void add_ssh(struct strv *argv, const char *url, bool terminal)
{
	strv_add(argv, "ssh");
	strv_add(argv, terminal ? "-t" : "-T");
	strv_add(argv, "-oLogLevel=ERROR");
	strv_add(argv, "-oRemoteCommand=none");
	strv_add(argv, "-oConnectTimeout=20");
	strv_add(argv, "-oServerAliveInterval=15");
	strv_add(argv, "-oServerAliveCountMax=3");
	strv_add(argv, "--");
	strv_addf(argv, "%.*s", (int)ssh_url_destination(url), url);
}

int host_ssh_run(const char *url, const struct buf *line, int input,
		 const char *clipboard, struct err *err)
{
	bool terminal =
	    input < 0 && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	_strv_ struct strv argv = {0};
	struct spawn sp = {.fd = {input < 0 ? STDIN_FILENO : input,
				  STDOUT_FILENO, STDERR_FILENO}};

	if (check_length(line, err) < 0)
		return -1;
	add_ssh(&argv, url, terminal);
	strv_add(&argv, line->data);
	sp.argv = argv.v;
	return host_output_run(&sp, clipboard, err);
}

int host_ssh_ask(const char *url, const struct buf *line, struct buf *out,
		 struct buf *errors, struct err *err)
{
	_strv_ struct strv argv = {0};
	_buf_ struct buf printed = {0};
	struct spawn sp = {.fd = {-1, -1, -1}, .same_session = true};
	int status;

	if (check_length(line, err) < 0)
		return -1;
	add_ssh(&argv, url, false);
	strv_add(&argv, line->data);
	sp.argv = argv.v;
	if (spawn_run(&sp, NULL, out, errors ? errors : &printed, ANSWER_MAX,
		      ANSWER_MS, &status, err) < 0)
		return -1;
	buf_adds(out, "");
	buf_adds(errors ? errors : &printed, "");
	output_lines(stderr, printed.data);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
