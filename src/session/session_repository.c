/*
 * session_repository.c - finds the repository of a directory from git's files,
 * because asking afw-worktree would take longer than the rest of a command.
 * Only what git itself writes is read. If git's configuration has anything else
 * that may say where the worktree is, afw-worktree is asked.
 * Also which sessions of a list are in one repository, and their names with it.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/gitenv.h"
#include "base/gitfile.h"
#include "base/json.h"
#include "session/session.h"
#include "wire/worktree_client.h"

#define CONFIG_MAX ((size_t)1024 * 1024)
#define ASK_MS	   10000

static bool is_dir(const char *dir, const char *name)
{
	_free_ char *path = file_join(dir, name);
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool is_git_dir(const char *dir)
{
	_free_ char *head = file_join(dir, "HEAD");

	return access(head, F_OK) == 0 && is_dir(dir, "objects") &&
	       is_dir(dir, "refs");
}

/*
 * Returns whether git's configuration says that the repository is bare. Sets
 * *unsure unless the file has the form that git itself writes: [core] first and
 * once, one line in it about this, and nowhere a setting for the worktree or
 * for more configuration.
 */
static bool is_bare(const char *git_dir, bool *unsure)
{
	_free_ char *path = file_join(git_dir, "config");
	char *end;
	bool bare = false, sure = false;
	_buf_ struct buf text = {0};
	const char *at;

	if (file_read(AT_FDCWD, path, CONFIG_MAX, &text, NULL) == 0 &&
	    text.len && strlen(text.data) == text.len &&
	    strncmp(text.data, "[core]\n", 7) == 0 &&
	    !strcasestr(text.data + 1, "[core") &&
	    !strcasestr(text.data, "[include") &&
	    !strcasestr(text.data, "worktree") && !strchr(text.data, '\\')) {
		end = strstr(text.data, "\n[");
		if (end)
			end[1] = '\0';
		at = strcasestr(text.data, "bare");
		bare = at && strncmp(at - 1, "\tbare = true\n", 13) == 0;
		sure = at && !strcasestr(at + 1, "bare") &&
		       (bare || strncmp(at - 1, "\tbare = false\n", 14) == 0);
	}
	*unsure |= !sure;
	return bare;
}

/* -- the walk up ---------------------------------------------------------- */

/* The result from the files; unsure: afw-worktree may know better. */
struct found {
	char *repository; /* NULL: none */
	char *checkout;	  /* session_checkout_of(), if it differs */
	bool unsure;
};

/* Returns whether afw has made this worktree: it is in .af_worktrees, or in a
 * directory there for those of several repositories. */
static bool is_afw_worktree(const char *dir)
{
	static const char place[] = "/.af_worktrees";
	const char *end = dir + strlen(dir);
	size_t len = strlen(place);
	bool is = false;

	for (int up = 0; up < 2; up++) {
		while (end > dir && *--end != '/')
			;
		is |= (size_t)(end - dir) >= len &&
		      memcmp(end - len, place, len) == 0;
	}
	return is;
}

/*
 * Sets what afw-worktree calls the repository of common, a common git
 * directory, which is taken over: the worktree that it belongs to, or common
 * itself if it is bare. where: the directory whose .git file names it, which
 * may be unknown to git; linked: the linked worktree that names it; else NULL.
 */
static void set_main(struct found *f, char *common, const char *where,
		     const char *linked)
{
	bool bare = is_bare(common, &f->unsure);
	size_t len = strlen(common);
	char *found = NULL;

	if (!bare && where)
		found = mem_strdup(where);
	else if (!bare && len >= 5 && strcmp(common + len - 5, "/.git") == 0)
		found = mem_strndup(common, len > 5 ? len - 5 : 1);
	if (found && !gitfile_leads_to(found, common)) {
		free(found);
		found = NULL;
	}
	if (found)
		free(common);
	else if (linked && !is_afw_worktree(linked))
		f->checkout = mem_strdup(linked);
	f->repository = found ? found : common;
}

/* dir has a .git file: follows it to its repository. */
static void follow_git_file(struct found *f, const char *dir)
{
	_free_ char *git = gitfile_read(dir, ".git", "gitdir: ");
	_free_ char *up = git ? gitfile_read(git, "commondir", "") : NULL;
	const char *common = up ? up : git;

	if (common && is_git_dir(common))
		set_main(f, mem_strdup(common), up ? NULL : dir,
			 up ? dir : NULL);
	else
		f->unsure = true;
}

/* Returns whether the walk ends at dir. It ends with nothing found at a .git
 * file that leads nowhere, as in git. */
