/*
 * send_files.c - copies the files that are attached to a message.
 *
 * The agent can write in the session's home: no link in it is followed, and a
 * new file is made with O_EXCL. On the way to another machine each file has a
 * line "LENGTH NAME" before its bytes.
 */
#include "commands/send_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adapters/screen/rules.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/spawn.h"
#include "base/words.h"
#include "commands/command.h"
#include "sandbox/sandbox.h"

#define FOLDER	     "attached"
#define CLIPBOARD    "clipboard:"
#define CLIPBOARD_MS 10000
#define NAME_BYTES   80
#define CHUNK	     ((size_t)64 * 1024)

/* -- what is attached ------------------------------------------------------ */

/* Returns the path's last part, safe as a word of any agent's message; to be
 * freed. */
static char *safe_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	size_t len = strlen(name);
	char *safe;

	if (len > NAME_BYTES)
		name += len - NAME_BYTES;
	safe = mem_strdup(*name ? name : "file");
	for (char *c = safe; *c; c++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX"
			    "YZ0123456789._-",
			    *c) ||
		    (c == safe && (*c == '.' || *c == '-')))
			*c = '_';
	return safe;
}

static int err_too_large(const char *name, struct err *err)
{
	return err_set(err, ERR_LIMIT,
		       "attach %s: it is larger than %d MiB; nothing is sent",
		       name, SEND_FILE_BYTES / (1024 * 1024));
}

/* Looks before it opens, as opening a device can do something. */
static int open_file(const char *path, struct err *err)
{
	_free_ char *real = realpath(path, NULL);
	struct stat st;
	int fd = -1;

	if (!real || stat(real, &st) < 0)
		err_errno(err, "open %s", path);
	else if (!S_ISREG(st.st_mode))
		err_set(err, ERR_USAGE, "it is not a regular file");
	else
		fd = file_open_any(AT_FDCWD, real, err);
	if (fd >= 0 && (fstat(fd, &st) < 0 || st.st_size > SEND_FILE_BYTES)) {
		file_close(fd);
		return err_too_large(path, err);
	}
	if (fd < 0) {
		err_prefix(err, "attach %s", path);
		err->kind = ERR_USAGE;
	}
	return fd;
}

static int open_clipboard(struct err *err)
{
	static const char *const programs[][7] = {
	    {"wl-paste", "--type", "image/png", NULL},
	    {"xclip", "-selection", "clipboard", "-t", "image/png", "-o", NULL},
	};
	bool wayland = getenv("WAYLAND_DISPLAY") != NULL;
	_buf_ struct buf image = {0};
	int status = 1, fd;

	for (int i = 0; i < 2; i++) {
		const char *const *argv = programs[wayland ? i : 1 - i];
		const struct spawn sp = {.argv = (char *const *)(size_t)argv,
					 .fd = {-1, -1, -1}};
		_free_ char *found = spawn_find(argv[0]);

		if (!found)
			continue;
		if (spawn_run(&sp, NULL, &image, NULL, SEND_FILE_BYTES + 1,
			      CLIPBOARD_MS, &status, err) < 0)
			return err_prefix(err, "attach the clipboard");
		if (status != 0 || !image.len)
			return err_set(err, ERR_USAGE,
				       "attach the clipboard: %s finds no "
				       "image in it",
				       argv[0]);
		if (image.len > SEND_FILE_BYTES)
			return err_too_large("the clipboard", err);
		fd = file_in_memory(image.data, image.len);
		return fd < 0 ? err_errno(err, "attach the clipboard") : fd;
	}
	return err_set(err, ERR_USAGE,
		       "attach the clipboard: neither wl-paste nor xclip is "
		       "installed");
}

/* Opens one and sets its safe name. */
static int open_source(const char *value, char **name, struct err *err)
{
	bool image = strcmp(value, CLIPBOARD) == 0;

	*name = safe_name(image ? "clipboard.png" : value);
	return image ? open_clipboard(err) : open_file(value, err);
}

/* Copies len bytes, or with -1 all. Returns how many, -1 with errno, or
 * TOO_LARGE. */
