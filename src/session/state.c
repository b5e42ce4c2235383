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
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/json_member.h"
#include "session/board.h"

static const struct json_member strings[] = {
    {"activity_source", offsetof(struct state, activity_source)},
    {"detail", offsetof(struct state, detail)},
    {"question", offsetof(struct state, question)},
    {"question_id", offsetof(struct state, question_id)},
    {"check", offsetof(struct state, check)},
    {"check_line", offsetof(struct state, check_line)},
    {"error_reason", offsetof(struct state, error_reason)},
    {"run", offsetof(struct state, run)},
    {"conversation", offsetof(struct state, conversation)},
    {"boot_id", offsetof(struct state, boot_id)},
    {"title", offsetof(struct state, title)},
    {"last_line", offsetof(struct state, last_line)},
    {NULL, 0},
};

static const struct json_member times[] = {
    {"activity_since", offsetof(struct state, activity_since)},
    {"created_at", offsetof(struct state, created_at)},
    {"started_at", offsetof(struct state, started_at)},
    {"ended_at", offsetof(struct state, ended_at)},
    {"updated_at", offsetof(struct state, updated_at)},
    {NULL, 0},
};

static const struct json_member counts[] = {
    {"files_changed", offsetof(struct counts, files_changed)},
    {"untracked", offsetof(struct counts, untracked)},
    {"uncommitted", offsetof(struct counts, uncommitted)},
    {"ahead", offsetof(struct counts, ahead)},
    {"lines_added", offsetof(struct counts, lines_added)},
    {"lines_removed", offsetof(struct counts, lines_removed)},
    {NULL, 0},
};

#define BOOT_ID "/proc/sys/kernel/random/boot_id" /* proc(5) */

void state_init(struct state *s)
{
	*s = (struct state){.exit_code = -1, .slot = -1};
	for (const struct json_member *m = counts; m->key; m++)
		*json_int_at(&s->counts, m) = -1;
}

void state_finish(struct state *s)
{
	json_strings_free(strings, s);
	strv_finish(&s->degraded);
	cJSON_Delete(s->sandbox);
	cJSON_Delete(s->services);
	state_init(s);
}

void state_set(char **member, const char *value)
{
	char *copy = mem_strdup(value);

	free(*member);
	*member = copy;
}

