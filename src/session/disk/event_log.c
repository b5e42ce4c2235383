/* event_log.c - the history of a session, bounded by two files. */
#include "session/disk/event_log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"

/* Writes a whole line or nothing (a full disk): a part would also spoil the
 * next line. */
static int put_line(int fd, const struct buf *line)
{
	struct stat before;
	int why;

	if (fstat(fd, &before) < 0)
		return -1;
	if (file_write_all(fd, line->data, line->len) == 0)
		return 0;
	why = errno;
	if (ftruncate(fd, before.st_size) == 0)
		errno = why;
	return -1;
}

int events_append(const char *session_dir, const char *name, cJSON *more,
		  struct err *err)
{
	_json_ cJSON *o = cJSON_CreateObject();
	cJSON *item;
	char at[CLOCK_RFC3339_SIZE];
	_buf_ struct buf line = {0};
	struct stat st;
	_free_ char *path = file_join(session_dir, EVENTS_FILE);
	_close_ int fd = -1;
	int rc = 0;

	clock_format(clock_wall_ms(), at);
	json_set_str(o, "at", at);
	json_set_str(o, "event", name);
	while (more && (item = cJSON_DetachItemFromArray(more, 0)))
		cJSON_AddItemToObject(o, item->string, item);
	json_print(o, &line);
	buf_addc(&line, '\n');
	fd = file_open(AT_FDCWD, path, O_WRONLY | O_APPEND | O_CREAT, err);
	if (fd < 0)
		rc = -1;
	else if (put_line(fd, &line) < 0)
		rc = err_errno(err, "write %s", path);
	if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > EVENTS_FILE_MAX) {
		char *old = mem_printf("%s.1", path);

		if (rename(path, old) < 0)
			rc = err_errno(err, "rename %s", path);
		free(old);
	}
	cJSON_Delete(more);
	return rc;
}
