/* state.c - state.json: what is. */
#include "session/state.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "session/disk/board.h"
#include "session/json_member.h"

#define MEMBER(kind, member, other)                                            \
	JSON_MEMBER(state, member, #member, kind, other)
#define STR(member)   MEMBER(STR, member, 0)
#define NUM(member)   MEMBER(INT, member, 0)
#define NUM64(member) MEMBER(INT64, member, 0)
#define TIME(member)  MEMBER(TIME, member, 0)
#define COUNT(member) JSON_MEMBER(state, counts.member, #member, INT64, -1)

static const struct json_member members[] = {
    NUM64(rev),
    TIME(activity_since),
    MEMBER(BOOL, unsure, 0),
    MEMBER(BOOL, waits, 0),
    STR(activity_source),
    STR(detail),
    STR(question),
    STR(question_id),
    STR(check),
    STR(check_line),
    STR(subtask),
    STR(subtask_detail),
    STR(error_reason),
    STR(run),
    MEMBER(STRV, degraded, 0),
    MEMBER(VALUE, sandbox, cJSON_Object),
    MEMBER(VALUE, services, cJSON_Array),
    STR(conversation),
    STR(boot_id),
    STR(title),
    STR(last_line),
    STR(said),
    COUNT(files_changed),
    COUNT(untracked),
    COUNT(uncommitted),
    COUNT(ahead),
    COUNT(merged),
    COUNT(lines_added),
    COUNT(lines_removed),
    NUM64(notices),
    NUM64(queued),
    NUM64(messages),
    NUM64(check_round),
    NUM64(check_rounds),
    NUM(pid),
    NUM(supervisor_pid),
    NUM(cols),
    NUM(rows),
    MEMBER(INT, exit_code, -1),
    NUM(signal),
    MEMBER(INT, slot, -1),
    NUM64(cost_micro),
    TIME(turn_at),
    TIME(created_at),
    TIME(started_at),
    TIME(ended_at),
    TIME(updated_at),
    {.key = NULL}};

#define BOOT_ID "/proc/sys/kernel/random/boot_id" /* proc(5) */

void state_init(struct state *s)
{
	*s = (struct state){
	    .exit_code = -1, .slot = -1, .counts = {-1, -1, -1, -1, -1, -1, -1}};
}

void state_finish(struct state *s)
{
	json_members_free(members, s);
	state_init(s);
}

/* Of the running kernel, read once; NULL where it does not say. */
static const char *boot_id(void)
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
	const char *now = s->boot_id ? boot_id() : NULL;

	return now && strcmp(now, s->boot_id) != 0;
}

static bool may_be_lost(enum phase p)
{
	return p == PHASE_PROVISIONING || p == PHASE_STARTING ||
	       p == PHASE_ERROR;
}

void counts_read(struct counts *n, const cJSON *answer)
{
	n->files_changed = json_int(answer, "files_changed", -1);
	n->untracked = json_int(answer, "untracked", -1);
	n->uncommitted = json_int(answer, "uncommitted", -1) + n->untracked;
	n->ahead = json_int(answer, "ahead", -1);
	n->merged = json_bool(answer, "merged", false);
	n->lines_added = json_int(answer, "lines_added", -1);
	n->lines_removed = json_int(answer, "lines_removed", -1);
}

static cJSON *to_json(const struct state *s)
{
	cJSON *o = cJSON_CreateObject();

	json_set_int(o, "v", STATE_VERSION);
	json_set_str(o, "phase", phase_name(s->phase));
	json_set_str(o, "activity", activity_name(s->activity));
	json_set_str(o, "notice", notice_name(s->notice));
	if (s->lost && may_be_lost(s->phase))
		json_set_bool(o, "lost", true);
	json_members_set(o, members, s);
	return o;
}

/* -- on a full disk -------------------------------------------------------- */

#define ROOM	   "state.room"
#define ROOM_BYTES 16384

int state_keep_room(const char *session_dir, bool keep, struct err *err)
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

/* Into the blocks that were kept, which then are the state's, at path. */
static int take_room(const char *session_dir, const char *path,
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
		mem_set(&s->boot_id, boot_id());
	o = to_json(s);
	json_print(o, &text);
	buf_addc(&text, '\n');
	rc = file_replace(AT_FDCWD, path, text.data, text.len, durable, err);
	/* How it ended must not be lost; what it does comes again. */
	if (rc < 0 && !phase_is_live(s->phase) &&
	    take_room(session_dir, path, &text) == 0)
		rc = 0;
	if (rc == 0)
		board_put_state(session_dir, s);
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
	if (json_int(o, "v", 0) < 1 ||
	    phase_parse(json_str(o, "phase"), &s->phase) < 0 ||
	    activity_parse(json_str(o, "activity"), &s->activity) < 0)
		return err_set(err, ERR_FAILED,
			       "it has no valid version, phase or activity");
	json_members_get(o, members, s);
	s->lost = may_be_lost(s->phase) && json_bool(o, "lost", false);
	if (notice_parse(json_str(o, "notice"), &s->notice) < 0)
		s->notice = NOTICE_NONE;
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
