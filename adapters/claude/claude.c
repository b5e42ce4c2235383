/*
 * claude.c - Claude Code: its command line.
 *
 * afw chooses the id of the conversation (--session-id), and hooks are in a
 * settings file in the session's own home (--settings), so the user's
 * configuration is not changed. An environment variable answers the trust
 * dialog, for this process only (CLAUDE_CODE_SANDBOXED; permission prompts
 * stay); it is set only for a repository that the user trusts.
 */
#include "adapters/claude/claude.h"

#include <stdlib.h>
#include <string.h>

#include "adapters/launch.h"
#include "adapters/registry.h"
#include "adapters/screen/text_guard.h"
#include "base/cleanup.h"
#include "base/json.h"
#include "base/utf8.h"

/* afw's own tools run without a question: the user's configuration selects
 * them. */
static int add_settings(const struct launch_request *rq, struct launch *out,
			struct err *err)
{
	_json_ cJSON *settings = cJSON_CreateObject();

	if (rq->spec->bridge)
		cJSON_AddItemToArray(
		    json_set_array(json_set_object(settings, "permissions"),
				   "allow"),
		    cJSON_CreateString("mcp__" LAUNCH_BRIDGE));
	return launch_add_settings(rq, settings, 10 /* s */, out, err);
}

static const char *const conversation_flags[] = {
    "--session-id", "--resume", "-r", "--continue", "-c", NULL};

static const struct launch_conversation conversation = {
    .resume = "--resume",
    .fresh = "--session-id",
    .fork_flag = "--fork-session",
    .flags = conversation_flags,
    .record = &claude_record,
    .why_not = "has no transcript (no message was sent, or it was deleted)",
};

static int claude_prepare(const struct launch_request *rq, struct launch *out,
			  struct err *err)
{
	/* Variables that an afw inside Claude Code would pass on. */
	static const char *const inherited[] = {
	    "CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT"};
	char *prompt;

	if (launch_command(rq, "claude", out, err) != 0)
		return -1;
	launch_set_record_dir(
	    rq,
	    auth_path(rq->environ_now, "CLAUDE_CONFIG_DIR", ".claude", NULL),
	    out);
	launch_conversation(rq, &conversation, out);
	/* It inserts "${NAME}" itself, from its environment. The user's and the
	 * project's own servers stay. With '=': it accepts any number of files
	 * after the flag. */
	if (add_settings(rq, out, err) != 0 ||
	    launch_add_dirs(rq, "--add-dir={dir}", out, err) != 0 ||
	    launch_add_mcp(rq, "--mcp-config={mcp}", out, err) != 0)
		return -1;
	prompt = launch_prompt(rq);
	if (prompt) {
		strv_add(&out->argv, "--append-system-prompt");
		strv_take(&out->argv, prompt);
	}
	strv_copy(&out->argv, &rq->spec->command);

	for (size_t i = 0; i < sizeof inherited / sizeof inherited[0]; i++)
		strv_add(&out->env, inherited[i]);
	/* Many may run at once: none of them replaces the program of the
	 * others. */
	if (!environ_get(rq->environ_now, "DISABLE_AUTOUPDATER"))
		strv_add(&out->env, "DISABLE_AUTOUPDATER=1");
	if (rq->trusted)
		strv_add(&out->env, "CLAUDE_CODE_SANDBOXED=1");
	return 0;
}

/* The words that exit. */
static const char *const leaving[] = {"exit", "quit", ":q", ":q!",
				      ":wq",  ":wq!", NULL};

/*
 * Measured with 2.1.329: it trims the text before it reads it, so a leading
 * blank or newline hides neither a command that it knows nor the words that
 * exit. It does not read text that it shows collapsed ("[Pasted text #1 +4
 * lines]": from three newlines on): newlines are appended to such messages. For
 * `!` a leading newline is enough. A trailing backslash would turn Enter into a
 * newline, and of a trailing ":name" make an emoji: a space after it prevents
 * that. It removes some invisible characters
 * itself, and then waits for a second Enter: they are removed here.
 */
static const struct guard guard = {.leading = "/!#",
				   .front = "\n",
				   .backslash = true,
				   .tokens = ":",
				   .drops = utf8_cp_unsafe,
				   .commands = true,
				   .words = leaving,
				   .behind = "\n\n\n\n"};

static const char *const programs[] = {"claude", NULL};

const struct adapter adapter_claude = {
    .name = "claude",
    .title = "Claude Code",
    .programs = programs,
    .install_hint = "npm install -g @anthropic-ai/claude-code",
    .can_resume = true,
    .reports_title = true,
    .can_fork = true,
    .quiet_start = true,
    .prepare = claude_prepare,
    .reports_ends = true,
    .hook = claude_hook,
    .auth = claude_auth,
    .record = &claude_record,
    .read_screen = claude_read_screen,
    .guard = &guard,
    .echoed = claude_echoed,
};