#define TOO_LARGE (-2)
static int64_t copy_bytes(int from, int to, int64_t len)
{
	_free_ char *chunk = mem_alloc(CHUNK);
	int64_t done = 0;

	while (len < 0 || done < len) {
		size_t want = len >= 0 && len - done < (int64_t)CHUNK
				  ? (size_t)(len - done)
				  : CHUNK;
		ssize_t n = read(from, chunk, want);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		done += n;
		if (done > SEND_FILE_BYTES)
			return TOO_LARGE;
		if (file_write_all(to, chunk, (size_t)n) < 0)
			return -1;
	}
	return done;
}

static int check_number(size_t n, struct err *err)
{
	return n < SEND_FILES_MAX
		   ? 0
		   : err_set(err, ERR_LIMIT,
			     "a message takes at most %d files; nothing is "
			     "sent",
			     SEND_FILES_MAX);
}

/* -- to another machine ---------------------------------------------------- */

int send_files_pack(const struct args *args, struct err *err)
{
	_close_ int to = file_in_memory("", 0);
	const char *value;
	size_t i = 0, n = 0;

	if (to < 0)
		return err_errno(err, "pack the files");
	while ((value = args_next(args, "attach", &i))) {
		_free_ char *name = NULL, *head = NULL;
		_close_ int from = open_source(value, &name, err);
		struct stat st;

		if (from < 0 || check_number(n++, err) < 0)
			return -1;
		if (fstat(from, &st) < 0)
			return err_errno(err, "attach %s", value);
		head = mem_printf("%lld %s\n", (long long)st.st_size, name);
		if (file_write_all(to, head, strlen(head)) < 0)
			return err_errno(err, "attach %s", value);
		if (copy_bytes(from, to, st.st_size) != st.st_size)
			return err_set(err, ERR_FAILED,
				       "attach %s: it changed while it was "
				       "read; nothing is sent",
				       value);
	}
	lseek(to, 0, SEEK_SET);
	return TAKE_FD(to);
}

/* Reads "LENGTH NAME" from standard input, which holds no more than is read
 * here. Returns 1, 0 at the end, or -1. */
static int read_head(int64_t *len, char **name, struct err *err)
{
	char line[NAME_BYTES + 32], *end;
	size_t n = 0;

	while (n < sizeof line - 1 && read(STDIN_FILENO, line + n, 1) == 1 &&
	       line[n] != '\n')
		n++;
	line[n] = '\0';
	if (n == 0)
		return 0;
	*len = strtoll(line, &end, 10);
	if (end == line || *end != ' ' || *len < 0 || *len > SEND_FILE_BYTES)
		return err_set(err, ERR_USAGE,
			       "--attach -: this is not what afw -H sends");
	*name = safe_name(end + 1);
	return 1;
}

/* -- to the session -------------------------------------------------------- */

struct target {
	int dir;
	char *home;
	int64_t bytes; /* of all files in it */
	size_t files;
	struct strv *copied;
};

/* Makes the directory if needed, and counts what is in it. */
static int open_target(struct target *t, const struct session *s,
		       struct err *err)
{
	struct stat st;
	const char *name, *last;
	DIR *d;

