/* spec.c - spec.json, read strictly and written durably. */
#include "session/spec.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/env_list.h"
#include "base/file.h"
#include "base/json.h"
#include "base/made_dir.h"
#include "base/name.h"
#include "base/random.h"
#include "session/json_member.h"

#define MEMBER(kind, member, other)                                            \
	JSON_MEMBER(spec, member, #member, kind, other)
#define STR(member)  MEMBER(STR, member, 0)
#define LIST(member) MEMBER(STRV, member, 0)
#define NUM(member)  MEMBER(INT64, member, 0)
#define BOOL(member) MEMBER(BOOL, member, 0)

static const struct json_member members[] = {
    STR(name),
    STR(repository),
    STR(checkout),
    STR(repository_name),
    STR(worktree),
    STR(worktree_id),
    MEMBER(U64, worktree_ino, 0),
    STR(branch),
    BOOL(branch_given),
    BOOL(template_home),
    STR(base),
    STR(base_commit),
    STR(harness),
    LIST(command),
    STR(backend),
    STR(sandbox),
    STR(after),
    STR(after_id),
    JSON_MEMBER(spec, template_name, "template", STR, 0),
    STR(template_from),
    STR(profile),
    STR(system_prompt),
    STR(instructions),
    STR(conversation),
    LIST(env_names),
    LIST(env_pass),
    LIST(sandbox_read),
    LIST(sandbox_ports),
    NUM(sandbox_memory),
    NUM(sandbox_cpus),
    NUM(sandbox_pids),
    BOOL(allow_degraded),
    STR(image),
    STR(network),
    LIST(dns),
    LIST(linked),
    MEMBER(VALUE, harness_config, cJSON_Object),
    MEMBER(VALUE, mcp, cJSON_Object),
    MEMBER(VALUE, bridge, cJSON_Object),
    MEMBER(VALUE, services, cJSON_Array),
    MEMBER(VALUE, approve, cJSON_Array),
    MEMBER(INT, cols, 80),
    MEMBER(INT, rows, 24),
    MEMBER(INT64, stop_timeout_ms, 5000),
    NUM(stall_after_ms),
    NUM(idle_timeout_ms),
    LIST(check),
    MEMBER(INT64, check_timeout_ms, 600000),
    NUM(check_feedback),
    NUM(check_feedback_time_ms),
    MEMBER(INT64, transcript_max_bytes, 8 << 20),
    MEMBER(INT, scrollback_lines, 2000),
    BOOL(record),
    MEMBER(TIME, created_at, 0),
    {.key = NULL}};

void spec_finish(struct spec *s)
{
	json_members_free(members, s);
	free(s->private_git);
	*s = (struct spec){0};
}

static cJSON *to_json(const struct spec *s)
{
	cJSON *o = cJSON_CreateObject();

	json_set_int(o, "v", SPEC_VERSION);
	json_set_str(o, "id", s->id);
	json_members_set(o, members, s);
	json_set_bool(o, "private_git", s->private_git != NULL);
	return o;
}

int spec_save(const struct spec *s, const char *session_dir, bool durable,
	      struct err *err)
{
	_buf_ struct buf text = {0};
	_free_ char *path = file_join(session_dir, "spec.json");
	_json_ cJSON *o = to_json(s);

	json_print(o, &text);
	buf_addc(&text, '\n');
	if (text.len > SPEC_FILE_MAX)
		return err_set(err, ERR_LIMIT,
			       "the session's specification is over %d bytes",
			       SPEC_FILE_MAX);
	return file_replace(AT_FDCWD, path, text.data, text.len, durable, err);
}

static int from_json(struct spec *s, cJSON *o, struct err *err)
{
	const char *id = json_str_or(o, "id", "");

	if (json_int(o, "v", 0) > SPEC_VERSION) {
		errno = EPROTONOSUPPORT;
		return err_set(err, ERR_FAILED,
			       "it was written by a newer afw (version %lld)",
			       (long long)json_int(o, "v", 0));
	}
	if (!random_is_hex(id, SPEC_ID_LEN))
		return err_set(err, ERR_FAILED, "it has no valid id");
	memcpy(s->id, id, SPEC_ID_LEN + 1);
	json_members_get(o, members, s);
	if (!s->name || name_check(s->name, NULL) < 0)
		return err_set(err, ERR_FAILED, "it has no valid name");
	if (!s->harness || !s->backend || !s->sandbox)
		return err_set(err, ERR_FAILED, "it is not complete");
	return 0;
}

int spec_load(struct spec *s, const char *session_dir, struct err *err)
{
	_free_ char *path = file_join(session_dir, "spec.json");
	_json_ cJSON *o = NULL;
	int rc;

	*s = (struct spec){0};
	o = json_load(AT_FDCWD, path, SPEC_FILE_MAX, err);
	rc = o ? from_json(s, o, err) : -1;
	if (o && rc < 0)
		err_prefix(err, "read %s", path);
	if (rc == 0 && json_bool(o, "private_git", false))
		s->private_git = file_join(session_dir, SPEC_GIT_DIR);
	return rc;
}

cJSON *spec_worktree_request(const struct spec *s, const char *op)
{
	cJSON *o = cJSON_CreateObject();

	json_set_str(o, "op", op);
	json_set_str(o, "repository", s->repository);
	json_set_str(o, "worktree", s->worktree);
	json_set_str(o, "worktree_id", s->worktree_id);
	json_set_str(o, "branch", s->branch);
	json_set_bool(o, "branch_given", s->branch_given);
	json_set_str(o, "base", s->base);
	json_set_str(o, "base_commit", s->base_commit);
	if (s->private_git)
		json_set_str(o, "private", s->private_git);
	if (s->worktree_ino)
		json_set_u64(o, "ino", s->worktree_ino);
	return o;
}

int spec_open_worktree(const struct spec *s, struct err *err)
{
	int parent = made_dir_parent(s->worktree, err), fd = parent, why;

	if (parent >= 0)
		fd = made_dir_open(parent, s->worktree, s->worktree_ino, err);
	why = errno;
	file_close(parent);
	if (fd < 0 && why == ENOENT) {
		err_set(err, ERR_FAILED, "its worktree %s is gone",
			s->worktree);
		err_hint(err,
			 "put it back, or mount its disk (`git worktree repair "
			 "PATH` repairs git's side of one that was moved); "
			 "otherwise `afw rm %s` removes the session",
			 s->name);
	}
	errno = why;
	return fd;
}

const char *spec_checkout(const struct spec *s)
{
	return s->checkout ? s->checkout : s->repository;
}

bool spec_has_worktree(const struct spec *s)
{
	return s->repository && s->worktree && s->worktree_id &&
	       s->worktree_ino != 0;
}

void spec_set_env(const struct spec *spec, const char *run, struct strv *env)
{
	const struct {
		const char *name, *value;
	} all[] = {
	    {"AFW_SESSION", spec->id},
	    {"AFW_WORKSPACE", spec->name},
	    {"AFW_ROLE", spec->template_name},
	    {"AFW_BRANCH", spec->branch},
	    {"AFW_REPOSITORY", spec->repository},
	    {"AFW_RUN", run},
	};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (all[i].value)
			env_set(env, all[i].name, all[i].value);
		else
			env_put(env, all[i].name);
}
