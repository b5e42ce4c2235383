/*
 * host_ssh.c - runs afw on another machine through the user's ssh.
 *
 * As git does, it uses the command of GIT_SSH_COMMAND or core.sshCommand.
 * Without one, and unless the user's ssh configuration shares connections, all
 * commands of a minute and their git share one: one prompt, and later commands
 * are faster.
 */
#include "commands/launch/host_ssh.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/hash.h"
#include "base/spawn.h"
#include "base/ssh_url.h"
#include "base/words.h"
#include "commands/cli/output.h"
#include "commands/launch/host_output.h"
#include "hosts/engine.h"
#include "session/disk/dirs.h"

#define ANSWER_MAX ((size_t)4 * 1024 * 1024)
#define ASK_MAX	   ((size_t)4096)
#define CONFIG_MAX ((size_t)256 * 1024)
#define ASK_MS	   10000
#define SOCKET_MAX 88 /* bytes of its path; ssh first appends 17 to it */
#define ANSWER_MS  ((int64_t)600 * 1000)

/* sshd passes the whole command line to a shell as one argument, which Linux
 * limits to 128 KiB (execve(2)). */
#define LINE_MAX_BYTES ((size_t)120 * 1024)

/*
 * What the login shell of the other machine runs, whichever shell it is: a
 * fixed script for sh, followed by words of digits and blanks. The PATH of a
 * login by ssh often lacks ~/.local/bin, where make install PREFIX=~/.local
 * puts afw. AFW_FROM is what the user calls that machine, for its hints.
 */
#define ARRIVE                                                                 \
	"exec sh -c 'PATH=$PATH:$HOME/.local/bin; "                            \
	"command -v afw >/dev/null || { "                                      \
	"echo \"afw: start afw on the other machine: it is neither in PATH "   \
	"nor in ~/.local/bin there\" >&2; "                                    \
	"echo \"hint: install it there, or add its directory to PATH in "      \
	"~/.bashrc\" >&2; "                                                    \
	"exit 127; }; "                                                        \
	"AFW_FROM=$1; export AFW_FROM; shift; "                                \
	"exec afw on-host \"$@\"' afw"

void host_ssh_begin(struct buf *line, const char *url)
{
	const char *host = getenv("AFW_HOST"); /* as the user names it */

	buf_adds(line, ARRIVE);
	host_ssh_word(line, host ? host : "");
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

/* -- the connection -------------------------------------------------------- */

char *host_ssh_first_line(const char *const *argv)
{
	const struct spawn sp = {.argv = (char *const *)(size_t)argv,
				 .fd = {-1, -1, -1}};
	_buf_ struct buf out = {0};
	int status;

	if (spawn_run(&sp, NULL, &out, NULL, ASK_MAX, ASK_MS, &status, NULL) <
		0 ||
	    status != 0 || !out.len || out.data[0] == '\n')
		return NULL;
	return mem_strndup(out.data, strcspn(out.data, "\n"));
}

/* Returns the user's own command, a line for a shell as in git(1), to be
 * freed, or NULL. */
static char *own_command(void)
{
	static const char *const argv[] = {"git", "config", "--get",
					   "core.sshCommand", NULL};
	const char *given = getenv("GIT_SSH_COMMAND");

	return given && *given ? mem_strdup(given) : host_ssh_first_line(argv);
}

static char *destination_of(const char *url)
{
	return mem_strndup(url, ssh_url_destination(url));
}

/* Returns the socket that the user's ssh configuration shares connections by,
 * to be freed; "": not known; NULL: it shares none. */
static char *find_users(const char *destination)
{
	static const char path[] = "\ncontrolpath ";
	const char *const argv[] = {"ssh", "-G", "--", destination, NULL};
	const struct spawn sp = {.argv = (char *const *)(size_t)argv,
				 .fd = {-1, -1, -1}};
	_buf_ struct buf out = {0};
	const char *at;
	int status;

	if (spawn_run(&sp, NULL, &out, NULL, CONFIG_MAX, ASK_MS, &status,
		      NULL) < 0 ||
	    status != 0 || !out.len)
		return mem_strdup("");
	at = strstr(out.data, path);
	if (at)
		return mem_strndup(at + strlen(path),
				   strcspn(at + strlen(path), "\n"));
	return strstr(out.data, "\ncontrolmaster false\n") ? NULL
							   : mem_strdup("");
}

static bool is_shared(const char *destination)
{
	_free_ char *socket = find_users(destination);

	return socket != NULL;
}

/* Returns the socket of the shared connection, to be freed; NULL: none is to be
 * shared. Nothing in the path needs quoting, for ssh or a shell. */
static char *find_socket(const char *url)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-";
	_free_ char *dir = dirs_runtime(NULL), *own = own_command();
	_free_ char *to = destination_of(url), *path = NULL;

	if (!dir || own || getenv("GIT_SSH"))
		return NULL;
	path =
	    mem_printf("%s/ssh-%016llx", dir,
		       (unsigned long long)hash_add(HASH_NONE, to, strlen(to)));
	if (strlen(path) > SOCKET_MAX || path[strspn(path, plain)])
		return NULL;
	if (access(path, F_OK) == 0)
		return TAKE_PTR(path);
	return file_private_dir(dir, NULL) == 0 && !is_shared(to)
		   ? TAKE_PTR(path)
		   : NULL;
}

