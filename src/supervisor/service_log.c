/* service_log.c - a service's output: a file, bounded by a second one. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/utf8.h"
#include "supervisor/service.h"

static int open_log(struct service *s, const char *path, struct err *err)
{
	struct stat st;

	s->log.fd =
	    file_open(AT_FDCWD, path, O_WRONLY | O_APPEND | O_CREAT, err);
	if (s->log.fd < 0)
		return -1;
	s->log.size = fstat(s->log.fd, &st) == 0 ? st.st_size : 0;
	return 0;
}

/* A line stays whole for who follows: it is full at a line's end. */
static int write_log(struct service *s, const char *data, size_t len,
		     struct err *err)
{
	char *path = mem_printf("%s/service-%s.log", s->sv->dir, s->name);
	char *old = mem_printf("%s.1", path);
	int rc = 0;

	if (s->log.fd >= 0 && s->log.size > SERVICE_LOG_MAX) {
		file_reset(&s->log.fd);
		if (rename(path, old) < 0)
			rc = err_errno(err, "rename %s", path);
	}
	if (rc == 0 && s->log.fd < 0)
		rc = open_log(s, path, err);
	if (rc == 0 && file_write_all(s->log.fd, data, len) < 0)
		rc = err_errno(err, "write %s", path);
	s->log.size += (off_t)len;
	free(old);
	free(path);
	return rc;
}

void service_log_add(struct service *s, const char *data, size_t len)
{
	struct buf *tail = &s->log.tail;
	struct err err;

	if (write_log(s, data, len, &err) < 0)
		supervisor_degrade(s->sv, "service '%s': %s", s->name,
				   err.what);
	buf_add(tail, data, len);
}

void service_log_last(const struct service *s, char *out, size_t size)
{
	const char *text = s->log.tail.data;
	size_t end = s->log.tail.len, begin;

	while (end > 0 && strchr(" \t\r\n", text[end - 1]))
		end--;
	for (begin = end; begin > 0 && text[begin - 1] != '\n';)
		begin--;
	utf8_printable(out, size, end ? text + begin : "", end - begin);
}
