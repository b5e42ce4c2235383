/* input.c - text from the command line or from a file. */
#include "commands/cli/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "wire/protocol.h"

int input_open(const char *what, const char *file, struct err *err)
{
	int fd = strcmp(file, "-") == 0
		     ? dup(STDIN_FILENO)
		     : open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY);

	if (fd < 0) {
		err_errno(err, "read %s from %s", what, file);
		err->kind = ERR_USAGE;
	}
	return fd;
}

int input_message(const char *text, const char *file, struct buf *out,
		  struct err *err)
{
	_close_ int fd = -1;
	int rc = 0;
	bool long_one;

	if (text && file)
		return err_set(err, ERR_USAGE,
			       "a message is given twice: as text and as a "
			       "file");
	if (text)
		buf_adds(out, text);
	if (file) {
		fd = input_open("the message", file, err);
		if (fd < 0)
			return -1;
		rc = file_read_fd(fd, PROTOCOL_TEXT_MAX, out);
	}
	long_one = rc < 0 ? errno == EFBIG : out->len > PROTOCOL_TEXT_MAX;
	if (rc < 0 && !long_one)
		return err_errno(err, "read the message from %s", file);
	if (long_one) {
		err_set(err, ERR_USAGE, "the message is longer than %d KiB",
			PROTOCOL_TEXT_MAX / 1024);
		return err_hint(err, "put it into a file of the worktree and "
				     "tell the agent to read that");
	}
	if (out->len && memchr(out->data, '\0', out->len))
		return err_set(err, ERR_USAGE, "the message holds a NUL byte");
	return 0;
}

int input_file(const char *what, const char *path, size_t max, struct buf *out,
	       struct err *err)
{
	/* A file of the user may be a symbolic link. */
	_free_ char *real = realpath(path, NULL);

	if (!real)
		err_errno(err, "read %s", path);
	if (real && file_read(AT_FDCWD, real, max, out, err) == 0)
		return 0;
	err_prefix(err, "%s", what);
	err->kind = ERR_USAGE;
	return -1;
}
