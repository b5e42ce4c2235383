/*
 * sign.c - commits, signed as git would sign them.
 *
 * The signing program may ask for a passphrase: it runs in our session, so
 * that it can open the terminal, and has minutes. If we have no terminal,
 * GPG_TTY names the dashboard's, and pinentry would draw on it.
 */
#include "worktrees/git/sign.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/git_program.h"
#include "base/spawn.h"
#include "base/utf8.h"
#include "base/words.h"
#include "worktrees/git/repo.h"

#define DEADLINE_MS (10 * 60 * 1000)
#define MAX	    ((size_t)256 * 1024)
#define GPG_STATUS  "[GNUPG:] "

static const struct sign_format {
	const char *name, *program, *key, *other_key;
	bool ssh;
} formats[] = {
    {"openpgp", "gpg", "gpg.openpgp.program", "gpg.program", false},
    {"x509", "gpgsm", "gpg.x509.program", "", false},
    {"ssh", "ssh-keygen", "gpg.ssh.program", "", true},
};

/* -- the program ------------------------------------------------------------
 */

/* The last line of what it printed; whether gpg reports a signature. */
static bool read_status(char *said, char *last, size_t size)
{
	bool created = false;
	char *line, *save = NULL;

	*last = '\0';
	for (line = strtok_r(said, "\r\n", &save); line;
	     line = strtok_r(NULL, "\r\n", &save))
		if (strncmp(line, GPG_STATUS, strlen(GPG_STATUS)) != 0)
			utf8_printable(last, size, line, strlen(line));
		else if (strncmp(line + strlen(GPG_STATUS), "SIG_CREATED ",
				 12) == 0)
			created = true;
	return created;
}

static int run(const struct sign *s, const struct strv *argv, const char *input,
	       struct buf *out)
{
	struct spawn sp = {.argv = argv->v, .dir = "/", .same_session = true};
	const char *name = repo_basename(argv->v[0]), *why;
	struct buf said = {0};
	char last[256];
	size_t len = strlen(name);
	int status = 0, tty = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
	bool created;
	int rc;

	if (tty < 0)
		unsetenv("GPG_TTY");
	file_close(tty);
	buf_adds(&said, "");
	rc = spawn_run(&sp, input, out, &said, MAX, DEADLINE_MS, &status,
		       s->err);
	created = read_status(said.data, last, sizeof last);
	buf_finish(&said);
	if (rc == 0 && (status != 0 || (input && !created))) {
		why = last;
		if (strncmp(last, name, len) == 0 &&
		    strncmp(last + len, ": ", 2) == 0)
			why += len + 2;
		rc = err_set(s->err, ERR_FAILED, "%s",
			     *why ? why : "it made no signature");
	}
	if (rc < 0) {
		err_prefix(s->err, "sign with %s", name);
		err_hint(s->err, "user.signingKey and gpg.* are git's options; "
				 "--no-gpg-sign commits without a signature");
	}
	return rc;
}

/* The text of a key that is given as it is, not as a path. */
static const char *literal_key(const char *key)
{
	if (strncmp(key, "key::", 5) == 0)
		return key + 5;
	return strncmp(key, "ssh-", 4) == 0 ? key : NULL;
}

static int sign_ssh(const struct sign *s, const char *text, struct buf *out)
{
	const char *literal = literal_key(s->key);
	char *file = file_temporary(text, strlen(text), "", s->err);
	char *made = file ? mem_printf("%s.sig", file) : NULL;
	char *key = !file ? NULL
		    : literal
			? file_temporary(literal, strlen(literal), "", s->err)
			: mem_strdup(s->key);
	const char *const args[] = {"-Y", "sign", "-n", "git",
				    "-f", key,	  file, NULL};
	struct strv argv = {0};
	int rc = -1;

	strv_add(&argv, s->program);
	for (size_t i = 0; key && args[i]; i++)
		strv_add(&argv, args[i]);
	if (key)
		rc = run(s, &argv, NULL, NULL);
	if (rc == 0)
		rc = file_read(AT_FDCWD, made, MAX, out, s->err);
	if (file) {
		unlink(made);
		unlink(file);
	}
	if (key && literal)
		unlink(key);
	strv_finish(&argv);
	free(made);
	free(file);
	free(key);
	return rc;
}

static int sign_gpg(const struct sign *s, const git_signature *committer,
		    const char *text, struct buf *out)
{
	struct strv argv = {0};
	int rc;

	strv_add(&argv, s->program);
	strv_add(&argv, "--status-fd=2");
	strv_add(&argv, "-bsau");
	if (*s->key)
		strv_add(&argv, s->key);
	else
		strv_addf(&argv, "%s <%s>", committer->name, committer->email);
	rc = run(s, &argv, text, out);
	strv_finish(&argv);
	return rc;
}

/* Without what the programs of WSL's Windows side add, and the last newline. */
static void trim(struct buf *text)
{
	size_t n = 0;

	for (size_t i = 0; i < text->len; i++)
		if (text->data[i] != '\r')
			text->data[n++] = text->data[i];
	while (n && text->data[n - 1] == '\n')
		n--;
	buf_adds(text, "");
	text->len = n;
	text->data[n] = '\0';
}