/* Returns the ssh_config of a place that an engine made (hosts/engine.h), to be
 * freed; NULL: the user's own is used. */
static char *place_config(const char *url)
{
	_free_ char *to = destination_of(url);
	const char *host = strrchr(to, '/') + 1, *at = strchr(host, '@');

	return engine_ssh_config(at ? at + 1 : host);
}

static void add_options(struct strv *argv, const char *url, const char *socket)
{
	_free_ char *config = place_config(url);

	if (config)
		strv_addf(argv, "-F%s", config);
	strv_add(argv, "-oLogLevel=ERROR");
	strv_add(argv, "-oConnectTimeout=20");
	strv_add(argv, "-oServerAliveInterval=5");
	strv_add(argv, "-oServerAliveCountMax=3");
	if (!socket)
		return;
	strv_add(argv, "-oControlMaster=auto");
	strv_addf(argv, "-oControlPath=%s", socket);
	strv_add(argv, "-oControlPersist=60");
}

/* Appends ssh with its options and what it runs there. */
static void add_ssh(struct strv *argv, const char *url, const char *socket,
		    bool terminal, const char *line)
{
	_free_ char *own = socket ? NULL : own_command();

	if (own) {
		strv_add(argv, "/bin/sh");
		strv_add(argv, "-c");
		strv_addf(argv, "%s \"$@\"", own);
	}
	strv_add(argv, "ssh");
	strv_add(argv, terminal ? "-t" : "-T");
	strv_add(argv, "-oRemoteCommand=none");
	add_options(argv, url, socket);
	strv_add(argv, "--");
	strv_take(argv, destination_of(url));
	strv_add(argv, line);
}

bool host_ssh_is_shared(const char *url)
{
	_free_ char *socket = find_socket(url);

	return socket && access(socket, F_OK) == 0;
}

void host_ssh_hang_up(const char *url)
{
	_free_ char *socket = find_socket(url), *to = destination_of(url);
	_free_ char *option = mem_printf("-oControlPath=%s", socket);
	const char *const argv[] = {"ssh", option, "-O", "exit",
				    "--",  to,	   NULL};

	if (socket && access(socket, F_OK) == 0)
		free(host_ssh_first_line(argv));
}

char *host_ssh_git(const char *url)
{
	_free_ char *socket = find_socket(url), *config = place_config(url);
	_free_ char *own = socket ? NULL : own_command();
	_strv_ struct strv words = {0};
	_buf_ struct buf out = {0};

	if (!socket && !config)
		return NULL;
	add_options(&words, url, socket);
	buf_addf(&out, "GIT_SSH_COMMAND=%s", own ? own : "ssh");
	for (size_t i = 0; i < words.n; i++) {
		buf_addc(&out, ' ');
		words_quote(words.v[i], &out);
	}
	return buf_steal(&out);
}

