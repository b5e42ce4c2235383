/* config_edit.c - a file of the configuration, read, checked and
 * written. */
#include "config/config_edit.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "config/config_load.h"
#include "config/layer.h"
#include "config/section.h"

#define LOCK_MS 2000

/* -- names ----------------------------------------------------------------- */

int config_name_parse(const char *name, struct config_name *out,
		      struct err *err)
{
	const char *dot = strrchr(name, '.'), *of = NULL, *why;
	const struct section_kind *kind;

	*out = (struct config_name){
	    .section = mem_strndup(name, dot ? (size_t)(dot - name) : 0),
	    .key = dot ? dot + 1 : name,
	};
	kind = section_find(out->section, &of);
	why = kind ? section_check_name(of) : NULL;
	if (why) {
		err_set(err, ERR_FAILED, "'%.60s': %s", name, why);
	} else if (kind) {
		out->option = section_key(kind, out->key, err);
	} else if (strncmp(name, "harness.", 8) == 0) {
		err_set(err, ERR_FAILED, "'%.60s' is no option", name);
		err_hint(err, "`afw config edit` changes what a harness is");
	} else {
		int id = section_find_option(out->section, out->key, err);

		out->option = id < 0 ? NULL : &options[id];
	}
	if (out->option)
		return 0;
	config_name_finish(out);
	return -1;
}

void config_name_finish(struct config_name *n)
{
	free(n->section);
	*n = (struct config_name){0};
}

/* -- files ----------------------------------------------------------------- */

/* Where the user's is. A link that leads nowhere is nothing to write to. */
static char *find_user(const char *path, struct err *err)
{
	char *real = realpath(path, NULL);
	struct stat st;

	if (real)
		return real;
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
	/* The root user may write it all the same, but it says not to. */
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
	struct config *c = config_create(where);
	struct config_file f = {
	    .c = c,
	    .path = called ? called : e->path,
	    .repository = e->repository,
	};
	int rc =
	    text->len ? config_file_text(&f, text->data, text->len, err) : 0;

	config_destroy(c);
	return rc;
}

/* The directory, locked against other afw; closing it frees the lock. A
 * repository's .af/ is no link that leads elsewhere. */
static int open_dir(const struct config_edit *e, struct err *err)
{
	char *dir =
	    mem_strndup(e->real, (size_t)(strrchr(e->real, '/') - e->real));
	int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC |
		    (e->repository ? O_NOFOLLOW : 0);
	int64_t end = clock_mono_ms() + LOCK_MS;
	int fd = file_make_dirs(dir, 0777) < 0 ? -1 : open(dir, flags);

	if (fd < 0)
		err_errno(err, "write %s", e->path);
	/* A blocking lock has no deadline; it is held for milliseconds. */
	while (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK) {
			err_errno(err, "lock %s", dir);
			file_hint_locks(err);
			file_reset(&fd);
			break;
		}
		if (clock_mono_ms() > end) {
			err_set(err, ERR_TIMEOUT,
				"write %s: another afw has been writing it for "
				"%d s",
				e->path, LOCK_MS / 1000);
			file_reset(&fd);
			break;
		}
		poll(NULL, 0, 2);
	}
	free(dir);
	return fd;
}

static int check_unchanged(const struct config_edit *e, struct err *err)
{
	struct buf now = {0};
	bool found = false, same;
	int rc = ini_load(e->real, INI_ANY, &now, &found, err);

	same = found == e->found && now.len == e->text.len &&
	       (now.len == 0 || memcmp(now.data, e->text.data, now.len) == 0);
	buf_finish(&now);
	if (rc == 0 && !same)
		rc = err_set(err, ERR_CONFLICT,
			     "write %s: somebody else has changed it meanwhile",
			     e->path);
	return rc;
}

int config_edit_commit(const struct config_edit *e,
		       const struct config_where *where, const char *called,
		       const struct buf *text, struct err *err)
{
	const char *name = strrchr(e->real, '/') + 1;
	mode_t mask;
	int dir, rc;

	if (check_text(e, where, called, text, err) < 0)
		return -1;
	dir = open_dir(e, err);
	if (dir < 0)
		return -1;
	rc = check_unchanged(e, err);
	if (rc == 0)
		rc = file_replace(dir, name, text->data ? text->data : "",
				  text->len, true, err);
	mask = umask(077);
	umask(mask);
	if (rc == 0 &&
	    fchmodat(dir, name, e->found ? e->mode : e->mode & ~mask, 0) < 0)
		rc = err_errno(err, "write %s", e->path);
	close(dir);
	return rc;
}
