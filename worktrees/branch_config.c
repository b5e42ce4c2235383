/*
 * branch_config.c - takes the section of a branch out of .git/config.
 *
 * libgit2 would leave an empty section, and would match too much where a
 * name has a dot. Written beside, then linked to the name by which git locks
 * the file and renamed: a run that dies between leaves a lock that is the
 * same file as the one beside, which tells the next that it is a dead afw's.
 */
#include "worktrees/branch_config.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"

#define CONFIG	   "config"
#define LOCK	   "config.lock"
#define NEW	   "afw-config"
#define CONFIG_MAX ((size_t)16 * 1024 * 1024)
#define WAIT_MS	   1000 /* for git's change of it */
#define LOOK_MS	   10

/* [branch "NAME"], where \ keeps the next character of NAME. */
static bool is_section(const char *line, const char *branch)
{
	line++;
	if (strncasecmp(line, "branch", 6) != 0 ||
	    (line[6] != ' ' && line[6] != '\t'))
		return false;
	line += 6;
	line += strspn(line, " \t");
	if (*line++ != '"')
		return false;
	while (*branch) {
		if (*line == '\\')
			line++;
		if (*line++ != *branch++)
			return false;
	}
	return line[0] == '"' && line[1] == ']';
}

static size_t line_length(const char *line)
{
	size_t n = strcspn(line, "\n");

	return n + (line[n] == '\n');
}

/* Whether its value goes on in the next line. quoted: within quotes, which
 * lines that go on keep open. In a comment a backslash is one as any. */
static bool goes_on(const char *line, size_t len, bool *quoted)
{
	for (size_t i = 0; i < len; i++) {
		if (line[i] == '\\') {
			i++;
			if (line[i] == '\n' ||
			    (line[i] == '\r' && line[i + 1] == '\n'))
				return true;
		} else if (line[i] == '"') {
			*quoted = !*quoted;
		} else if (!*quoted && (line[i] == '#' || line[i] == ';')) {
			break;
		}
	}
	*quoted = false;
	return false;
}

int branch_config_without(const char *text, const char *branch, struct buf *out)
{
	bool inside = false, begins = true, quoted = false;
	int found = 0;

	while (*text) {
		const char *word = text + strspn(text, " \t");
		size_t len = line_length(text);

		if (begins && *word == '[') {
			inside = is_section(word, branch);
			found += inside;
		}
		if (!inside)
			buf_add(out, text, len);
		begins = !goes_on(text, len, &quoted);
		text += len;
	}
	return found;
}

/* With the mode and, where that may be, the group of the old one. */
static int write_new(int dir, const struct buf *text, const struct stat *old)
{
	int fd = openat(dir, NEW,
			O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			0600),
	    r = -1;

	if (fd < 0)
		return -1;
	if (file_write_all(fd, text->data, text->len) == 0 &&
	    (fchown(fd, (uid_t)-1, old->st_gid) == 0 || errno == EPERM) &&
	    fchmod(fd, old->st_mode & 07777) == 0 && fsync(fd) == 0)
		r = 0;
	close(fd);
	return r;
}

/* Under git's lock, so what was read is what is replaced. */
static int replace(int dir, const struct buf *was)
{
	struct buf now = {0};
	int r = linkat(dir, NEW, dir, LOCK, 0);

	if (r < 0)
		return -1;
	errno = EEXIST;
	if (file_read(dir, CONFIG, CONFIG_MAX, &now, NULL) < 0 ||
	    now.len != was->len || memcmp(now.data, was->data, was->len) != 0)
		r = -1;
	if (r == 0)
		r = renameat(dir, LOCK, dir, CONFIG);
	if (r < 0) {
		int e = errno;

		unlinkat(dir, LOCK, 0);
		errno = e;
	}
	buf_finish(&now);
	return r;
}

static int drop(int dir, const char *branch)
{
	struct buf was = {0}, text = {0};
	struct stat st;
	int r = file_read(dir, CONFIG, CONFIG_MAX, &was, NULL), e;

	/* Half a text would be written back. */
	if (r == 0 && was.len != strlen(was.data ? was.data : "")) {
		errno = EINVAL;
		r = -1;
	}
	if (r == 0 && was.len &&
	    branch_config_without(was.data, branch, &text)) {
		if (fstatat(dir, CONFIG, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
		    write_new(dir, &text, &st) < 0 || replace(dir, &was) < 0)
			r = -1;
		e = errno;
		unlinkat(dir, NEW, 0);
		errno = e;
	}
	buf_finish(&was);
	buf_finish(&text);
	return r;
}

int branch_config_drop(int dir, const char *branch)
{
	int64_t end = clock_mono_ms() + WAIT_MS;
	int r;

	branch_config_recover(dir);
	while ((r = drop(dir, branch)) < 0 && errno == EEXIST &&
	       clock_mono_ms() < end)
		poll(NULL, 0, LOOK_MS);
	return r;
}

void branch_config_recover(int dir)
{
	struct stat mine, lock;

	if (fstatat(dir, NEW, &mine, AT_SYMLINK_NOFOLLOW) < 0)
		return;
	if (fstatat(dir, LOCK, &lock, AT_SYMLINK_NOFOLLOW) == 0 &&
	    lock.st_ino == mine.st_ino && lock.st_dev == mine.st_dev)
		unlinkat(dir, LOCK, 0);
	unlinkat(dir, NEW, 0);
}
