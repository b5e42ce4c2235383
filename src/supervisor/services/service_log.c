/* service_log.c - a service's output: a file, rotated into a second one. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/utf8.h"
#include "base/words.h"
#include "session/disk/dirs.h"
#include "supervisor/services/service.h"

#define LINES_SHOWN 8

static int append_log(struct service *s, const char *path, const char *data,
		      size_t len, struct err *err)
{
	struct stat st;

	if (len == 0)
		return 0;
	if (s->log.fd < 0) {
		s->log.fd = file_open(AT_FDCWD, path,
				      O_WRONLY | O_APPEND | O_CREAT, err);
		if (s->log.fd < 0)
			return -1;
		s->log.size = fstat(s->log.fd, &st) == 0 ? st.st_size : 0;
	}
	s->log.size += (off_t)len;
	if (file_write_all(s->log.fd, data, len) < 0)
		return err_errno(err, "write %s", path);
	return 0;
}

static int rotate_log(struct service *s, const char *path, struct err *err)
{
	char *old = mem_printf("%s.1", path);
	int rc = rename(path, old);

	if (rc < 0)
		err_errno(err, "rename %s", path);
	file_reset(&s->log.fd);
	free(old);
	return rc;
}

void service_log_add(struct service *s, const char *data, size_t len)
{
	char *path = mem_printf("%s/service-%s.log", s->sv->dir, s->name);
	bool full = s->log.fd >= 0 && s->log.size > SERVICE_LOG_MAX;
	/* A line that is not too long stays in one file. */
	const char *end = full ? memrchr(data, '\n', len) : NULL;
	size_t head = end ? (size_t)(end - data) + 1 : 0;
	struct err err;
	int rc = append_log(s, path, data, head, &err);

	if (rc == 0 && (head || s->log.size > 2 * SERVICE_LOG_MAX))
		rc = rotate_log(s, path, &err);
	if (rc == 0)
		rc = append_log(s, path, data + head, len - head, &err);
	if (rc < 0)
		publish_degraded(s->sv, "service '%s': %s", s->name, err.what);
	free(path);
	buf_add(&s->log.tail, data, len);
}

void service_log_last(const struct service *s, char *out, size_t size)
{
	utf8_last_line(out, size, s->log.tail.data, s->log.tail.len);
}

/* Moves the log to the place for the last failed start. Returns its path, to be
 * freed; NULL if it cannot be moved. */
static char *keep_log(const struct service *s)
{
	_free_ char *data = dirs_data(NULL);
	_free_ char *path =
	    mem_printf("%s/service-%s.log", s->sv->dir, s->name);
	_free_ char *kept = file_join(data ? data : "", "failed-service.log");

	return data && rename(path, kept) == 0 ? TAKE_PTR(kept) : NULL;
}

void service_log_hint(const struct service *s, bool keep, struct err *err)
{
	const char *text = s->log.tail.data;
	size_t end = s->log.tail.len, at, n;
	_free_ char *kept = keep ? keep_log(s) : NULL,
		    *path = words_quoted(kept ? kept : "");
	int lines = 0;

	while (end > 0 && strchr(" \t\r\n", text[end - 1]))
		end--;
	if (end == 0)
		return;
	if (kept)
		err_hint(err, "`cat %s` prints all of it; its end:", path);
	else if (!keep)
		err_hint(err,
			 "`afw logs --service %s %s` prints all of it; "
			 "its end:",
			 s->name, s->sv->spec.name);
	for (at = end; at > 0; at--)
		if (text[at - 1] == '\n' && ++lines == LINES_SHOWN)
			break;
	for (; at < end; at += n + 1) {
		n = strcspn(text + at, "\r\n");
		if (n > 0)
			err_hint_line(err, "  %.*s", (int)n, text + at);
	}
}
