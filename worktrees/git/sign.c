/*
 * sign.c - makes commits, signed as git would sign them: by git commit-tree,
 * which reads the configuration and the objects but no worktree, and runs no
 * hook.
 *
 * The program that signs may ask for a passphrase: git runs in our session, so
 * that it can open the terminal, and has minutes. If we have no terminal,
 * GPG_TTY names the dashboard's, and pinentry would draw on it.
 */
#include "worktrees/git/sign.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/env_list.h"
#include "base/git_program.h"
#include "base/gitenv.h"
#include "base/spawn.h"
#include "base/utf8.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/repo.h"

#define DEADLINE_MS (10 * 60 * 1000)
#define MAX	    ((size_t)256 * 1024)

static void set_person(struct strv *env, const char *role,
		       const git_signature *who)
{
	int zone = who->when.offset;
	_free_ char *name = mem_printf("GIT_%s_NAME", role),
		    *email = mem_printf("GIT_%s_EMAIL", role),
		    *date = mem_printf("GIT_%s_DATE", role),
		    *when = mem_printf(
			"@%lld %c%02d%02d", (long long)who->when.time,
			zone < 0 ? '-' : '+', abs(zone) / 60, abs(zone) % 60);

	env_set(env, name, who->name);
	env_set(env, email, who->email);
	env_set(env, date, when);
}

/* Sets err to git's last line that is more specific than "no commit". */
static int failed(struct err *err, char *said)
{
	char *line, *save = NULL, why[256] = "git commit-tree has failed";

	for (line = strtok_r(said, "\r\n", &save); line;
	     line = strtok_r(NULL, "\r\n", &save)) {
		if (strcmp(line, "fatal: failed to write commit object") == 0)
			break;
		if (strncmp(line, "error: ", 7) == 0 ||
		    strncmp(line, "fatal: ", 7) == 0)
			line += 7;
		if (*line)
			utf8_printable(why, sizeof why, line, strlen(line));
	}
	err_set(err, ERR_FAILED, "sign: %s", why);
	return err_hint(err, "user.signingKey and gpg.* are git's options; "
			     "--no-gpg-sign commits without a signature");
}

static int run(git_oid *out, struct strv *argv, struct strv *env,
	       const char *message, struct err *err)
{
	struct spawn sp = {
	    .argv = argv->v, .envp = env->v, .dir = "/", .same_session = true};
	_buf_ struct buf id = {0}, said = {0};
	int status = 0;

	buf_adds(&said, "");
	if (spawn_run(&sp, message, &id, &said, MAX, DEADLINE_MS, &status,
		      err) < 0)
		return -1;
	return status == 0 && id.len >= GIT_OID_HEXSZ &&
		       git_oid_fromstrn(out, id.data, GIT_OID_HEXSZ) == 0
		   ? 0
		   : failed(err, said.data);
}

/* git_commit_create() returns 0 if it cannot write the commit. */
static int write_unsigned(git_oid *out, git_repository *git,
			  const git_signature *author,
			  const git_signature *committer, const char *encoding,
			  const char *message, const git_tree *tree, size_t n,
			  const git_commit *parents[])
{
	_git_buf_ git_buf text = {0};
	_git_odb_ git_odb *odb = NULL;
	int rc = git_commit_create_buffer(&text, git, author, committer,
					  encoding, message, tree, n, parents);

	if (rc == 0)
		rc = git_repository_odb(&odb, git);
	return rc == 0 ? git_odb_write(out, odb, text.ptr, text.size,
				       GIT_OBJECT_COMMIT)
		       : rc;
}

int sign_commit(git_oid *out, const git_signature *author,
		const git_signature *committer, const char *encoding,
		const char *message, const git_tree *tree, size_t n,
		const git_commit *parents[], void *payload)
{
	const struct sign *s = payload;
	_strv_ struct strv argv = {0}, env = {0};
	_close_ int tty = -1;

	if (!s->on)
		return write_unsigned(out, s->git, author, committer, encoding,
				      message, tree, n, parents);
	strv_add(&argv, "git");
	strv_addf(&argv, "--git-dir=%s", git_repository_path(s->git));
	strv_add(&argv, "-c");
	strv_addf(&argv, "i18n.commitEncoding=%s",
		  encoding ? encoding : "UTF-8");
	strv_add(&argv, "commit-tree");
	strv_addf(&argv, "-S%s", s->key);
	for (size_t i = 0; i < n; i++) {
		strv_add(&argv, "-p");
		strv_add(&argv, git_oid_tostr_s(git_commit_id(parents[i])));
	}
	strv_add(&argv, git_oid_tostr_s(git_tree_id(tree)));
	gitenv_copy(&env);
	set_person(&env, "AUTHOR", author);
	set_person(&env, "COMMITTER", committer);
	env_set(&env, "GIT_NO_LAZY_FETCH", "1");
	env_set(&env, "LC_ALL", "C");
	tty = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (tty < 0)
		env_apply(&env, "GPG_TTY");
	return run(out, &argv, &env, message, s->err) < 0 ? GIT_EUSER : 0;
}

/* -- the configuration -------------------------------------------------------
 */

static int refuse_program(const char *key, struct err *err)
{
	int len = (int)strcspn(key, "\n");

	err_set(err, ERR_FAILED,
		"sign: %.*s in the repository's .git/config is not run: the "
		"agent could have written it",
		len, key);
	return err_hint(err,
			"`git config --global %.*s PROGRAM` allows it; "
			"--no-gpg-sign commits without a signature",
			len, key);
}

/* Each entry is its scope, and "key\nvalue" (or the key alone: true). */
static int read_config(struct sign *s, const struct buf *text,
		       const char **program, struct err *err)
{
	const char *end = text->data + text->len, *entry;

	for (const char *at = text->data; at < end;
	     at = entry + strlen(entry) + 1) {
		const char *value;
		int on = 1;

		entry = at + strlen(at) + 1;
		value = strchr(entry, '\n');
		if (strncmp(entry, "gpg.", 4) == 0) {
			if (strcmp(at, "local") == 0 ||
			    strcmp(at, "worktree") == 0)
				*program = entry;
		} else if (strncmp(entry, "commit.", 7) != 0) {
			continue;
		} else if (value && git_config_parse_bool(&on, value + 1) < 0) {
			return repo_err(err, ERR_FAILED, "commit.gpgsign");
		} else {
			s->on = on;
		}
	}
	return 0;
}

int sign_load(struct sign *s, git_repository *git,
	      const struct sign_choice *choice, const char *private,
	      struct err *err)
{
	static const char *const args[] = {"config",
					   "--null",
					   "--show-scope",
					   "--get-regexp",
					   "^(" SIGN_KEYS ")$",
					   NULL};
	_buf_ struct buf text = {0};

	buf_adds(&text, "");
	return git_program_read(git_repository_path(git), args, &text, err) < 0
		   ? -1
		   : sign_use(s, git, choice, private, &text, err);
}

int sign_use(struct sign *s, git_repository *git,
	     const struct sign_choice *choice, const char *private,
	     const struct buf *text, struct err *err)
{
	const char *program = NULL;

	*s = (struct sign){.git = git,
			   .err = err,
			   .key = choice->sign_key ? choice->sign_key : ""};
	if (read_config(s, text, &program, err) < 0)
		return -1;
	if (choice->sign != SWITCH_ABSENT)
		s->on = choice->sign == SWITCH_ON;
	return s->on && program && !private ? refuse_program(program, err) : 0;
}