/* Returns whether the connection has ended. The ssh that shares it removes its
 * socket as it ends, perhaps after the one that used it; on a busy machine, up
 * to a second later. */
static bool has_ended(const char *socket)
{
	for (int i = 0; i < 20; i++) {
		if (access(socket, F_OK) < 0)
			return true;
		poll(NULL, 0, 50);
	}
	return false;
}

/* A connection that a command shares; NULL members: none. */
struct shared {
	char *ours;  /* its socket, made by afw */
	char *watch; /* the socket, ours or the user's, if it was there */
	char *to;
};

static void shared_finish(struct shared *c)
{
	free(c->ours);
	free(c->watch);
	free(c->to);
}

/* Makes the shared connection first, so that a failure later means that it was
 * lost. Returns ssh's exit code, or -1. shared_finish() in every case. */
static int connect_first(struct shared *c, const char *url, struct err *err)
{
	_strv_ struct strv argv = {0};
	struct spawn sp = {.fd = {-1, STDERR_FILENO, STDERR_FILENO}};
	int code = 0;

	*c = (struct shared){.ours = find_socket(url),
			     .to = destination_of(url)};
	c->watch = c->ours ? mem_strdup(c->ours) : find_users(c->to);
	if (c->ours && access(c->ours, F_OK) < 0) {
		add_ssh(&argv, url, c->ours, false, "exit 0");
		sp.argv = argv.v;
		code = host_output_run(&sp, "never", err);
	}
	if (c->watch && access(c->watch, F_OK) < 0)
		mem_set(&c->watch, NULL);
	return code;
}

/* Returns whether ssh's code means that the connection was lost, and says so:
 * ssh is silent then. */
static bool was_lost(const struct shared *c, int code)
{
	if (code != 255 || !c->watch || !has_ended(c->watch))
		return false;
	output_warn("the connection to %s was lost", c->to);
	return true;
}

int host_ssh_run(const char *url, const struct buf *line, int input,
		 const char *clipboard, bool *lost, struct err *err)
{
	bool terminal =
	    input < 0 && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	CLEANUP(shared_finish) struct shared shared = {0};
	_strv_ struct strv argv = {0};
	struct spawn sp = {.fd = {input < 0 ? STDIN_FILENO : input,
				  STDOUT_FILENO, STDERR_FILENO}};
	int code;

	*lost = false;
	if (check_length(line, err) < 0)
		return -1;
	code = connect_first(&shared, url, err);
	if (code != 0)
		return code;
	add_ssh(&argv, url, shared.ours, terminal, line->data);
	sp.argv = argv.v;
	code = host_output_run(&sp, clipboard, err);
	*lost = was_lost(&shared, code);
	return code;
}

int host_ssh_ask(const char *url, const struct buf *line, struct buf *out,
		 struct buf *errors, struct err *err)
{
	CLEANUP(shared_finish) struct shared shared = {0};
	_strv_ struct strv argv = {0};
	_buf_ struct buf printed = {0};
	struct spawn sp = {.fd = {-1, -1, -1}, .same_session = true};
	int status, code;

	if (!errors)
		errors = &printed;
	buf_adds(out, "");
	buf_adds(errors, "");
	if (check_length(line, err) < 0)
		return -1;
	code = connect_first(&shared, url, err);
	if (code != 0)
		return code;
	add_ssh(&argv, url, shared.ours, false, line->data);
	sp.argv = argv.v;
	if (spawn_run(&sp, NULL, out, errors, ANSWER_MAX, ANSWER_MS, &status,
		      err) < 0)
		return -1;
	if (printed.len)
		output_lines(stderr, printed.data);
	code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	was_lost(&shared, code);
	return code;
}