static bool check_directory(struct found *f, const char *dir)
{
	_free_ char *git = file_join(dir, ".git");
	struct stat st;
	bool there = stat(git, &st) == 0;

	if (there && S_ISDIR(st.st_mode) && is_git_dir(git))
		set_main(f, mem_strdup(git), NULL, NULL);
	else if (is_git_dir(dir))
		set_main(f, mem_strdup(dir), NULL, NULL);
	else if (there && !S_ISDIR(st.st_mode))
		follow_git_file(f, dir);
	return f->repository || (there && !S_ISDIR(st.st_mode));
}

static struct found walk_up(const char *start)
{
	_free_ char *dir = mem_strdup(start);
	char *slash;
	struct found f = {0};
	struct stat from, st;
	bool top = stat(dir, &from) < 0;

	/* git does not leave the file system either. */
	while (!top && stat(dir, &st) == 0 && st.st_dev == from.st_dev &&
	       !check_directory(&f, dir)) {
		slash = strrchr(dir, '/');
		top = slash[1] == '\0';
		slash[slash == dir] = '\0';
	}
	return f;
}

/* Replaces the result by what afw-worktree reports; keeps it if there is no
 * answer. */
static void call_worktree_helper(struct found *f, const char *path)
{
	struct discover_request rq = {.path = path};
	struct err ignored = {0};
	_json_ cJSON *answer = worktree_client_run(discover_request(&rq), NULL,
						   NULL, ASK_MS, &ignored);

	if (answer) {
		free(f->repository);
		free(f->checkout);
		f->repository = mem_strdup(json_str(answer, "repository"));
		f->checkout = mem_strdup(json_str(answer, "checkout"));
	}
}

static struct found find_repository(const char *path)
{
	_free_ char *start = realpath(path, NULL);
	struct found f = {0};

	if (start)
		f = walk_up(start);
	if (f.unsure)
		call_worktree_helper(&f, start);
	return f;
}

char *session_repository_of(const char *path)
{
	struct found f = find_repository(path);

	free(f.checkout);
	return f.repository;
}

char *session_repository_here(void)
{
	return session_repository_of(gitenv_here());
}

char *session_checkout_of(const char *path)
{
	struct found f = find_repository(path);

	if (!f.checkout)
		return f.repository;
	free(f.repository);
	return f.checkout;
}

char *session_checkout_here(void)
{
	return session_checkout_of(gitenv_here());
}

/* Returns the repository of that name: here, else that of a session, first of
 * this machine. */
static const char *find_named(const struct session_list *l, const char *here,
			      const char *name)
{
	const char *last = here ? strrchr(here, '/') : NULL, *found = NULL;

	if (last && strcmp(last + 1, name) == 0)
		return here;
	for (size_t i = 0; i < l->n; i++) {
		const struct spec *s = &l->v[i].spec;

		if (!s->repository || !s->repository_name ||
		    (found && l->v[i].host) ||
		    strcmp(s->repository_name, name) != 0)
			continue;
		found = s->repository;
		if (!l->v[i].host)
			break;
	}
	return found;
}

void session_list_join(struct session_list *l, const char *here)
{
	for (size_t i = 0; i < l->n; i++) {
		struct spec *s = &l->v[i].spec;
		const char *path;

		if (!l->v[i].host || !s->repository || !s->repository_name)
			continue;
		path = find_named(l, here, s->repository_name);
		if (path && strcmp(path, s->repository) != 0)
			mem_set(&s->repository, path);
	}
}

bool session_list_is_mixed(const struct session_list *l)
{
	const char *one = NULL;

	for (size_t i = 0; l && i < l->n; i++) {
		const char *other = l->v[i].spec.repository;

		if (one && other && strcmp(one, other) != 0)
			return true;
		one = other ? other : one;
	}
	return false;
}

size_t session_host_len(const struct session *s)
{
	size_t len = s->host ? strlen(s->host) : 0, n = strlen(s->spec.name);

	return len > n && s->host[len - n - 1] == '.' &&
		       strcmp(s->host + len - n, s->spec.name) == 0
		   ? len - n - 1
		   : len;
}

char *session_label(const struct session *s, const struct session_list *l)
{
	const char *repository = s->spec.repository_name;
	const char *host = s->host ? s->host : "", *colon = *host ? ":" : "";
	int len = (int)session_host_len(s);

	if (!s->spec.repository || !session_list_is_mixed(l))
		return mem_printf("%.*s%s%s", len, host, colon, s->spec.name);
	return mem_printf("%.*s%s%s/%s", len, host, colon,
			  repository ? repository : "?", s->spec.name);
}
