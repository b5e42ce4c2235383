/* message.c - a message's text from the command line or a file. */
#include "commands/message.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "wire/protocol.h"

static int read_all(int fd, const char *name, struct buf *out, struct err *err)
{
	while (out->len <= PROTOCOL_TEXT_MAX) {
		ssize_t n = read(fd, buf_room(out, 65536), 65536);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_errno(err, "read the message from %s", name);
		if (n == 0)
			break;
		out->len += (size_t)n;
		out->data[out->len] = '\0';
	}
	return 0;
}

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

	if (text && file)
		return err_set(err, ERR_USAGE,
			       "a message is given twice: as text and as a "
			       "file");
	if (text)
		buf_adds(out, text);
	if (file) {
		fd = message_open(file, err);
		rc = fd < 0 ? -1 : read_all(fd, file, out, err);
		file_close(fd);
	}
	if (rc < 0)
		return -1;
	if (out->len > PROTOCOL_TEXT_MAX) {
		err_set(err, ERR_USAGE, "the message is longer than %d KiB",
			PROTOCOL_TEXT_MAX / 1024);
		return err_hint(err, "put it into a file of the worktree and "
				     "tell the agent to read that");
	}
	if (out->len && memchr(out->data, '\0', out->len))
		return err_set(err, ERR_USAGE, "the message holds a NUL byte");
	return 0;
}
