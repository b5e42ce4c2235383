/* engine.c - makes, asks and ends the place of a host with its engine's
 * commands. */
#include "hosts/engine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/delete_tree.h"
#include "base/spawn.h"
#include "base/words.h"
#include "session/disk/dirs.h"
#include "wire/program.h"

#define OUTPUT_MAX ((size_t)16 * 1024)
#define ID_MAX	   ((size_t)200)
#define STATE_MS   30000
#define DOWN_MS	   120000
#define KEY_MS	   30000

const char *const engine_states[] = {
    [ENGINE_NONE] = "down",	  [ENGINE_QUEUED] = "queued",
    [ENGINE_RUNNING] = "running", [ENGINE_ENDED] = "ended",
    [ENGINE_UNKNOWN] = "unknown",
};

/* -- the place ------------------------------------------------------------- */

static char *dir_of(const char *name, struct err *err)
{
	_free_ char *data = dirs_data(err);

	return data ? mem_printf("%s/hosts/%s", data, name) : NULL;
}

/* What identifies a place becomes a word of commands. */
static bool is_id(const char *id)
{
	static const char marks[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "._:/@+-";

	return *id && *id != '-' && !id[strspn(id, marks)] &&
	       strlen(id) <= ID_MAX;
}

char *engine_note(const struct engine *e, const char *name)
{
	_free_ char *path = file_join(e->dir, name);
	_buf_ struct buf text = {0};

	if (file_read(AT_FDCWD, path, OUTPUT_MAX, &text, NULL) < 0 || !text.len)
		return NULL;
	return mem_strndup(text.data, strcspn(text.data, "\n"));
}

int engine_load(struct engine *e, const struct host *h, const char *name,
		struct err *err)
{
	*e = (struct engine){
	    .kind = h->engine, .host = h, .name = mem_strdup(name)};
	e->dir = dir_of(name, err);
	if (!e->dir || engine_read(e, err) < 0)
		return err_prefix(err, "host %s", name);
	e->id = engine_note(e, "place");
	if (e->id && !is_id(e->id))
		return err_set(err, ERR_FAILED,
			       "host %s: %s/place is not what afw wrote", name,
			       e->dir);
	return 0;
}

void engine_finish(struct engine *e)
{
	free(e->name);
	free(e->dir);
	free(e->id);
	free(e->user);
	for (int i = 0; i < ENGINE_COMMANDS; i++)
		strv_finish(&e->commands[i]);
	*e = (struct engine){0};
}

char *engine_ssh_config(const char *name)
{
	_free_ char *dir = dir_of(name, NULL);
	_free_ char *place = dir ? file_join(dir, "place") : NULL;

	return place && access(place, R_OK) == 0 ? file_join(dir, "ssh_config")
						 : NULL;
}

/* -- commands -------------------------------------------------------------- */

static void fill(char **word, const char *name, const char *value)
{
	char *old = *word;

	*word = words_fill(old, name, value);
	free(old);
}

struct strv engine_argv(const struct engine *e, enum engine_command command)
{
	_free_ char *name = mem_printf("afw-%s", e->name);
	_free_ char *share = program_share("hosts");
	_free_ char *line = engine_note(e, "key.pub");
	/* "TYPE KEY COMMENT" */
	const char *type = line ? strchr(line, ' ') : NULL;
	_free_ char *key = type ? mem_strndup(type + 1, strcspn(type + 1, " "))
				: mem_strdup("");
	const struct strv *from = &e->commands[command];
	struct strv argv = {0};

	for (size_t i = 0; i < from->n; i++) {
		char *word = mem_strdup(from->v[i]);

		fill(&word, "{name}", name);
		fill(&word, "{share}", share);
		fill(&word, "{dir}", e->dir);
		fill(&word, "{key}", key);
		fill(&word, "{image}", e->host->image);
		fill(&word, "{place}", e->id ? e->id : "");
		if (strcmp(word, "{options}") != 0) {
			strv_take(&argv, word);
			continue;
		}
		free(word);
		for (size_t k = 0; k < e->host->options.n; k++)
			strv_add(&argv, e->host->options.v[k]);
	}
	return argv;
}

/* Returns the last line that is not empty, to be freed, or NULL. */
static char *last_line(const struct buf *text)
{
	size_t end = text->len, start;

	while (end > 0 && strchr("\r\n ", text->data[end - 1]))
		end--;
	for (start = end; start > 0 && text->data[start - 1] != '\n';)
		start--;
	return end > start ? mem_strndup(text->data + start, end - start)
			   : NULL;
}

/* Returns the first line that has an error, or the last one, likewise: programs
 * print other lines before it, and advice after it. */
static char *error_line(struct buf *text)
{
	const char *start;

	buf_adds(text, "");
	start = strstr(text->data, "rror");
	if (!start)
		return last_line(text);
	while (start > text->data && start[-1] != '\n')
		start--;
	return mem_strndup(start, strcspn(start, "\r\n"));
}

/* Runs argv. Returns 0 with the last line of its output; 1 with one of its
 * errors; -1 if it did not run to its end. */
static int run(const struct strv *argv, int64_t timeout_ms, char **line,
	       struct err *err)
{
	const struct spawn sp = {.argv = argv->v, .fd = {-1, -1, -1}};
	_buf_ struct buf out = {0}, errors = {0};
	int status;

	*line = NULL;
	if (spawn_run(&sp, NULL, &out, &errors, OUTPUT_MAX, timeout_ms, &status,
		      err) < 0)
		return -1;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
		*line = last_line(&out);
		return 0;
	}
	*line = error_line(&errors);
	if (!*line)
		*line = WIFEXITED(status)
			    ? mem_printf("%s exited with code %d", argv->v[0],
					 WEXITSTATUS(status))
			    : mem_printf("%s was killed by signal %d",
					 argv->v[0], WTERMSIG(status));
	return 1;
}