	t->home = file_join(s->dir, "home");
	if (mkdir(t->home, 0700) < 0 && errno != EEXIST)
		return err_errno(err, "make directory %s", t->home);
	t->dir = file_open_parent(AT_FDCWD, t->home, FOLDER "/x", 0700, &last);
	if (t->dir < 0)
		return err_errno(err, "make directory %s/" FOLDER, t->home);
	d = file_list(t->dir, ".");
	while ((name = file_list_next(d)) && t->files < SEND_FILES_ALL) {
		t->files++;
		if (fstatat(t->dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
			t->bytes += st.st_size;
	}
	file_list_end(d);
	return 0;
}

/* Makes a new file: name, 2-name, … */
static int create(const struct target *t, const char *name, char **made,
		  struct err *err)
{
	int fd = -1;

	for (int i = 1; fd < 0 && i <= SEND_FILES_ALL + 1; i++) {
		free(*made);
		*made =
		    i == 1 ? mem_strdup(name) : mem_printf("%d-%s", i, name);
		fd = file_open(t->dir, *made, O_WRONLY | O_CREAT | O_EXCL, err);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	return fd;
}

static int copy_one(struct target *t, const char *name, int from, int64_t len,
		    struct err *err)
{
	_close_ int fd = -1;
	_free_ char *made = NULL;
	int64_t n;

	if (check_number(t->copied->n, err) < 0)
		return -1;
	fd = create(t, name, &made, err);
	if (fd < 0)
		return err_prefix(err, "attach %s", name);
	strv_add(t->copied, made);
	n = copy_bytes(from, fd, len);
	if (n == TOO_LARGE)
		return err_too_large(name, err);
	if (n < 0 || fsync(fd) < 0) {
		err_errno(err, "attach %s", name);
		return err_hint(err, "nothing is sent");
	}
	if (len >= 0 && n != len)
		return err_set(err, ERR_FAILED,
			       "attach %s: it did not arrive whole; nothing is "
			       "sent",
			       name);
	t->bytes += n;
	t->files++;
	if (t->files <= SEND_FILES_ALL && t->bytes <= SEND_FILES_ALL_BYTES)
		return 0;
	err_set(err, ERR_LIMIT,
		"it has %d files or %lld MiB attached, as much as it may; "
		"nothing is sent",
		SEND_FILES_ALL, SEND_FILES_ALL_BYTES / (1024 * 1024));
	return err_hint(err, "delete some in %s/" FOLDER, t->home);
}

static int copy_packed(struct target *t, struct err *err)
{
	int rc;

	do {
		_free_ char *name = NULL;
		int64_t len;

		rc = read_head(&len, &name, err);
		if (rc > 0 && copy_one(t, name, STDIN_FILENO, len, err) < 0)
			rc = -1;
	} while (rc > 0);
	return rc < 0 || t->copied->n
		   ? rc
		   : err_set(err, ERR_USAGE,
			     "--attach -: this is not what afw -H sends");
}

static int copy_all(struct target *t, const struct args *args, struct err *err)
{
	const char *value;
	size_t i = 0;

	while ((value = args_next(args, "attach", &i))) {
		_free_ char *name = NULL;
		_close_ int from = -1;

		if (strcmp(value, "-") == 0)
			return copy_packed(t, err);
		from = open_source(value, &name, err);
		if (from < 0 || copy_one(t, name, from, -1, err) < 0)
			return -1;
	}
	return 0;
}

/* Appends the paths inside the sandbox, as the agent's section wants them. A
 * message of one line stays one: some agents take no other. */
static int add_paths(const struct target *t, const struct session *s,
		     struct buf *text, struct err *err)
{
	struct rules *r = rules_create(s->spec.harness_config, err);
	_strv_ struct strv places = {0};
	const char *form;

	if (!r)
		return -1;
	form = rules_get(r, "attach");
	sandbox_places(&s->spec, t->home, &places);
	buf_addf(text, "%s[attached:", strchr(text->data, '\n') ? "\n\n" : " ");
	for (size_t i = 0; i < t->copied->n; i++) {
		_free_ char *outside =
		    mem_printf("%s/" FOLDER "/%s", t->home, t->copied->v[i]);
		_free_ char *path = file_map(outside, &places);
		_free_ char *word = words_fill(form ? form : "{path}", "{path}",
					       path ? path : outside);

		buf_addf(text, " %s", word);
	}
	/* If a path were last, Enter would choose a suggestion. */
	buf_adds(text, " ]");
	rules_destroy(r);
	return 0;
}

int send_files_add(const struct args *args, const struct session *s,
		   struct buf *text, struct strv *copied, struct err *err)
{
	struct target t = {.dir = -1, .copied = copied};
	int rc = open_target(&t, s, err);

	if (rc == 0)
		rc = copy_all(&t, args, err);
	if (rc == 0 && copied->n)
		rc = add_paths(&t, s, text, err);
	file_close(t.dir);
	free(t.home);
	if (rc < 0)
		send_files_drop(s, copied);
	return rc < 0 ? err_prefix(err, "send to '%s'", s->spec.name) : 0;
}

void send_files_drop(const struct session *s, const struct strv *copied)
{
	_free_ char *home = file_join(s->dir, "home");
	const char *last;
	_close_ int dir =
	    file_open_parent(AT_FDCWD, home, FOLDER "/x", 0, &last);

	for (size_t i = 0; dir >= 0 && i < copied->n; i++)
		unlinkat(dir, copied->v[i], 0);
}
