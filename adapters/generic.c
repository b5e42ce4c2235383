/*
 * generic.c - the adapter for any command line: the user's own (afw new x --
 * CMD ARGS), or that of a [harness.NAME] section. The section's patterns
 * describe the program's screen.
 */
#include "adapters/registry.h"

#include <stdlib.h>
#include <string.h>

#include "adapters/claude/claude.h"
#include "adapters/launch.h"
#include "adapters/record.h"
#include "adapters/screen/rules.h"
#include "adapters/usage_files.h"
#include "base/cleanup.h"
#include "base/random.h"
#include "base/words.h"

/* Sets record_dir, if the section names files of conversations: the directory
 * before the first part with a star. */
static void set_record_dir(const struct launch_request *rq, struct launch *out)
{
	const char *file = rules_get(rq->rules, "conversation_file"),
		   *home = auth_env(rq->environ_now, "HOME");
	struct record_kind kind;
	size_t len;

	if (!section_record(rq->rules, &kind, &len) || (*file == '~' && !home))
		return;
	launch_set_record_dir(
	    rq,
	    *file == '~' ? mem_printf("%s%.*s", home, (int)len - 1, file + 1)
			 : mem_strndup(file, len),
	    out);
}

/* Returns the id of the newest conversation in the session's directory, to be
 * freed; NULL: there is none. */
static char *find_conversation(const struct launch_request *rq,
			       const struct launch *out)
{
	_free_ char *dir = spec_directory(rq->spec),
		    *cwd = launch_path(rq, dir);
	struct record_kind kind;
	size_t len;

	return section_record(rq->rules, &kind, &len)
		   ? record_newest(&kind, out->record_dir, cwd,
				   rq->spec->created_at, NULL)
		   : NULL;
}

static int add_resume(const struct launch_request *rq, struct launch *out,
		      struct err *err)
{
	const char *template = rules_get(rq->rules, "resume");
	_free_ char *newest = template ? find_conversation(rq, out) : NULL;
	const char *id = newest ? newest : rq->conversation;

	if (template == NULL) {
		out->why_fresh = mem_printf("%s cannot resume a conversation",
					    rq->spec->harness);
		return 0;
	}
	if (strstr(template, "{conversation}") && (id == NULL || !*id)) {
		out->why_fresh = mem_strdup("its conversation is not known");
		return 0;
	}
	out->resumed = true;
	out->conversation = TAKE_PTR(newest);
	return launch_template(template, "conversation", id ? id : "", out,
			       err);
}

/* Adds the arguments that begin a conversation with an id of ours, unless the
 * user's own have one. */
static int add_start(const struct launch_request *rq, struct launch *out,
		     struct err *err)
{
	const char *template = rules_get(rq->rules, "start");
	char uuid[RANDOM_UUID_SIZE];
	_strv_ struct strv words = {0};

	if (template == NULL)
		return 0;
	if (words_split(template, &words, err) != 0)
		return -1;
	if (words.n > 0 && launch_has_flag(rq, words.v[0]))
		return 0;
	random_uuid(uuid);
	out->conversation = mem_strdup(uuid);
	return launch_template(template, "new_conversation", uuid, out, err);
}

/* Returns the section's arguments for key; reports what cannot be passed
 * without them. */
static const char *template_of(const struct launch_request *rq, const char *key,
			       const char *what, struct launch *out)
{
	const char *template = rules_get(rq->rules, key);

	if (template == NULL)
		strv_addf(&out->degraded,
			  "%s takes no %s: not given; if it does, %s in "
			  "[harness.%s] says how (afw-adapters(5))",
			  rq->spec->harness, what, key, rq->spec->harness);
	return template;
}

/* Adds text to argv, or if file is not NULL a file of that name with it. */
static int add_text(const struct launch_request *rq, const char *key,
		    const char *what, const char *text, const char *file,
		    struct launch *out, struct err *err)
{
	const char *template =
	    text && *text ? template_of(rq, key, what, out) : NULL;
	char *path = NULL;
	int rc;

	if (template == NULL)
		return 0;
	if (file && !(path = launch_write(rq, file, text, err)))
		return -1;
	rc = launch_template(template, key, path ? path : text, out, err);
	free(path);
	return rc;
}

static int add_mcp(const struct launch_request *rq, struct launch *out,
		   struct err *err)
{
	const cJSON *servers = rq->spec->mcp;
	const char *template = servers && servers->child
				   ? template_of(rq, "mcp", "MCP servers", out)
				   : NULL;

	return template ? launch_add_mcp(rq, template, out, err) : 0;
}

static int add_dirs(const struct launch_request *rq, struct launch *out,
		    struct err *err)
{
	bool named = strcmp(rq->spec->harness, "generic") != 0;
	const char *template =
	    rq->spec->with && named
		? template_of(rq, "add_dir", "other directories", out)
		: NULL;

	return template ? launch_add_dirs(rq, template, out, err) : 0;
}

/* Writes the settings file of a section that has one, with its hooks. */
static int add_settings(const struct launch_request *rq, struct launch *out,
			struct err *err)
{
	const char *text = rules_get(rq->rules, "settings_json");
	_json_ cJSON *settings =
	    text ? cJSON_Parse(text) : cJSON_CreateObject();
	bool any = text || rules_get(rq->rules, "hook_prompt");

	return any ? launch_add_settings(rq, settings, 0, out, err) : 0;
}

static int generic_prepare(const struct launch_request *rq, struct launch *out,
			   struct err *err)
{
	const struct spec *spec = rq->spec;
	bool whole =
	    strcmp(spec->harness, "generic") == 0 && spec->command.n > 0;

	set_record_dir(rq, out);
	if (rq->resume && add_resume(rq, out, err) != 0)
		return -1;
	if (!out->resumed && !whole &&
	    (launch_command(rq, NULL, out, err) != 0 ||
	     add_start(rq, out, err) != 0))
		return -1;
	/* whole: the command itself, unless resume has replaced it. */
	if (whole && !out->resumed)
		strv_copy(&out->argv, &rq->spec->command);
	if (add_text(rq, "system_prompt", "system prompt", spec->system_prompt,
		     NULL, out, err) != 0 ||
	    add_text(rq, "instructions", "instructions", spec->instructions,
		     "instructions.md", out, err) != 0 ||
	    add_dirs(rq, out, err) != 0 || add_mcp(rq, out, err) != 0 ||
	    add_settings(rq, out, err) != 0)
		return -1;
	if (!whole)
		strv_copy(&out->argv, &rq->spec->command);
	if (out->argv.n == 0) {
		err_set(err, ERR_USAGE, "harness %s has no command",
			spec->harness);
		return err_hint(
		    err,
		    "`afw new NAME -- COMMAND`, or command = in [harness.%s]",
		    spec->harness);
	}
	return 0;
}

#define GENERIC                                                                \
	.name = "generic", .title = "any command", .interrupt = "\003",        \
	.prepare = generic_prepare

const struct adapter adapter_generic = {GENERIC};

/* The same for a section with hooks. */
const struct adapter adapter_hooked = {
    GENERIC,
    .hook = claude_hook,
    .reports_ends = true,
};
