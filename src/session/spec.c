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
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/json_member.h"
#include "base/made_dir.h"
#include "base/name.h"
#include "base/random.h"
#include "session/board.h"

/* The plain string members: one table for reading, writing and freeing. */
static const struct json_member strings[] = {
    {"name", offsetof(struct spec, name)},
    {"repository", offsetof(struct spec, repository)},
    {"repository_name", offsetof(struct spec, repository_name)},
    {"worktree", offsetof(struct spec, worktree)},
    {"worktree_id", offsetof(struct spec, worktree_id)},
    {"branch", offsetof(struct spec, branch)},
    {"base", offsetof(struct spec, base)},
    {"base_commit", offsetof(struct spec, base_commit)},
    {"harness", offsetof(struct spec, harness)},
    {"backend", offsetof(struct spec, backend)},
    {"sandbox", offsetof(struct spec, sandbox)},
    {"profile", offsetof(struct spec, profile)},
    {"template", offsetof(struct spec, template_name)},
    {"system_prompt", offsetof(struct spec, system_prompt)},
    {"instructions", offsetof(struct spec, instructions)},
    {"conversation", offsetof(struct spec, conversation)},
    {"image", offsetof(struct spec, image)},
    {"network", offsetof(struct spec, network)},
    {NULL, 0},
};

void spec_finish(struct spec *s)
{
	json_strings_free(strings, s);
	free(s->private_git);
	strv_finish(&s->command);
	strv_finish(&s->env_names);
	strv_finish(&s->env_pass);
	strv_finish(&s->sandbox_read);
	strv_finish(&s->sandbox_ports);
	strv_finish(&s->dns);
	strv_finish(&s->check);
	strv_finish(&s->linked);
	cJSON_Delete(s->harness_config);
	cJSON_Delete(s->mcp);
	cJSON_Delete(s->services);
	*s = (struct spec){0};
}

static cJSON *to_json(const struct spec *s)
{
	cJSON *o = cJSON_CreateObject();
	char at[CLOCK_RFC3339_SIZE];

	json_set_int(o, "v", SPEC_VERSION);
	json_set_str(o, "id", s->id);
	json_strings_set(o, strings, s);
	json_set_u64(o, "worktree_ino", s->worktree_ino);
	json_set_bool(o, "branch_given", s->branch_given);
	json_set_strv(o, "command", &s->command);
	json_set_strv(o, "env_names", &s->env_names);
	json_set_strv(o, "env_pass", &s->env_pass);
	json_set_strv(o, "sandbox_read", &s->sandbox_read);
	json_set_strv(o, "sandbox_ports", &s->sandbox_ports);
	json_set_strv(o, "dns", &s->dns);
	json_set_strv(o, "linked", &s->linked);
	json_set_int(o, "sandbox_memory", s->sandbox_memory);
	json_set_int(o, "sandbox_cpus", s->sandbox_cpus);
	json_set_int(o, "sandbox_pids", s->sandbox_pids);
	json_set_bool(o, "allow_degraded", s->allow_degraded);
	json_set_bool(o, "private_git", s->private_git != NULL);
	if (s->harness_config)
		cJSON_AddItemToObject(o, "harness_config",
				      cJSON_Duplicate(s->harness_config, 1));
	if (s->mcp)
		cJSON_AddItemToObject(o, "mcp", cJSON_Duplicate(s->mcp, 1));
	if (s->services)
		cJSON_AddItemToObject(o, "services",
				      cJSON_Duplicate(s->services, 1));
	json_set_int(o, "cols", s->cols);
	json_set_int(o, "rows", s->rows);
	json_set_int(o, "stop_timeout_ms", s->stop_timeout_ms);
	json_set_int(o, "stall_after_ms", s->stall_after_ms);
	json_set_int(o, "idle_timeout_ms", s->idle_timeout_ms);
	json_set_strv(o, "check", &s->check);
	json_set_int(o, "check_timeout_ms", s->check_timeout_ms);
	json_set_int(o, "check_feedback", s->check_feedback);
	json_set_int(o, "check_feedback_time_ms", s->check_feedback_time_ms);
	json_set_int(o, "transcript_max_bytes", s->transcript_max_bytes);
	json_set_int(o, "scrollback_lines", s->scrollback_lines);
	json_set_bool(o, "record", s->record);
	clock_format(s->created_at, at);
	json_set_str(o, "created_at", at);
	return o;
}

int spec_save(const struct spec *s, const char *session_dir, bool durable,
	      struct err *err)
{
	struct buf text = {0};
	char *path = file_join(session_dir, "spec.json");
	cJSON *o = to_json(s);
	int rc;