/* Of the running kernel, read once; NULL where it does not say. */
static const char *boot_id(void)
{
	static char id[64];
	struct buf text = {0};

	if (!id[0] && file_read(AT_FDCWD, BOOT_ID, 256, &text, NULL) == 0 &&
	    text.len)
		snprintf(id, sizeof id, "%.*s", (int)strcspn(text.data, "\n"),
			 text.data);
	buf_finish(&text);
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

static cJSON *to_json(const struct state *s)
{
	cJSON *o = cJSON_CreateObject();
	char text[CLOCK_RFC3339_SIZE];

	json_set_int(o, "v", STATE_VERSION);
	json_set_int(o, "rev", s->rev);
	json_set_str(o, "phase", phase_name(s->phase));
	json_set_str(o, "activity", activity_name(s->activity));
	json_strings_set(o, strings, s);
	if (s->unsure)
		json_set_bool(o, "unsure", true);
	if (s->lost && may_be_lost(s->phase))
		json_set_bool(o, "lost", true);
	json_set_strv(o, "degraded", &s->degraded);
	if (s->sandbox)
		cJSON_AddItemToObject(o, "sandbox",
				      cJSON_Duplicate(s->sandbox, 1));
	if (s->services)
		cJSON_AddItemToObject(o, "services",
				      cJSON_Duplicate(s->services, 1));
	for (const struct json_member *m = counts; m->key; m++)
		json_set_int(o, m->key, json_int_of(&s->counts, m));
	json_set_str(o, "notice", notice_name(s->notice));
	json_set_int(o, "notices", s->notices);
	json_set_int(o, "queued", s->queued);
	json_set_int(o, "messages", s->messages);
	json_set_int(o, "check_round", s->check_round);
	json_set_int(o, "check_rounds", s->check_rounds);
	json_set_int(o, "pid", s->pid);
	json_set_int(o, "supervisor_pid", s->supervisor_pid);
	json_set_int(o, "cols", s->cols);
	json_set_int(o, "rows", s->rows);
	json_set_int(o, "exit_code", s->exit_code);
	json_set_int(o, "signal", s->signal);
	json_set_int(o, "slot", s->slot);
	for (const struct json_member *m = times; m->key; m++) {
		int64_t at = json_int_of(s, m);

		if (at > 0) {
			clock_format(at, text);
			json_set_str(o, m->key, text);
		}
	}
	return o;
}

/* -- on a full disk -------------------------------------------------------- */

#define ROOM	   "state.room"
#define ROOM_BYTES 16384

int state_keep_room(const char *session_dir, bool keep, struct err *err)
{
	char *path = file_join(session_dir, ROOM);
	int fd = -1, rc = 0;

	if (!keep) {
		unlink(path);
	} else {
		fd = file_open(AT_FDCWD, path, O_WRONLY | O_CREAT, err);
		errno = fd < 0 ? 0 : posix_fallocate(fd, 0, ROOM_BYTES);
		if (fd < 0 || errno)
			rc = fd < 0 ? -1 : err_errno(err, "write %s", path);
		file_close(fd);
	}
	free(path);
	return rc;
}

/* Into the blocks that were kept, which then are the state's, at path. */
static int take_room(const char *session_dir, const char *path,
		     const struct buf *text)
{
	char *room = file_join(session_dir, ROOM);
	int fd = file_open(AT_FDCWD, room, O_WRONLY, NULL), rc = -1;

	if (fd >= 0 && file_write_all(fd, text->data, text->len) == 0 &&
	    ftruncate(fd, (off_t)text->len) == 0 && fsync(fd) == 0)
		rc = rename(room, path);
	file_close(fd);
	free(room);
	return rc;
}

int state_save(struct state *s, const char *session_dir, bool durable,
	       struct err *err)
{
	char *path = file_join(session_dir, "state.json");
	struct buf text = {0};
	cJSON *o;
	int rc;

	s->rev++;
	s->updated_at = clock_wall_ms();
	if (phase_is_live(s->phase))
		state_set(&s->boot_id, boot_id());
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
	free(path);
	cJSON_Delete(o);
	buf_finish(&text);
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
	s->rev = json_int(o, "rev", 0);
	json_strings_get(o, strings, s);
	s->unsure = json_bool(o, "unsure", false);
	s->lost = may_be_lost(s->phase) && json_bool(o, "lost", false);
	json_strv(o, "degraded", &s->degraded);
	s->sandbox = cJSON_DetachItemFromObjectCaseSensitive(o, "sandbox");
	s->services = cJSON_DetachItemFromObjectCaseSensitive(o, "services");
	for (const struct json_member *m = counts; m->key; m++)
		*json_int_at(&s->counts, m) = json_int(o, m->key, -1);
	s->notices = json_int(o, "notices", 0);
	if (notice_parse(json_str(o, "notice"), &s->notice) < 0)
		s->notice = NOTICE_NONE;
	s->queued = json_int(o, "queued", 0);
	s->messages = json_int(o, "messages", 0);
	s->check_round = json_int(o, "check_round", 0);
	s->check_rounds = json_int(o, "check_rounds", 0);
	s->pid = (pid_t)json_int(o, "pid", 0);
	s->supervisor_pid = (pid_t)json_int(o, "supervisor_pid", 0);
	s->cols = (int)json_int(o, "cols", 0);
	s->rows = (int)json_int(o, "rows", 0);
	s->exit_code = (int)json_int(o, "exit_code", -1);
	s->signal = (int)json_int(o, "signal", 0);
	s->slot = (int)json_int(o, "slot", -1);
	for (const struct json_member *m = times; m->key; m++) {
		const char *text = json_str(o, m->key);

		if (text)
			*json_int_at(s, m) = clock_parse(text);
	}
	return 0;
}

int state_load(struct state *s, const char *session_dir, struct err *err)
{
	char *path = file_join(session_dir, "state.json");
	cJSON *o;
	int rc, saved;

	state_init(s);
	o = json_load(AT_FDCWD, path, STATE_FILE_MAX, err);
	rc = o ? from_json(s, o, err) : -1;
	saved = errno;
	if (o && rc < 0)
		err_prefix(err, "read %s", path);
	if (rc < 0) {
		state_finish(s);
	} else {
		if (phase_is_live(s->phase))
			board_update(session_dir, s);
		if (state_is_of_earlier_boot(s))
			s->pid = s->supervisor_pid = 0;
	}
	cJSON_Delete(o);
	free(path);
	errno = saved;
	return rc;
}

int state_quarantine(const char *session_dir, char **path, struct err *err)
{
	char *from = file_join(session_dir, "state.json");
	int rc = 0;

	*path = mem_printf("%s/state.json.corrupt-%lld", session_dir,
			   (long long)clock_wall_ms());
	if (rename(from, *path) < 0)
		rc = err_errno(err, "move %s aside", from);
	free(from);
	return rc;
}