int sign_commit(git_oid *out, const git_signature *author,
		const git_signature *committer, const char *encoding,
		const char *message, const git_tree *tree, size_t n,
		const git_commit *parents[], void *payload)
{
	const struct sign *s = payload;
	struct buf signature = {0};
	git_buf text = {0};
	int rc = git_commit_create_buffer(&text, s->git, author, committer,
					  encoding, message, tree, n, parents);

	if (rc == 0 && s->on) {
		rc = s->format->ssh
			 ? sign_ssh(s, text.ptr, &signature)
			 : sign_gpg(s, committer, text.ptr, &signature);
		rc = rc < 0 ? GIT_EUSER : 0;
		trim(&signature);
	}
	if (rc == 0)
		rc = git_commit_create_with_signature(
		    out, s->git, text.ptr, s->on ? signature.data : NULL, NULL);
	git_buf_dispose(&text);
	buf_finish(&signature);
	return rc;
}

/* -- the configuration -------------------------------------------------------
 */

/* Appends "key\nvalue" for each value; a later one overrides. */
static int read_config(struct strv *config, git_repository *git, bool trusted,
		       cJSON *answer, struct err *err)
{
	static const char *const args[] = {
	    "config",
	    "--null",
	    "--show-scope",
	    "--get-regexp",
	    "^(commit\\.gpgsign|user\\.signingkey|gpg\\.format|"
	    "gpg\\.ssh\\.defaultkeycommand|gpg\\.(.*\\.)?program)$",
	    NULL};
	struct buf text = {0};
	int rc = git_program_ask(git_repository_path(git), args, &text, err);
	const char *at, *end;

	buf_adds(&text, "");
	end = text.data + text.len;
	for (at = text.data; rc == 0 && at < end;) {
		const char *scope = at, *entry = scope + strlen(scope) + 1;

		if (entry >= end)
			break;
		at = entry + strlen(entry) + 1;
		if (trusted || strncmp(entry, "commit.", 7) == 0 ||
		    (strcmp(scope, "local") != 0 &&
		     strcmp(scope, "worktree") != 0)) {
			strv_add(config, entry);
		} else {
			char *key = mem_strndup(entry, strcspn(entry, "\n"));

			json_set_str(answer, "sign_ignored", key);
			free(key);
		}
	}
	buf_finish(&text);
	return rc;
}

/* "" if there is none. */
static const char *value_of(const struct strv *config, const char *key)
{
	size_t len = strlen(key);

	for (size_t i = config->n; i-- > 0;) {
		const char *entry = config->v[i];

		if (strncmp(entry, key, len) == 0 && entry[len] == '\n')
			return entry + len + 1;
		if (strcmp(entry, key) == 0)
			return "true";
	}
	return "";
}

/* A path below ~, as git has it. */
static char *expand(const char *path)
{
	const char *home = getenv("HOME");

	return home && strncmp(path, "~/", 2) == 0
		   ? mem_printf("%s%s", home, path + 1)
		   : mem_strdup(path);
}

/* The first line that gpg.ssh.defaultKeyCommand prints, as git has it. */
static int ask_key(struct sign *s, const char *command, struct err *err)
{
	struct strv argv = {0};
	struct buf out = {0};
	int rc = words_split(command, &argv, err);

	buf_adds(&out, "");
	if (rc == 0 && argv.n)
		rc = run(s, &argv, NULL, &out);
	out.data[strcspn(out.data, "\r\n")] = '\0';
	if (rc == 0 && literal_key(out.data)) {
		free(s->key);
		s->key = mem_strdup(out.data);
	} else if (rc == 0) {
		err_set(err, ERR_FAILED,
			"user.signingKey is needed to sign "
			"with ssh");
		rc = err_hint(err, "git config --global user.signingKey PATH");
	}
	strv_finish(&argv);
	buf_finish(&out);
	return rc;
}

static int choose(struct sign *s, const struct strv *config, const cJSON *req,
		  struct err *err)
{
	const char *name = value_of(config, "gpg.format");
	const char *key = json_str_or(req, "sign_key", ""), *program;

	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (strcmp(formats[i].name, *name ? name : "openpgp") == 0)
			s->format = &formats[i];
	if (!s->format)
		return err_set(err, ERR_FAILED,
			       "gpg.format is '%s': openpgp, x509 and ssh are "
			       "known",
			       name);
	program = value_of(config, s->format->key);
	if (!*program)
		program = value_of(config, s->format->other_key);
	s->program = expand(*program ? program : s->format->program);
	s->key = expand(*key ? key : value_of(config, "user.signingkey"));
	return s->format->ssh && !*s->key
		   ? ask_key(s, value_of(config, "gpg.ssh.defaultkeycommand"),
			     err)
		   : 0;
}

int sign_load(struct sign *s, git_repository *git, const cJSON *req,
	      cJSON *answer, struct err *err)
{
	struct strv config = {0};
	const char *said;
	int on = 0, rc;

	*s = (struct sign){.git = git, .err = err};
	rc = read_config(&config, git, json_str(req, "private") != NULL, answer,
			 err);
	said = value_of(&config, "commit.gpgsign");
	if (rc == 0 && git_config_parse_bool(&on, *said ? said : "0") < 0)
		rc = repo_err(err, ERR_FAILED, "commit.gpgsign");
	s->on = json_bool(req, "sign", on);
	if (rc == 0 && s->on)
		rc = choose(s, &config, req, err);
	if (!s->on)
		cJSON_DeleteItemFromObjectCaseSensitive(answer, "sign_ignored");
	strv_finish(&config);
	return rc;
}

void sign_finish(struct sign *s)
{
	free(s->program);
	free(s->key);
	*s = (struct sign){0};
}
