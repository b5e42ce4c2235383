/*
 * claude.c - Claude Code: its command line.
 *
 * The id of the conversation is ours from the first moment (--session-id),
 * hooks come by a settings file in the session's own home (--settings), so
 * nothing of the user's configuration is written. The trust dialog goes
 * away by an environment variable that says just that and only for this
 * process (CLAUDE_CODE_SANDBOXED: it answers the trust question, permission
 * prompts stay); it is set only for a repository that the user trusts.
 */
#include "adapters/claude.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adapters/launch.h"
#include "adapters/registry.h"
#include "adapters/rules.h"
#include "base/file.h"
#include "base/json.h"
#include "base/random.h"

#define PROJECTS_MAX 5000 /* directories looked through for a transcript */

static char *projects_dir(const struct launch_request *rq)
{
	const char *config = launch_getenv(rq, "CLAUDE_CONFIG_DIR");
	const char *home = launch_getenv(rq, "HOME");

	if (config && *config)
		return file_join(config, "projects");
	return mem_printf("%s/.claude/projects", home ? home : "");
}

/* Whether projects/<any>/<id>.jsonl is there: without it --resume fails. */
static bool transcript_exists(const struct launch_request *rq, const char *id)
{
	char *dir = projects_dir(rq);
	DIR *d = opendir(dir);
	const struct dirent *e;
	bool found = false;

	for (int n = 0; d && !found && n < PROJECTS_MAX && (e = readdir(d));
	     n++) {
		char *path;

		if (e->d_name[0] == '.')
			continue;
		path = mem_printf("%s/%s/%s.jsonl", dir, e->d_name, id);
		found = access(path, R_OK) == 0;
		free(path);
	}
	if (d)
		closedir(d);
	free(dir);
	return found;
}

static cJSON *settings_new(const struct launch_request *rq)
{
	cJSON *settings = cJSON_CreateObject();
	cJSON *hooks = json_set_object(settings, "hooks");

	for (size_t i = 0; claude_events[i]; i++) {
		cJSON *list = json_set_array(hooks, claude_events[i]);
		cJSON *group = cJSON_CreateObject();
		cJSON *hook = cJSON_CreateObject();
		char *command = launch_hook(rq, claude_events[i]);

		cJSON_AddItemToArray(list, group);
		cJSON_AddItemToArray(json_set_array(group, "hooks"), hook);
		json_set_str(hook, "type", "command");
		json_set_str(hook, "command", command);
		json_set_int(hook, "timeout", 10);
		free(command);
	}
	return settings;
}

static int add_settings(const struct launch_request *rq, struct launch *out,
			struct err *err)
{
	cJSON *settings;
	char *path;

	if (rq->hook == NULL || rq->home == NULL)
		return 0;
	if (launch_has_flag(rq, "--settings")) {
		strv_add(&out->degraded,
			 "hooks are off: --settings was given; activity comes "
			 "from the terminal alone");
		return 0;
	}
	settings = settings_new(rq);
	path = launch_write(rq, "claude-settings.json", settings, err);
	cJSON_Delete(settings);
	if (path == NULL)
		return -1;
	strv_add(&out->argv, "--settings");
	strv_take(&out->argv, path);
	return 0;
}

static bool user_chose_conversation(const struct launch_request *rq)
{
	static const char *const flags[] = {"--session-id", "--resume", "-r",
					    "--continue",   "-c",	NULL};

	for (size_t i = 0; flags[i]; i++)
		if (launch_has_flag(rq, flags[i]))
			return true;
	return false;
}

static void add_conversation(const struct launch_request *rq,
			     struct launch *out)
{
	const char *id = rq->conversation;
	char uuid[RANDOM_UUID_SIZE];

	if (rq->resume && id == NULL)
		strv_add(&out->degraded, "the conversation to resume is not "
					 "known: started anew");
	else if (rq->resume && !transcript_exists(rq, id))
		strv_addf(&out->degraded,
			  "conversation %s has no transcript (no message was "
			  "sent, or it was deleted): started anew",
			  id);
	else if (rq->resume)
		out->resumed = true;

	if (out->resumed) {
		strv_add(&out->argv, "--resume");
		strv_add(&out->argv, id);
		out->conversation = mem_strdup(id);
	} else if (!user_chose_conversation(rq)) {
		random_uuid(uuid);
		strv_add(&out->argv, "--session-id");
		strv_add(&out->argv, uuid);
		out->conversation = mem_strdup(uuid);
	}
}

static int claude_prepare(const struct launch_request *rq, struct launch *out,
			  struct err *err)
{
	/* What an afw that runs inside Claude Code would pass on. */
	static const char *const inherited[] = {
	    "CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT"};

	if (launch_command(rq, "claude", out, err) != 0)
		return -1;
	add_conversation(rq, out);
	if (add_settings(rq, out, err) != 0)
		return -1;
	if (rq->spec->system_prompt && *rq->spec->system_prompt) {
		strv_add(&out->argv, "--append-system-prompt");
		strv_add(&out->argv, rq->spec->system_prompt);
	}
	launch_extra(rq, out);

	for (size_t i = 0; i < sizeof inherited / sizeof inherited[0]; i++)
		strv_add(&out->env, inherited[i]);
	/* Many at once: none of them replaces the others' program. */
	if (!launch_getenv(rq, "DISABLE_AUTOUPDATER"))
		strv_add(&out->env, "DISABLE_AUTOUPDATER=1");
	if (rq->trusted)
		strv_add(&out->env, "CLAUDE_CODE_SANDBOXED=1");
	return 0;
}

/* ✳ is idle, ◐ and ◑ are busy; without a glyph (once OSC 7501 is on) it
 * says nothing. */
static bool claude_title_says(const char *title, struct reading *out)
{
	if (strncmp(title, "✳ ", strlen("✳ ")) == 0)
		out->activity = ACTIVITY_IDLE;
	else if (strncmp(title, "◐ ", strlen("◐ ")) == 0 ||
		 strncmp(title, "◑ ", strlen("◑ ")) == 0)
		out->activity = ACTIVITY_WORKING;
	else
		return false;
	return true;
}

static const char *const programs[] = {"claude", NULL};

const struct adapter adapter_claude = {
    .name = "claude",
    .title = "Claude Code",
    .programs = programs,
    .install_hint = "npm install -g @anthropic-ai/claude-code",
    .can_resume = true,
    .enter_delay_ms = 30,
    .interrupt = "\033",
    .clear_draft = "\003",
    .ready_timeout_ms = 60000,
    .may_send_busy = true,
    .prepare = claude_prepare,
    .hook = claude_hook,
    .title_says = claude_title_says,
    .look = claude_look,
    .guard = claude_guard,
    .echoed = claude_echoed,
};