static int run_command(const struct engine *e, enum engine_command command,
		       int64_t timeout_ms, char **line, struct err *err)
{
	_strv_ struct strv argv = engine_argv(e, command);
	int rc = run(&argv, timeout_ms, line, err);

	return rc < 0 ? err_prefix(err, "host %s: %s", e->name,
				   engine_keys[command])
		      : rc;
}

/* The first word of what an engine prints; any other: it has ended. */
static const struct {
	const char *word;
	enum engine_state state;
} words[] = {
    {"queued", ENGINE_QUEUED},
    {"pending", ENGINE_QUEUED},
    {"running", ENGINE_RUNNING},
    {"up", ENGINE_RUNNING},
};

int engine_state(const struct engine *e, enum engine_state *state, char **why,
		 struct err *err)
{
	_free_ char *word = NULL;
	int rc;

	*why = NULL;
	*state = ENGINE_NONE;
	if (!e->id)
		return 0;
	rc = run_command(e, ENGINE_STATE, STATE_MS, why, err);
	if (rc < 0)
		return -1;
	*state = rc ? ENGINE_UNKNOWN : ENGINE_ENDED;
	if (rc)
		return 0;
	if (!*why)
		*why = mem_strdup("it is gone");
	word = mem_strndup(*why, strcspn(*why, " "));
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcasecmp(word, words[i].word) == 0)
			*state = words[i].state;
	return 0;
}

/* -- up and down ----------------------------------------------------------- */

static int make_key(const struct engine *e, struct err *err)
{
	_free_ char *path = file_join(e->dir, "key"), *line = NULL;
	_strv_ struct strv argv = {0};
	int rc = 0;

	if (access(path, F_OK) == 0)
		return 0;
	strv_add(&argv, "ssh-keygen");
	strv_add(&argv, "-q");
	strv_add(&argv, "-ted25519");
	strv_add(&argv, "-N");
	strv_add(&argv, "");
	strv_add(&argv, "-Cafw");
	strv_addf(&argv, "-f%s", path);
	rc = run(&argv, KEY_MS, &line, err);
	return rc > 0 ? err_set(err, ERR_FAILED, "make a key: %s", line) : rc;
}

static int write_file(const struct engine *e, const char *name,
		      const struct buf *text, struct err *err)
{
	_free_ char *path = file_join(e->dir, name);

	return file_replace(AT_FDCWD, path, text->data, text->len, true, err);
}

