/* copied.c - remembers which files create made in a worktree. */
#include "worktrees/changes/copied.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

#define FILE_MAX ((size_t)1 << 20)

int copied_write(int entry, const char *from, const struct strv *copied,
		 const struct strv *linked, struct err *err)
{
	_json_ cJSON *o = cJSON_CreateObject();

	json_set_int(o, "v", 1);
	json_set_str(o, "from", from);
	json_set_strv(o, "copied", copied);
	json_set_strv(o, "linked", linked);
	return json_save(entry, COPIED_FILE, o, false, err);
}

static char *stamp(const char *path, const struct stat *st)
{
	return mem_printf("%lld %lld.%09ld %s", (long long)st->st_size,
			  (long long)st->st_mtim.tv_sec, st->st_mtim.tv_nsec,
			  path);
}

int copied_add_rendered(int entry, const char *path, const struct stat *st,
			struct err *err)
{
	_json_ cJSON *o = json_load(entry, COPIED_FILE, FILE_MAX, NULL);
	_strv_ struct strv rendered = {0};

	if (!o)
		o = cJSON_CreateObject();
	json_strv(o, "rendered", &rendered);
	strv_take(&rendered, stamp(path, st));
	json_set_int(o, "v", 1);
	json_set_strv(o, "rendered", &rendered);
	return json_save(entry, COPIED_FILE, o, false, err);
}

void copied_read(struct copied *b, const struct repo_worktree *w)
{
	_free_ char *file = file_join(w->admin, COPIED_FILE);
	_json_ cJSON *o = json_load(AT_FDCWD, file, FILE_MAX, NULL);

	*b = (struct copied){.to = w->path};
	json_strv(o, "rendered", &b->rendered);
	if (json_str(o, "from")) {
		b->from = mem_strdup(json_str(o, "from"));
		json_strv(o, "copied", &b->paths);
		json_strv(o, "linked", &b->paths);
	}
}

void copied_finish(struct copied *b)
{
	if (!b)
		return;
	strv_finish(&b->paths);
	strv_finish(&b->rendered);
	free(b->from);
	memset(b, 0, sizeof *b);
}

static bool unchanged(const char *here, const char *there)
{
	char target[PATH_MAX];
	struct stat a, b;
	ssize_t n;

	if (lstat(here, &a) < 0)
		return false;
	if (S_ISLNK(a.st_mode)) {
		n = readlink(here, target, sizeof target - 1);
		if (n < 0)
			return false;
		target[n] = '\0';
		if (strcmp(target, there) == 0)
			return true;
	}
	if (lstat(there, &b) < 0 ||
	    (a.st_mode & S_IFMT) != (b.st_mode & S_IFMT))
		return false;
	return S_ISLNK(a.st_mode) || (a.st_size == b.st_size &&
				      a.st_mtim.tv_sec == b.st_mtim.tv_sec &&
				      a.st_mtim.tv_nsec == b.st_mtim.tv_nsec);
}

static bool is_rendered(const struct copied *b, const char *path)
{
	_free_ char *here = file_join(b->to, path), *as = NULL;
	struct stat st;

	if (lstat(here, &st) < 0 || !S_ISREG(st.st_mode))
		return false;
	as = stamp(path, &st);
	return strv_has(&b->rendered, as);
}

bool copied_has(const struct copied *b, const char *path)
{
	if (b->rendered.n && is_rendered(b, path))
		return true;
	for (size_t i = 0; i < b->paths.n; i++) {
		_free_ char *here = NULL, *there = NULL;

		if (!file_is_below(path, b->paths.v[i]))
			continue;
		here = file_join(b->to, path);
		there = file_join(b->from, path);
		if (unchanged(here, there))
			return true;
	}
	return false;
}
