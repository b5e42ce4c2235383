/* config_edit.c - reads, checks and replaces a file of the configuration. */
#include "config/config_edit.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "config/config_load.h"

#define LOCK_MS 2000

/* Finds the user's file. Refuses a link without a target. */
static char *find_user(const char *path, struct err *err)
{
	_free_ char *real = realpath(path, NULL);
	struct stat st;

	if (real)
		return TAKE_PTR(real);
	if (errno == ENOENT && lstat(path, &st) < 0)
		return mem_strdup(path);
	err_errno(err, "write %s", path);
	return NULL;
}

static int check_writable(struct config_edit *e, struct err *err)
{
	struct stat st;

	if (stat(e->real, &st) < 0)
		return err_errno(err, "write %s", e->path);
	e->mode = st.st_mode & 07777;
	/* root could write it anyway, but its mode forbids it. */
	if (!(e->mode & 0222) || access(e->real, W_OK) < 0)
		return err_set(err, ERR_FAILED, "write %s: it is read-only",
			       e->path);
	return 0;
}

int config_edit_begin(struct config_edit *e, const char *repository,
		      struct err *err)
{
	*e = (struct config_edit){
	    .path = repository ? file_join(repository, ".af/afw.ini")
			       : config_user_file(),
	    .repository = repository != NULL,
	    .mode = 0644,
	};
	if (!e->path)
		return err_set(err, ERR_FAILED,
			       "neither XDG_CONFIG_HOME nor HOME is set");
	e->real = repository ? mem_strdup(e->path) : find_user(e->path, err);
	if (e->real &&
	    ini_load(e->real, repository ? INI_ANY : INI_OURS, &e->text,
		     &e->found, err) == 0 &&
	    (!e->found || check_writable(e, err) == 0))
		return 0;
	config_edit_finish(e);
	return -1;
}

void config_edit_finish(struct config_edit *e)
{
	free(e->path);
	free(e->real);
	buf_finish(&e->text);
	*e = (struct config_edit){0};
}

static int check_text(const struct config_edit *e,
		      const struct config_where *where, const char *called,
		      const struct buf *text, struct err *err)
{
	_config_ struct config *c = config_create(where);
	struct config_file f = {
	    .c = c,
	    .path = called ? called : e->path,
	    .repository = e->repository,
	};

	return config_load_text(&f, text, err);
}

/* Opens the directory, locked against other afw; closing it frees the lock. A
 * repository's .af/ must not be a link. */
static int open_dir(const struct config_edit *e, struct err *err)
{
	_free_ char *dir =
	    mem_strndup(e->real, (size_t)(strrchr(e->real, '/') - e->real));
	int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC |
		    (e->repository ? O_NOFOLLOW : 0);
	int64_t end = clock_mono_ms() + LOCK_MS;
	_close_ int fd = file_make_dirs(dir, 0777) < 0 ? -1 : open(dir, flags);

	if (fd < 0)
		return err_errno(err, "write %s", e->path);
	/* A blocking lock has no deadline; it is held for milliseconds. */
	while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK) {
			err_errno(err, "lock %s", dir);
			return file_hint_locks(err);
		}
		if (clock_mono_ms() > end)
			return err_set(
			    err, ERR_TIMEOUT,
			    "write %s: another afw has had it locked for %d s",
			    e->path, LOCK_MS / 1000);
		poll(NULL, 0, 2);
	}
	return TAKE_FD(fd);
}

static int check_unchanged(const struct config_edit *e, struct err *err)
{
	_buf_ struct buf now = {0};
	bool found = false;

	if (ini_load(e->real, INI_ANY, &now, &found, err) < 0)
		return -1;
	if (found == e->found && now.len == e->text.len &&
	    (now.len == 0 || memcmp(now.data, e->text.data, now.len) == 0))
		return 0;
	return err_set(err, ERR_CONFLICT,
		       "write %s: another process has changed it meanwhile",
		       e->path);
}

int config_edit_commit(const struct config_edit *e,
		       const struct config_where *where, const char *called,
		       const struct buf *text, struct err *err)
{
	const char *name = strrchr(e->real, '/') + 1;
	_close_ int dir = -1;
	mode_t mask;

	if (check_text(e, where, called, text, err) < 0)
		return -1;
	dir = open_dir(e, err);
	if (dir < 0 || check_unchanged(e, err) < 0 ||
	    file_replace(dir, name, text->data ? text->data : "", text->len,
			 true, err) < 0)
		return -1;
	mask = umask(077);
	umask(mask);
	if (fchmodat(dir, name, e->found ? e->mode : e->mode & ~mask, 0) < 0)
		return err_errno(err, "write %s", e->path);
	return 0;
}