/* A host key that has changed is refused; the recipe may have put the first one
 * into known_hosts. */
static int write_ssh_config(const struct engine *e, struct err *err)
{
	_free_ char *afw = program_afw();
	_buf_ struct buf text = {0}, quoted = {0};

	if (strpbrk(e->dir, "\"\\%$\n"))
		return err_set(err, ERR_FAILED,
			       "ssh cannot use files in %s: its name has a "
			       "character that ssh_config(5) does not allow",
			       e->dir);
	words_quote(afw, &quoted);
	buf_addf(&text, "Host %s\n\tProxyCommand ", e->name);
	for (const char *c = quoted.data; *c; c++)
		buf_adds(&text, *c == '%' ? "%%" : (char[]){*c, '\0'});
	buf_addf(&text, " -H local host proxy %s\n", e->name);
	if (e->user)
		buf_addf(&text, "\tUser %s\n", e->user);
	buf_addf(&text,
		 "\tHostKeyAlias %s\n"
		 "\tIdentityFile \"%s/key\"\n"
		 "\tIdentitiesOnly yes\n"
		 "\tUserKnownHostsFile \"%s/known_hosts\"\n"
		 "\tGlobalKnownHostsFile /dev/null\n"
		 "\tStrictHostKeyChecking accept-new\n"
		 "\tBatchMode yes\n"
		 "\tLogLevel ERROR\n",
		 e->name, e->dir, e->dir);
	return write_file(e, "ssh_config", &text, err);
}

static int prepare(const struct engine *e, struct err *err)
{
	_free_ char *known = file_join(e->dir, "known_hosts");

	if (make_key(e, err) < 0 || write_ssh_config(e, err) < 0)
		return -1;
	return unlink(known) < 0 && errno != ENOENT
		   ? err_errno(err, "remove %s", known)
		   : 0;
}

int engine_lock(struct engine *e, struct err *err)
{
	_free_ char *path = file_join(e->dir, "lock");
	_close_ int fd = -1;

	if (dirs_prepare(err) < 0 || file_private_dir(e->dir, err) < 0)
		return -1;
	fd = file_open(AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, err);
	if (fd < 0)
		return -1;
	if (file_lock(fd, 0) < 0)
		return err_set(err, ERR_CONFLICT,
			       "host %s: another afw is making its place",
			       e->name);
	free(e->id);
	e->id = engine_note(e, "place");
	return TAKE_FD(fd);
}

static int make_place(struct engine *e, int64_t timeout_ms, struct err *err)
{
	_free_ char *line = NULL;
	_buf_ struct buf text = {0};
	int rc;

	if (prepare(e, err) < 0)
		return err_prefix(err, "host %s", e->name);
	rc = run_command(e, ENGINE_UP, timeout_ms, &line, err);
	if (rc > 0)
		err_set(err, ERR_FAILED, "host %s: %s refuses: %s", e->name,
			e->kind, line);
	else if (rc == 0 && (!line || !is_id(line)))
		rc = err_set(err, ERR_FAILED,
			     "host %s: its command 'up' printed '%s', which "
			     "identifies nothing",
			     e->name, line ? line : "");
	if (rc)
		return -1;
	mem_set(&e->id, line);
	buf_addf(&text, "%s\n", line);
	return write_file(e, "place", &text, err);
}

int engine_up(struct engine *e, int64_t timeout_ms, struct err *err)
{
	int rc = make_place(e, timeout_ms, err);

	if (rc < 0 && !e->id)
		delete_tree(AT_FDCWD, e->dir, NULL);
	return rc;
}

int engine_down(struct engine *e, struct err *err)
{
	_free_ char *line = NULL, *why = NULL;
	enum engine_state state;
	int rc = e->id ? run_command(e, ENGINE_DOWN, DOWN_MS, &line, err) : 0;

	if (rc < 0)
		return -1;
	if (rc > 0 &&
	    (engine_state(e, &state, &why, err) < 0 || state != ENGINE_ENDED))
		return err_set(err, ERR_FAILED, "host %s: %s refuses: %s",
			       e->name, e->kind, line);
	mem_set(&e->id, NULL);
	return delete_tree(AT_FDCWD, e->dir, err);
}
