/* message.c - a message's text from the command line or a file. */
#include "commands/cli/message.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "wire/protocol.h"

int message_open(const char *file, struct err *err)
{
	int fd = strcmp(file, "-") == 0
		     ? dup(STDIN_FILENO)
		     : open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY);

	if (fd < 0) {
		err_errno(err, "read the message from %s", file);
		err->kind = ERR_USAGE;
	}
	return fd;
}

int message_read(const char *text, const char *file, struct buf *out,
		 struct err *err)
{
	int fd = -1, rc = 0;
	bool long_one;

	if (text && file)
		return err_set(err, ERR_USAGE,
			       "a message is given twice: as text and as a "
			       "file");
	if (text)
		buf_adds(out, text);
	if (file) {
		fd = message_open(file, err);
		if (fd < 0)
			return -1;
		rc = file_read_fd(fd, PROTOCOL_TEXT_MAX, out);
		file_close(fd);
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
