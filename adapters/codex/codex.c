/*
 * codex.c - OpenAI's Codex CLI. Everything for one session is on its command
 * line (-c), nothing in the user's configuration. It reports its state by OSC
 * 7501; hooks report the conversation's id, the start of a turn, the last
 * answer, and an interrupt.
 *
 * Codex runs a hook only if its hash is trusted. Our hooks come with their
 * hashes: --dangerously-bypass-hook-trust would also trust every hook of the
 * repository. The key and the hash are Codex's own scheme (0.169, measured): if
 * a later version changes it, Codex asks whether the hooks may be trusted, and
 * afw shows that question.
 */
#include "adapters/codex/codex.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "adapters/claude/claude.h"
#include "adapters/launch.h"
#include "adapters/mcp_file.h"
#include "adapters/registry.h"
#include "adapters/screen/menu.h"
#include "adapters/screen/rules.h"
#include "adapters/screen/text_guard.h"
#include "adapters/toml.h"
#include "base/cleanup.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/utf8.h"

/* Interrupt may take at most 3 s. */
#define HOOK_SECONDS 3

static void add_config(struct launch *out, struct buf *b)
{
	strv_add(&out->argv, "-c");
	strv_take(&out->argv, buf_steal(b));
}

/* Makes the hash by which Codex trusts one of our hooks: of
 * {"event_name":…,"hooks":[{…}]}, keys sorted, no blanks. */
static void hook_hash(const char *label, const char *command, struct buf *out)
{
	_json_ cJSON *o = cJSON_CreateObject();
	cJSON *hook = cJSON_CreateObject();
	char hex[SHA256_HEX_SIZE];
	_buf_ struct buf text = {0};

	json_set_str(o, "event_name", label);
	cJSON_AddItemToArray(json_set_array(o, "hooks"), hook);
	json_set_bool(hook, "async", false);
	json_set_str(hook, "command", command);
	json_set_int(hook, "timeout", HOOK_SECONDS);
	json_set_str(hook, "type", "command");
	json_print(o, &text);
	sha256_hex(text.data, text.len, hex);
	buf_addf(out, "sha256:%s", hex);
}

/* Appends an event's name as hashes have it: pre_tool_use. */
static void add_label(struct buf *out, const char *name)
{
	for (const char *s = name; *s; s++) {
		if (isupper((unsigned char)*s) && s > name)
			buf_addc(out, '_');
		buf_addc(out, (char)tolower((unsigned char)*s));
	}
}

/* Adds hooks.Stop=[{hooks=[{…}]}] for each, and hooks.state with their
 * hashes. */
static void add_hooks(const struct launch_request *rq, struct launch *out)
{
	_strv_ struct strv events = {0};
	struct buf state = {0};

	hook_names(rq->rules, &events);
	if (rq->hook == NULL || events.n == 0)
		return;
	buf_adds(&state, "hooks.state={");
	for (size_t i = 0; i < events.n; i++) {
		_free_ char *command = launch_hook(rq, events.v[i]);
		_buf_ struct buf hash = {0}, label = {0};
		struct buf b = {0};

		buf_addf(&b, "hooks.%s=[{hooks=[{type=\"command\",command=",
			 events.v[i]);
		toml_string(&b, command);
		buf_addf(&b, ",timeout=%d}]}]", HOOK_SECONDS);
		add_config(out, &b);
		add_label(&label, events.v[i]);
		hook_hash(label.data, command, &hash);
		buf_addf(&state,
			 "%s\"/<session-flags>/config.toml:%s:0:0\"="
			 "{trusted_hash=\"%s\"}",
			 i ? "," : "", label.data, hash.data);
	}
	buf_addc(&state, '}');
	add_config(out, &state);
}

/* Returns TOKEN of an authorization "Bearer ${TOKEN}", to be freed; else
 * NULL. */
static char *bearer(const cJSON *header)
{
	static const char front[] = "Bearer ";
	const char *value = cJSON_GetStringValue(header);

	if (!value || strcasecmp(header->string, "authorization") != 0 ||
	    strncmp(value, front, sizeof front - 1) != 0)
		return NULL;
	return mcp_file_variable(value + sizeof front - 1);
}