	json_print(o, &text);
	buf_addc(&text, '\n');
	if (text.len > SPEC_FILE_MAX)
		rc = err_set(err, ERR_LIMIT,
			     "the session's specification is over %d bytes",
			     SPEC_FILE_MAX);
	else
		rc = file_replace(AT_FDCWD, path, text.data, text.len, durable,
				  err);
	if (rc == 0)
		board_put_spec(session_dir, s);
	free(path);
	buf_finish(&text);
	cJSON_Delete(o);
	return rc;
}

static int from_json(struct spec *s, const cJSON *o, struct err *err)
{
	const char *id = json_str_or(o, "id", "");
	const cJSON *config;

	if (json_int(o, "v", 0) > SPEC_VERSION) {
		errno = EPROTONOSUPPORT;
		return err_set(err, ERR_FAILED,
			       "it was written by a newer afw (version %lld)",
			       (long long)json_int(o, "v", 0));
	}
	if (!random_is_hex(id, SPEC_ID_LEN))
		return err_set(err, ERR_FAILED, "it has no valid id");
	memcpy(s->id, id, SPEC_ID_LEN + 1);
	json_strings_get(o, strings, s);
	if (!s->name || name_check(s->name, NULL) < 0)
		return err_set(err, ERR_FAILED, "it has no valid name");
	if (!s->harness || !s->backend || !s->sandbox)
		return err_set(err, ERR_FAILED, "it is not complete");
	s->worktree_ino = json_u64(o, "worktree_ino", 0);
	s->branch_given = json_bool(o, "branch_given", false);
	json_strv(o, "command", &s->command);
	json_strv(o, "env_names", &s->env_names);
	json_strv(o, "env_pass", &s->env_pass);
	json_strv(o, "sandbox_read", &s->sandbox_read);
	json_strv(o, "sandbox_ports", &s->sandbox_ports);
	json_strv(o, "dns", &s->dns);
	json_strv(o, "linked", &s->linked);
	s->sandbox_memory = json_int(o, "sandbox_memory", 0);
	s->sandbox_cpus = json_int(o, "sandbox_cpus", 0);
	s->sandbox_pids = json_int(o, "sandbox_pids", 0);
	s->allow_degraded = json_bool(o, "allow_degraded", false);
	config = cJSON_GetObjectItemCaseSensitive(o, "harness_config");
	if (cJSON_IsObject(config))
		s->harness_config = cJSON_Duplicate(config, 1);
	config = cJSON_GetObjectItemCaseSensitive(o, "mcp");
	if (cJSON_IsObject(config))
		s->mcp = cJSON_Duplicate(config, 1);
	config = cJSON_GetObjectItemCaseSensitive(o, "services");
	if (cJSON_IsArray(config))
		s->services = cJSON_Duplicate(config, 1);
	s->cols = (int)json_int(o, "cols", 80);
	s->rows = (int)json_int(o, "rows", 24);
	s->stop_timeout_ms = json_int(o, "stop_timeout_ms", 5000);
	s->stall_after_ms = json_int(o, "stall_after_ms", 0);
	s->idle_timeout_ms = json_int(o, "idle_timeout_ms", 0);
	json_strv(o, "check", &s->check);
	s->check_timeout_ms = json_int(o, "check_timeout_ms", 600000);
	s->check_feedback = json_int(o, "check_feedback", 0);
	s->check_feedback_time_ms = json_int(o, "check_feedback_time_ms", 0);
	s->transcript_max_bytes = json_int(o, "transcript_max_bytes", 8 << 20);
	s->scrollback_lines = (int)json_int(o, "scrollback_lines", 2000);
	s->record = json_bool(o, "record", false);
	s->created_at = clock_parse(json_str_or(o, "created_at", ""));
	return 0;
}

int spec_load(struct spec *s, const char *session_dir, struct err *err)
{
	char *path = file_join(session_dir, "spec.json");
	cJSON *o;
	int rc;

	*s = (struct spec){0};
	o = json_load(AT_FDCWD, path, SPEC_FILE_MAX, err);
	rc = o ? from_json(s, o, err) : -1;
	if (o && rc < 0)
		err_prefix(err, "read %s", path);
	if (rc == 0 && json_bool(o, "private_git", false))
		s->private_git = file_join(session_dir, SPEC_GIT_DIR);
	cJSON_Delete(o);
	free(path); /* errno stays: free(3) */
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
			 "put it back, or mount its disk (git worktree repair "
			 "PATH mends git's side of one that was moved); else: "
			 "afw rm %s",
			 s->name);
	}
	errno = why;
	return fd;
}

bool spec_has_worktree(const struct spec *s)
{
	return s->repository && s->worktree && s->worktree_id &&
	       s->worktree_ino != 0;
}
