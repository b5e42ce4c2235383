/* state_file.c - state.json: writes a state, and reads it together with the
 * values on the board. */
#include "session/state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "session/disk/board.h"

#define BOOT_ID "/proc/sys/kernel/random/boot_id" /* proc(5) */

/* Returns the id of the running kernel's boot, read once; NULL if it is
 * unknown. */
static const char *read_boot_id(void)
{
	static char id[64];
	_buf_ struct buf text = {0};

	if (!id[0] && file_read(AT_FDCWD, BOOT_ID, 256, &text, NULL) == 0 &&
	    text.len)
		snprintf(id, sizeof id, "%.*s", (int)strcspn(text.data, "\n"),
			 text.data);
	return id[0] ? id : NULL;
}

bool state_is_of_earlier_boot(const struct state *s)
{
	const char *now = s->boot_id ? read_boot_id() : NULL;

	return now && strcmp(now, s->boot_id) != 0;
}

static bool may_be_lost(enum phase p)
{
	return p == PHASE_PROVISIONING || p == PHASE_STARTING ||
	       p == PHASE_ERROR;
}

static cJSON *to_json(const struct state *s)
{
	cJSON *o = cJSON_CreateObject();

	json_set_int(o, "v", STATE_VERSION);
	if (s->lost && may_be_lost(s->phase))
		json_set_bool(o, "lost", true);
	fields_write(state_fields, FIELD_FILE, s, o);
	return o;
}

/* -- on a full disk -------------------------------------------------------- */

#define ROOM	   "state.room"
#define ROOM_BYTES 16384

int state_reserve(const char *session_dir, bool keep, struct err *err)
{
	_free_ char *path = file_join(session_dir, ROOM);
	_close_ int fd = -1;

	if (!keep) {
		unlink(path);
		return 0;
	}
	fd = file_open(AT_FDCWD, path, O_WRONLY | O_CREAT, err);
	if (fd < 0)
		return -1;
	errno = posix_fallocate(fd, 0, ROOM_BYTES);
	return errno ? err_errno(err, "write %s", path) : 0;
}

/* Writes the state into the reserved blocks, which then become the file at
 * path. */
static int write_to_room(const char *session_dir, const char *path,
			 const struct buf *text)
{
	_free_ char *room = file_join(session_dir, ROOM);
	_close_ int fd = file_open(AT_FDCWD, room, O_WRONLY, NULL);

	if (fd < 0 || file_write_all(fd, text->data, text->len) < 0 ||
	    ftruncate(fd, (off_t)text->len) < 0 || fsync(fd) < 0)
		return -1;
	return rename(room, path);
}

int state_save(struct state *s, const char *session_dir, bool durable,
	       struct err *err)
{
	_free_ char *path = file_join(session_dir, "state.json");
	_buf_ struct buf text = {0};
	_json_ cJSON *o = NULL;
	int rc;

	s->rev++;
	s->updated_at = clock_wall_ms();
	if (phase_is_live(s->phase) || s->waits)
		mem_set(&s->boot_id, read_boot_id());
	o = to_json(s);
	json_print(o, &text);
	buf_addc(&text, '\n');
	rc = file_replace(AT_FDCWD, path, text.data, text.len, durable, err);
	/* The way in which it ended must not be lost; other states will be
	 * written again. */
	if (rc < 0 && !phase_is_live(s->phase) &&
	    write_to_room(session_dir, path, &text) == 0)
		rc = 0;
	if (rc == 0)
		board_write_state(session_dir, s);
	return rc;
}

static int from_json(struct state *s, cJSON *o, struct err *err)
{
	if (json_int(o, "v", 0) > STATE_VERSION) {
		errno = EPROTONOSUPPORT;
		return err_set(err, ERR_FAILED,
			       "it was written by a newer afw (version %lld)",
			       (long long)json_int(o, "v", 0));
	}
	errno = EINVAL;
	if (json_int(o, "v", 0) < 1)
		return err_set(err, ERR_FAILED, "it has no valid version");
	if (fields_read(state_fields, FIELD_FILE, s, o, err) < 0)
		return -1;
	s->lost = may_be_lost(s->phase) && json_bool(o, "lost", false);
	return 0;
}

int state_load(struct state *s, const char *session_dir, struct err *err)
{
	_free_ char *path = file_join(session_dir, "state.json");
	_json_ cJSON *o = json_load(AT_FDCWD, path, STATE_FILE_MAX, err);
	int saved;

	state_init(s);
	if (!o)
		return -1;
	if (from_json(s, o, err) < 0) {
		saved = errno;
		err_prefix(err, "read %s", path);
		state_finish(s);
		errno = saved;
		return -1;
	}
	if (phase_is_live(s->phase))
		board_update(session_dir, s);
	if (state_is_of_earlier_boot(s))
		s->pid = s->supervisor_pid = 0;
	return 0;
}

int state_quarantine(const char *session_dir, char **path, struct err *err)
{
	_free_ char *from = file_join(session_dir, "state.json");

	*path = mem_printf("%s/state.json.corrupt-%lld", session_dir,
			   (long long)clock_wall_ms());
	return rename(from, *path) < 0 ? err_errno(err, "move %s aside", from)
				       : 0;
}