/* Adds the variables. False: one of them would need another name. */
static bool add_variables(const cJSON *server, cJSON *o)
{
	const cJSON *env = json_get(server, "env"), *v;
	cJSON *list = env && env->child ? json_set_array(o, "env_vars") : NULL;
	bool all = true;

	cJSON_ArrayForEach (v, env) {
		char *name = mcp_file_variable(cJSON_GetStringValue(v));

		if (name && strcmp(name, v->string) == 0)
			cJSON_AddItemToArray(list, cJSON_CreateString(name));
		else
			all = false;
		free(name);
	}
	return all;
}

/* Returns its configuration for the server, to be deleted, or NULL with why. */
static cJSON *server_config(const cJSON *server, const char **why)
{
	cJSON *o = cJSON_CreateObject();
	const char *const copied[] = {"command", "args", "url"};
	const cJSON *v;

	*why = NULL;
	for (size_t i = 0; i < 3; i++) {
		v = json_get(server, copied[i]);
		if (v)
			cJSON_AddItemToObject(o, copied[i],
					      cJSON_Duplicate(v, 1));
	}
	if (strcmp(json_str_or(server, "type", ""), "sse") == 0)
		*why = "codex does not support sse";
	if (!add_variables(server, o))
		*why = "codex passes a variable only under its own name";
	cJSON_ArrayForEach (v, json_get(server, "headers")) {
		_free_ char *token = bearer(v);
		_free_ char *name = mcp_file_variable(cJSON_GetStringValue(v));
		cJSON *table = json_get(o, "env_http_headers");

		if (token)
			json_set_str(o, "bearer_token_env_var", token);
		else if (name)
			json_set_str(
			    table ? table
				  : json_set_object(o, "env_http_headers"),
			    v->string, name);
		else
			*why = "codex accepts a header's variable only alone, "
			       "or after \"Bearer \"";
	}
	if (*why) {
		cJSON_Delete(o);
		return NULL;
	}
	return o;
}

static void add_mcp(const struct launch_request *rq, struct launch *out)
{
	_json_ cJSON *servers = launch_mcp(rq, out);
	const cJSON *s;

	cJSON_ArrayForEach (s, servers) {
		const char *why;
		_json_ cJSON *o = server_config(s, &why);
		struct buf b = {0};

		if (o) {
			buf_addf(&b, "mcp_servers.%s=", s->string);
			toml_value(&b, o);
			add_config(out, &b);
		} else {
			strv_addf(&out->degraded,
				  "MCP server %s is left out: %s", s->string,
				  why);
		}
	}
}

/* No "--last": other conversations may have begun since. */
static const struct launch_conversation conversation = {
    .resume = "resume",
    .fork = "fork",
    .record = &codex_record,
    .why_not = "has no record (no message was sent, or it was deleted)",
};

static int codex_prepare(const struct launch_request *rq, struct launch *out,
			 struct err *err)
{
	const struct spec *spec = rq->spec;
	_free_ char *worktree = launch_path(rq, spec->worktree),
		    *dir = spec_directory(spec);
	char *prompt = launch_prompt(rq);
	struct buf b = {0};

	launch_set_record_dir(
	    rq, auth_path(rq->environ_now, "CODEX_HOME", ".codex", NULL), out);
	if (launch_command(rq, "codex", out, err) != 0) {
		free(prompt);
		return -1;
	}
	launch_conversation(rq, &conversation, out);
	/* Otherwise it asks in which worktree it shall work. */
	if (rq->fork) {
		strv_add(&out->argv, "--cd");
		strv_take(&out->argv, launch_path(rq, dir));
	}
	/* Without this, codex starts a daemon that outlives the session. */
	strv_add(&out->argv, "--disable");
	strv_add(&out->argv, "daemon_auto_start");
	strv_add(&out->argv, "-c");
	strv_add(&out->argv, "check_for_update_on_startup=false");
	/* It counts each tip that it shows in the user's config.toml. */
	strv_add(&out->argv, "-c");
	strv_add(&out->argv, "tui.show_tooltips=false");
	add_hooks(rq, out);
	if (rq->trusted && spec->repository) {
		buf_adds(&b, "projects={");
		if (strcmp(worktree, spec->worktree) == 0) {
			toml_string(&b, spec->repository);
			buf_adds(&b, "={trust_level=\"trusted\"},");
		}
		/* In a sandbox no git directory leads to the repository. */
		toml_string(&b, worktree);
		buf_adds(&b, "={trust_level=\"trusted\"}}");
		add_config(out, &b);
	}
	if (prompt) {
		buf_adds(&b, "developer_instructions=");
		toml_string(&b, prompt);
		add_config(out, &b);
	}
	add_mcp(rq, out);
	free(prompt);
	if (launch_add_dirs(rq, "--add-dir={dir}", out, err) != 0)
		return -1;
	strv_copy(&out->argv, &rq->spec->command);
	return 0;
}

