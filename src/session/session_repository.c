/*
 * session_repository.c - which repository a directory lies in, read from
 * git's files: asking afw-worktree would cost more than all else that a
 * command does. Only what git itself writes there is read; at anything else
 * in git's configuration that may say where the worktree is, it is asked.
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
 * Whether git's configuration says that the repository is bare. unsure where
 * it is not as git itself writes it: [core] first and once, one line of it on
 * this, and nowhere a word on where the worktree or more configuration is.
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

/* What the files say; unsure: others may know better. */
struct found {
	char *repository; /* NULL: none */
	char *checkout;	  /* session_checkout_of(), if it is another */
	bool unsure;
};

/* Whether afw has made this worktree. */
static bool is_afws(const char *dir)
{
	static const char place[] = "/.af_worktrees";
	const char *slash = strrchr(dir, '/');
	size_t len = strlen(place);

	return (size_t)(slash - dir) >= len &&
	       memcmp(slash - len, place, len) == 0;
}

/*
 * What afw-worktree calls the repository of a common git directory, which is
 * taken: the worktree that leads back to it, or itself where it is bare.
 * where: the directory whose .git file names it, which git need not know;
 * linked: the linked worktree that names it; else NULL.
 */
static void main_of(struct found *f, char *common, const char *where,
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
	else if (linked && !is_afws(linked))
		f->checkout = mem_strdup(linked);
	f->repository = found ? found : common;
}

/* dir has a .git file: follow it to the repository that it belongs to. */
static void by_git_file(struct found *f, const char *dir)
{
	_free_ char *git = gitfile_read(dir, ".git", "gitdir: ");
	_free_ char *up = git ? gitfile_read(git, "commondir", "") : NULL;
	const char *common = up ? up : git;

	if (common && is_git_dir(common))
		main_of(f, mem_strdup(common), up ? NULL : dir,
			up ? dir : NULL);
	else
		f->unsure = true;
}

/* Whether the walk ends at dir; with nothing found where git would end it so,
 * at a .git file that leads nowhere. */
static bool look_at(struct found *f, const char *dir)
{
	_free_ char *git = file_join(dir, ".git");
	struct stat st;
	bool there = stat(git, &st) == 0;

	if (there && S_ISDIR(st.st_mode) && is_git_dir(git))
		main_of(f, mem_strdup(git), NULL, NULL);
	else if (is_git_dir(dir))
		main_of(f, mem_strdup(dir), NULL, NULL);
	else if (there && !S_ISDIR(st.st_mode))
		by_git_file(f, dir);
	return f->repository || (there && !S_ISDIR(st.st_mode));
}

static struct found look_up(const char *start)
{
	_free_ char *dir = mem_strdup(start);
	char *slash;
	struct found f = {0};
	struct stat from, st;
	bool top = stat(dir, &from) < 0;

	/* git does not leave the file system either. */
	while (!top && stat(dir, &st) == 0 && st.st_dev == from.st_dev &&
	       !look_at(&f, dir)) {
		slash = strrchr(dir, '/');
		top = slash[1] == '\0';
		slash[slash == dir] = '\0';
	}
	return f;
}

/* What afw-worktree knows, in place of what the files say; the same if it does
 * not answer. */
static void ask(struct found *f, const char *path)
{
	_json_ cJSON *request = cJSON_CreateObject();
	_json_ cJSON *answer = NULL;
	struct err ignored = {0};

	json_set_str(request, "op", "discover");
	json_set_str(request, "path", path);
	answer = worktree_client_run(request, NULL, NULL, ASK_MS, &ignored);
	if (answer) {
		free(f->repository);
		free(f->checkout);
		f->repository = mem_strdup(json_str(answer, "repository"));
		f->checkout = mem_strdup(json_str(answer, "checkout"));
	}
}

static struct found find(const char *path)
{
	_free_ char *start = realpath(path, NULL);
	struct found f = {0};

	if (start)
		f = look_up(start);
	if (f.unsure)
		ask(&f, start);
	return f;
}

char *session_repository_of(const char *path)
{
	struct found f = find(path);

	free(f.checkout);
	return f.repository;
}

char *session_repository_here(void)
{
	return session_repository_of(gitenv_here());
}

char *session_checkout_of(const char *path)
{
	struct found f = find(path);

	if (!f.checkout)
		return f.repository;
	free(f.repository);
	return f.checkout;
}

char *session_checkout_here(void)
{
	return session_checkout_of(gitenv_here());
}
