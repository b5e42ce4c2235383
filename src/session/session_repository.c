/*
 * session_repository.c - which repository a directory lies in, read from
 * git's files: asking afw-worktree would cost more than all else that a
 * command does. Only what git itself writes there is read; at anything else
 * in git's configuration that may say where the worktree is, it is asked.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/gitenv.h"
#include "base/gitfile.h"
#include "base/json.h"
#include "session/session.h"
#include "wire/worktree_client.h"

#define CONFIG_MAX ((size_t)1024 * 1024)
#define ASK_MS	   10000

static char *resolved(const char *dir, const char *path)
{
	char *full = path[0] == '/' ? mem_strdup(path) : file_join(dir, path);
	char *real = realpath(full, NULL);

	free(full);
	return real;
}

static bool is_dir(const char *dir, const char *name)
{
	char *path = file_join(dir, name);
	struct stat st;
	bool yes = stat(path, &st) == 0 && S_ISDIR(st.st_mode);

	free(path);
	return yes;
}

static bool is_git_dir(const char *dir)
{
	char *head = file_join(dir, "HEAD");
	bool yes = access(head, F_OK) == 0 && is_dir(dir, "objects") &&
		   is_dir(dir, "refs");

	free(head);
	return yes;
}

/* -- git's configuration, as much of it as says where the worktree is ------ */

struct core {
	bool bare, bare_given;
	bool unsure;	/* something else may say otherwise */
	char *worktree; /* as written; NULL where it is not */
};

/* A value may be quoted, and a comment may follow. */
static char *value_of(const char *p)
{
	struct buf out = {0};
	bool quoted = false;

	p += strspn(p, " \t");
	p += *p == '=';
	for (p += strspn(p, " \t"); *p && *p != '\n'; p++) {
		if (*p == '"')
			quoted = !quoted;
		else if (!quoted && (*p == '#' || *p == ';'))
			break;
		else
			buf_addc(&out, *p);
	}
	while (out.len && strchr(" \t\r", out.data[out.len - 1]))
		out.data[--out.len] = '\0';
	buf_adds(&out, "");
	return buf_steal(&out);
}

static bool is_key(const char *line, const char *key)
{
	size_t n = strlen(key);

	return strncasecmp(line, key, n) == 0 && strchr(" \t=#;\r\n", line[n]);
}

static void take_core(struct core *c, const char *line)
{
	char *value;

	if (is_key(line, "bare")) {
		value = value_of(line + strlen("bare"));
		c->bare_given = true;
		c->bare = strcasecmp(value, "true") == 0;
		c->unsure |= !c->bare && strcasecmp(value, "false") != 0;
		free(value);
	} else if (is_key(line, "worktree")) {
		free(c->worktree);
		c->worktree = value_of(line + strlen("worktree"));
	}
}

/* What this reader does not follow: more configuration elsewhere, and
 * backslashes (an escape, or the next line belongs to this one). */
static bool is_beyond(const char *line, bool in_core)
{
	const char *slash = memchr(line, '\\', strcspn(line, "\n"));

	return strncasecmp(line, "[include", 8) == 0 ||
	       is_key(line, "worktreeconfig") ||
	       (slash && (in_core || strchr("\r\n", slash[1])));
}

static void take_lines(struct core *c, const char *p)
{
	bool in_core = false;

	while (*p) {
		p += strspn(p, " \t");
		c->unsure |= is_beyond(p, in_core);
		if (*p == '[') {
			in_core = strncasecmp(p, "[core]", 6) == 0;
			p += strcspn(p, "]\n");
			p += *p == ']';
			p += strspn(p, " \t");
			c->unsure |= is_beyond(p, in_core);
		}
		if (in_core)
			take_core(c, p);
		p += strcspn(p, "\n");
		p += *p == '\n';
	}
}

static struct core read_core(const char *git_dir)
{
	char *path = file_join(git_dir, "config");
	struct core c = {0};
	struct buf text = {0};