/*
 * Its events are those of Claude Code, in names and payloads, and one more.
 * Events of a side conversation, which cannot be resumed, are ignored: neither
 * its id nor the end of its turn is the session's. Before 0.171 it had no file;
 * now it is a fork, begun while something is in the composer's place
 * (observer.c).
 */
static bool codex_hook(const struct rules *r, const char *event,
		       const cJSON *payload, struct reading *out)
{
	if (cJSON_IsNull(json_get(payload, "transcript_path")))
		return false;
	if (strcmp(event, "Interrupt") != 0)
		return claude_hook(r, event, payload, out);
	/* the id, and that it is idle */
	claude_hook(r, "SessionStart", payload, out);
	out->interrupted = out->turn_ended = true;
	return true;
}

/* Its approvals begin below the last row of the transcript that begins at the
 * edge, and end with their menu's footer. */
static const struct menu_shape approvals = {.marker = "›",
					    .end = "Press enter to confirm",
					    .tight = true,
					    .dialog = " ",
					    .gaps = true};

/* Its pickers, such as the one that offers another model near a limit. */
static const struct menu_shape pickers = {.marker = "›",
					  .end = "enter select",
					  .tight = true,
					  .dialog = " ",
					  .gaps = true};

/* Sets the key of a limit's dialog, or of its warning, from an option of the
 * dialog only: the model can write such a row. */
static void look_limit_key(const struct rules *r, const struct screen_view *v,
			   struct screen_state *out)
{
	struct dialog d = {0};
	char key[READING_TEXT] = "";

	if (out->reading.question)
		menu_find(v, &pickers, &d);
	for (int i = 0; i < d.noptions && !key[0]; i++)
		rules_find(r, "limited_option", v->rows, d.options[i],
			   d.options[i] + 1, key, sizeof key);
	out->limit_key = key[0];
}

/* True if the row has a bar at column; of a negative one sets the first. */
static bool has_bar(const char *row, int *column)
{
	for (const char *s = row; (s = strstr(s, "│")); s++) {
		int at = utf8_width(row, (size_t)(s - row));

		*column = *column < 0 ? at : *column;
		if (at == *column)
			return true;
	}
	return false;
}

/* True if a side conversation is beside the main one (in wide terminals, since
 * 0.171): a bar divides all rows down to the composer. */
static bool is_split(const struct screen_view *v, int row)
{
	int column = -1;

	while (row >= 0 && has_bar(v->rows[row], &column))
		row--;
	return row < 0;
}

/* A menu's first row looks like a composer ("› 1. Yes"), but only the menu's
 * footer is below it. */
static void codex_read_screen(const struct rules *r,
			      const struct screen_view *v,
			      struct screen_state *out)
{
	int row =
	    rules_find(r, "composer", v->solid, 0, (int)v->nrows, NULL, 0);

	rules_read_screen(r, v, row, out);
	look_limit_key(r, v, out);
	if (out->reading.activity == ACTIVITY_IDLE)
		out->reading.activity = ACTIVITY_NONE;
	if (out->reading.question)
		menu_find(v, &approvals, &out->dialog);
	else if (row >= 0 && is_split(v, row))
		out->composer = COMPOSER_ABSENT;
}

static const struct guard guard = {
    .leading = "/!", .front = " ", .tokens = "@$"};

static const char *const programs[] = {"codex", NULL};

const struct adapter adapter_codex = {
    .name = "codex",
    .title = "Codex",
    .programs = programs,
    .install_hint = "npm install -g @openai/codex",
    .can_resume = true,
    .reports_title = true,
    .can_fork = true,
    .clear_key = "C-c",
    .prepare = codex_prepare,
    .hook = codex_hook,
    .auth = codex_auth,
    .record = &codex_record,
    .read_screen = codex_read_screen,
    .guard = &guard,
};
