/* place.c - the names of a workspace's worktree, branch and git entry. */
#include "worktrees/git/place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/mem.h"

#define IGNORE_ALL "*\n"
#define ALNUM	   "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

/* All other characters become a dash. */
char *place_id(const char *base)
{
	char *id = mem_strdup(base);

	for (char *c = id; *c; c++)
		if (!strchr(ALNUM ".-", *c) || (c[0] == '.' && c[1] == '.') ||
		    (c == id && *c == '.'))
			*c = '-';
	return id;
}

int place_make(struct place *p, const struct repo *r,
	       const struct create_request *req, struct err *err)
{
	const char *location = req->location ? req->location : r->parent,
		   *in = req->together;
	_free_ char *full = mem_printf("%s-%s", r->name, req->name);
	char *ref;
	int valid = 0;

	memset(p, 0, sizeof *p);
	p->dir = in ? mem_printf("%s/" PLACE_DIR "/%s", location, in)
		    : file_join(location, PLACE_DIR);
	p->base = mem_strdup(in ? r->name : full);
	p->path = file_join(p->dir, p->base);
	p->branch = mem_printf("%s%s", req->branch_prefix, req->name);
	p->id = place_id(full);
	if (in && (in[0] == '.' || strchr(in, '/') || !place_is_name(in) ||
		   !place_is_name(p->base)))
		return err_set(err, ERR_USAGE, "%s cannot be a worktree",
			       p->path);
	ref = mem_printf("refs/heads/%s", p->branch);
	git_reference_name_is_valid(&valid, ref);
	free(ref);
	if (!valid || p->branch[0] == '-')
		return err_set(err, ERR_USAGE,
			       "\"%s\" is not a branch that git would take",
			       p->branch);
	return 0;
}

static bool is_outer(const char *dir)
{
	return strcmp(strrchr(dir, '/') + 1, PLACE_DIR) == 0;
}

/* Returns the directory that dir, an absolute path, is in; to be freed. */
static char *directory_of(const char *dir)
{
	const char *slash = strrchr(dir, '/');

	return mem_strndup(dir, slash == dir ? 1 : (size_t)(slash - dir));
}

bool place_is(const char *dir)
{
	_free_ char *outer = directory_of(dir);

	return is_outer(dir) || is_outer(outer);
}

bool place_is_id(const char *dir, const char *base, const char *id)
{
	_free_ char *named = place_id(base);
	size_t len = strlen(named);

	return strncmp(named, id, len) == 0 &&
	       id[len] == (is_outer(dir) ? '\0' : '-');
}

bool place_has_repository_around(const char *dir)
{
	git_buf found = {0};
	bool has = git_repository_discover(&found, dir, 0, NULL) == 0;

	git_buf_dispose(&found);
	return has;
}

int place_ignore(int dir, struct err *err)
{
	int fd = openat(dir, PLACE_IGNORE,
			O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			0666),
	    rc = 0;

	/* ENOENT: another run has just removed dir itself. */
	if (fd < 0)
		return errno == EEXIST || errno == ENOENT
			   ? 0
			   : err_errno(err, "make %s", PLACE_IGNORE);
	if (file_write_all(fd, IGNORE_ALL, strlen(IGNORE_ALL)) < 0) {
		rc = err_errno(err, "write %s", PLACE_IGNORE);
		unlinkat(dir, PLACE_IGNORE, 0);
	}
	close(fd);
	return rc;
}

/* True if dir contains only that file. */
static bool has_only_ignore(int dir)
{
	struct buf text = {0};
	DIR *d = file_list(dir, ".");
	const char *name;
	bool only = d != NULL;

	while (only && (name = file_list_next(d)))
		only = strcmp(name, PLACE_IGNORE) == 0;
	file_list_end(d);
	only = only && file_read(dir, PLACE_IGNORE, 64, &text, NULL) == 0 &&
	       text.len == strlen(IGNORE_ALL) &&
	       memcmp(text.data, IGNORE_ALL, text.len) == 0;
	buf_finish(&text);
	return only;
}

void place_drop_empty(const char *dir)
{
	int fd = open(dir, FILE_DIR_FLAGS);
	bool ours = fd >= 0 && has_only_ignore(fd) &&
		    unlinkat(fd, PLACE_IGNORE, 0) == 0,
	     gone = rmdir(dir) == 0;
	_free_ char *outer = directory_of(dir);

	/* Another run has made a worktree just now. */
	if (!gone && ours)
		place_ignore(fd, NULL);
	file_close(fd);
	if (gone && is_outer(outer))
		place_drop_empty(outer);
}

bool place_is_name(const char *base)
{
	static const char *const others[] = {"", ".", "..", ".trash",
					     PLACE_IGNORE};

	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		if (strcmp(base, others[i]) == 0)
			return false;
	return true;
}

void place_finish(struct place *p)
{
	if (!p)
		return;
	free(p->dir);
	free(p->base);
	free(p->path);
	free(p->branch);
	free(p->id);
	memset(p, 0, sizeof *p);
}