	if (file_read(AT_FDCWD, path, CONFIG_MAX, &text, NULL) < 0)
		c.unsure = errno != ENOENT;
	else if (text.len)
		take_lines(&c, text.data);
	/* Zero bytes; a byte order mark, which hides a first "[core]". */
	c.unsure |= text.len && (strlen(text.data) != text.len ||
				 (unsigned char)text.data[0] == 0xef);
	/* git init writes it; else the user's own configuration may. */
	c.unsure |= !c.bare_given;
	free(path);
	buf_finish(&text);
	return c;
}

/* -- the walk up -------------------------------------------------------------
 */

/* What the files say; unsure: others may know better. */
struct found {
	char *repository; /* NULL: none */
	bool unsure;
};

/*
 * What afw-worktree calls the repository of a common git directory, which is
 * taken: the worktree that leads back to it, or itself where it is bare or
 * names another. where: the directory whose .git file names it, which git
 * need not know; else NULL.
 */
static void main_of(struct found *f, char *common, const char *where)
{
	struct core c = read_core(common);
	size_t len = strlen(common);
	char *found = NULL;

	f->unsure |= c.unsure;
	if (!c.bare && c.worktree)
		found = resolved(common, c.worktree);
	else if (!c.bare && where)
		found = mem_strdup(where);
	else if (!c.bare && len >= 5 && strcmp(common + len - 5, "/.git") == 0)
		found = mem_strndup(common, len > 5 ? len - 5 : 1);
	free(c.worktree);
	if (found && !gitfile_leads_to(found, common)) {
		free(found);
		found = NULL;
	}
	if (found)
		free(common);
	f->repository = found ? found : common;
}

/* dir has a .git file: follow it to the repository that it belongs to. */
static void by_git_file(struct found *f, const char *dir)
{
	char *git = gitfile_read(dir, ".git", "gitdir: ");
	char *up = git ? gitfile_read(git, "commondir", "") : NULL;
	const char *common = up ? up : git;

	if (common && is_git_dir(common))
		main_of(f, mem_strdup(common), up ? NULL : dir);
	else
		f->unsure = true;
	free(up);
	free(git);
}

/* Whether the walk ends at dir; with nothing found where git would end it so,
 * at a .git file that leads nowhere. */
static bool look_at(struct found *f, const char *dir)
{
	char *git = file_join(dir, ".git");
	struct stat st;
	bool there = stat(git, &st) == 0;

	if (there && S_ISDIR(st.st_mode) && is_git_dir(git))
		main_of(f, mem_strdup(git), NULL);
	else if (is_git_dir(dir))
		main_of(f, mem_strdup(dir), NULL);
	else if (there && !S_ISDIR(st.st_mode))
		by_git_file(f, dir);
	free(git);
	return f->repository || (there && !S_ISDIR(st.st_mode));
}

static struct found look_up(const char *start)
{
	char *dir = mem_strdup(start), *slash;
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
	free(dir);
	return f;
}

static char *ask(const char *path)
{
	cJSON *request = cJSON_CreateObject(), *answer;
	struct err ignored = {0};
	char *found = NULL;

	json_set_str(request, "op", "discover");
	json_set_str(request, "path", path);
	answer = worktree_client_run(request, NULL, NULL, ASK_MS, &ignored);
	if (answer)
		found = mem_strdup(json_str(answer, "repository"));
	cJSON_Delete(answer);
	cJSON_Delete(request);
	return found;
}

char *session_repository_of(const char *path)
{
	char *start = realpath(path, NULL), *better;
	struct found f;

	if (!start)
		return NULL;
	f = look_up(start);
	better = f.unsure ? ask(start) : NULL;
	free(start);
	if (!better)
		return f.repository;
	free(f.repository);
	return better;
}

char *session_repository_here(void)
{
	return session_repository_of(gitenv_here());
}
