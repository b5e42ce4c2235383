/*
 * opencode.c - OpenCode: its command line and its screen. Its title reports
 * nothing; our plugin in it does (share/adapters/opencode-plugin.js).
 */
#include "adapters/opencode/opencode.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/launch.h"
#include "adapters/registry.h"
#include "adapters/screen/echo.h"
#include "adapters/screen/rules.h"
#include "adapters/screen/text_guard.h"
#include "base/cleanup.h"
#include "base/json.h"
#include "wire/program.h"

#define CONFIG "OPENCODE_CONFIG_CONTENT"

/* Returns value with "${NAME}" in its configuration's form, to be freed. */
static char *variables(const char *value)
{
	struct buf out = {0};
	const char *open, *end;

	while ((open = strstr(value, "${")) && (end = strchr(open, '}'))) {
		buf_add(&out, value, (size_t)(open - value));
		buf_addf(&out, "{env:%.*s}", (int)(end - open - 2), open + 2);
		value = end + 1;
	}
	buf_adds(&out, value);
	return buf_steal(&out);
}

static void copy_values(const cJSON *from, cJSON *to, const char *key)
{
	cJSON *list = from ? json_set_object(to, key) : NULL;

	for (const cJSON *v = from ? from->child : NULL; v; v = v->next) {
		_free_ char *value = variables(v->valuestring);

		json_set_str(list, v->string, value);
	}
}

/* Returns one server in OpenCode's own form. */
static cJSON *server_new(const cJSON *server)
{
	const char *url = json_str(server, "url");
	cJSON *o = cJSON_CreateObject(), *command, *args;

	json_set_str(o, "type", url ? "remote" : "local");
	json_set_bool(o, "enabled", true);
	if (url) {
		json_set_str(o, "url", url);
		copy_values(json_get(server, "headers"), o, "headers");
		return o;
	}
	command = json_set_array(o, "command");
	cJSON_AddItemToArray(
	    command, cJSON_CreateString(json_str_or(server, "command", "")));
	args = json_get(server, "args");
	for (const cJSON *a = args ? args->child : NULL; a; a = a->next)
		cJSON_AddItemToArray(command,
				     cJSON_CreateString(a->valuestring));
	copy_values(json_get(server, "env"), o, "environment");
	return o;
}

/* Returns the variable of the configuration, which a fork may call otherwise.
 */
static const char *variable(const struct launch_request *rq)
{
	const char *name = rules_get(rq->rules, "config_env");

	return name ? name : CONFIG;
}

/* Returns the configuration's member, made if it is missing. If the user's own
 * has another type, it is left alone: returns NULL and reports what is lost. */
static cJSON *member(const struct launch_request *rq, cJSON *config,
		     const char *name, bool array, const char *lost,
		     struct launch *out)
{
	cJSON *m = json_get(config, name);

	if (!m)
		return array ? json_set_array(config, name)
			     : json_set_object(config, name);
	if (array ? cJSON_IsArray(m) : cJSON_IsObject(m))
		return m;
	strv_addf(&out->degraded, "%s: \"%s\" is not %s: %s", variable(rq),
		  name, array ? "a list" : "an object", lost);
	return NULL;
}

static void add_mcp(const struct launch_request *rq, struct launch *out,
		    cJSON *config)
{
	_json_ cJSON *servers = launch_mcp(rq, out);
	cJSON *mcp;

	if (!servers)
		return;
	mcp =
	    member(rq, config, "mcp", false, "MCP servers are not given", out);
	if (!mcp)
		return;
	for (const cJSON *s = servers->child; s; s = s->next) {
		cJSON_DeleteItemFromObjectCaseSensitive(mcp, s->string);
		cJSON_AddItemToObject(mcp, s->string, server_new(s));
	}
}

static int add_prompt(const struct launch_request *rq, struct launch *out,
		      cJSON *config, struct err *err)
{
	_free_ char *prompt = launch_prompt(rq);
	cJSON *list;
	char *path;

	if (!prompt)
		return 0;
	list = member(rq, config, "instructions", true,
		      "instructions are not given", out);
	if (!list)
		return 0;
	path = launch_write(rq, "opencode-instructions.md", prompt, err);
	if (!path)
		return -1;
	cJSON_AddItemToArray(list, cJSON_CreateString(path));
	free(path);
	return 0;
}

/* Returns "file:///…", with other characters as %XX; to be freed. */
static char *file_url(const char *path)
{
	struct buf out = {0};

	buf_adds(&out, "file://");
	for (const char *s = path; *s; s++)
		if (isalnum((unsigned char)*s) || strchr("/-._~", *s))
			buf_addc(&out, *s);
		else
			buf_addf(&out, "%%%02X", (unsigned char)*s);
	return buf_steal(&out);
}

/* Returns the user's own configuration, for additions. NULL: it cannot be
 * read. */
static cJSON *users_config(const struct launch_request *rq)
{
	const char *text = environ_get(rq->environ_now, variable(rq));

	return text && *text ? json_parse_object(text, strlen(text), NULL)
			     : cJSON_CreateObject();
}

static void add_plugin(const struct launch_request *rq, struct launch *out,
		       cJSON *config)
{
	_free_ char *file = NULL, *path = NULL, *url = NULL;
	cJSON *plugins;

	if (!rq->hook || !rq->door)
		return;
	if (launch_has_flag(rq, "--pure")) {
		strv_add(&out->degraded,
			 "hooks are off: --pure was given; activity comes "
			 "from the terminal alone");
		return;
	}
	plugins = member(rq, config, "plugin", true,
			 "hooks are off; activity comes from the terminal "
			 "alone",
			 out);
	if (!plugins)
		return;
	file = program_share("adapters/opencode-plugin.js");
	path = launch_path(rq, file);
	url = file_url(path);
	cJSON_AddItemToArray(plugins, cJSON_CreateString(url));
	strv_addf(&out->env, "AF_OPENCODE_DOOR=%s", rq->door);
	/* Before it loads a plugin, OpenCode runs npm to fetch its plugins'
	 * library, if that is missing: offline that took 70 s. The plugin
	 * unsets these two again. */
	if (!environ_get(rq->environ_now, "npm_config_fetch_retries"))
		strv_add(&out->env, "npm_config_fetch_retries=0");
	if (!environ_get(rq->environ_now, "npm_config_fetch_timeout"))
		strv_add(&out->env, "npm_config_fetch_timeout=20000");
}

/*
 * Adds a configuration in the environment, which OpenCode merges into the
 * user's own and the project's: their plugins, servers and instructions stay.
 */
static int add_config(const struct launch_request *rq, struct launch *out,
		      struct err *err)
{
	cJSON *config = users_config(rq);
	_buf_ struct buf text = {0};

	if (!config) {
		strv_addf(&out->degraded,
			  "%s is not plain JSON: hooks are off, "
			  "instructions and MCP servers are not given",
			  variable(rq));
		return 0;
	}
	if (add_prompt(rq, out, config, err) != 0) {
		cJSON_Delete(config);
		return -1;
	}
	add_mcp(rq, out, config);
	add_plugin(rq, out, config);
	if (config->child) {
		buf_addf(&text, "%s=", variable(rq));
		json_print(config, &text);
		strv_add(&out->env, text.data);
	}
	cJSON_Delete(config);
	return 0;
}

/* Not --continue: another conversation may have begun here since. */
static const struct launch_conversation conversation = {.resume = "-s"};

static int opencode_prepare(const struct launch_request *rq, struct launch *out,
			    struct err *err)
{
	if (launch_command(rq, "opencode", out, err) != 0)
		return -1;
	launch_conversation(rq, &conversation, out);
	if (add_config(rq, out, err) != 0)
		return -1;
	strv_copy(&out->argv, &rq->spec->command);
	strv_add(&out->env, "OPENCODE_DISABLE_AUTOUPDATE=1");
	out->record_dir = rq->home ? mem_strdup(rq->home) : NULL;
	return 0;
}

/* Returns the text after the frame (┃) of a composer's row; NULL: not such a
 * row. */
static const char *frame_text(const char *row)
{
	row += strspn(row, " ");
	if (!row_starts(row, "┃"))
		return NULL;
	row += strlen("┃");
	return row + strspn(row, " ");
}

/* Returns the composer's row with the agent and the model, or a negative
 * number. The composer ends above a row of ╹▀▀▀: its lines, an empty one, and
 * that row. */
static int last_line(const struct screen_view *v)
{
	int row = (int)v->nrows - 1;

	for (; row >= 0; row--) {
		const char *s = v->rows[row] + strspn(v->rows[row], " ");

		if (row_starts(s, "╹▀▀▀"))
			break;
	}
	return row - 1;
}

static enum composer opencode_composer(const struct rules *r,
				       const struct screen_view *v)
{
	int row = last_line(v);

	if (row < 0 || rules_match(r, "overlay", v->rows[row], NULL, 0))
		return COMPOSER_ABSENT;
	for (row--; row >= 0; row--) {
		const char *s = frame_text(v->solid[row]);

		if (s == NULL)
			break;
		if (*s != '\0' && !rules_match(r, "placeholder", s, NULL, 0))
			return COMPOSER_DRAFT;
	}
	return COMPOSER_EMPTY;
}

/* True for a row with a frame at its end, too: of the menu of commands (or
 * files) directly above the composer. */
static bool is_menu(const char *row)
{
	const char *left = strstr(row, "┃"), *right = strrchr(row, 0xe2);

	return left && right != left && strcmp(right, "┃") == 0;
}

static bool opencode_echoed(const struct rules *r,
			    const struct screen_view *before,
			    const struct screen_view *now, const char *text,
			    size_t len)
{
	int end = last_line(now), row = end;

	if (!echo_seen(r, before, now, text, len))
		return false;
	/* At the start of a shell command the placeholder disappears. */
	if (end < 1 || text[0] == '!')
		return true;
	while (row > 0 && frame_text(now->solid[row - 1]) != NULL &&
	       !is_menu(now->solid[row - 1]))
		row--;
	return echo_rows_contain(r, now, row, end, text, len);
}

/*
 * Finds the buttons, in the row above the frame's last one; in a narrow
 * terminal their keys are there, and the buttons two rows above. A question of
 * the model has other keys there. A command may be missing for a moment.
 */
static void find_buttons(const struct screen_view *v, struct dialog *out)
{
	int row = (int)v->nrows - 1;
	const char *keys;

	out->known = true;
	while (row > 0 && !frame_text(v->rows[row]))
		row--;
	row--;
	keys = row >= 2 ? frame_text(v->rows[row]) : NULL;
	if (keys &&
	    (row_starts(keys, "ctrl+f") || row_starts(keys, "⇆ select")))
		row -= 2;
	if (row < 0 || !frame_text(v->rows[row]))
		return;
	out->options[0] = out->top = out->menu = row;
	while (out->top > 0 && frame_text(v->rows[out->top - 1]))
		out->top--;
	while (row > out->top && *frame_text(v->rows[row - 1]) == '\0')
		row--;
	out->noptions = row == out->top || strcmp(frame_text(v->rows[row - 1]),
						  "# Shell command") != 0;
}

static void opencode_read_screen(const struct rules *r,
				 const struct screen_view *v,
				 struct screen_state *out)
{
	rules_read_screen(r, v, -1, out);
	find_buttons(v, &out->dialog);
	out->composer =
	    out->reading.question ? COMPOSER_ABSENT : opencode_composer(r, v);
	if (out->reading.activity == ACTIVITY_NONE &&
	    out->composer != COMPOSER_ABSENT)
		out->reading.activity = ACTIVITY_IDLE;
}

/* True for characters to which its composer gives a cell and no width, and then
 * drops the character after it (1.18). */
static bool is_misdrawn(uint32_t cp)
{
	return cp == 0x200b || cp == 0x2060 || cp == 0xfeff;
}

static const char *const leaving[] = {"exit", "quit", ":q", NULL};

/*
 * A pasted "/name" opens its menu of commands, and Enter chooses the first; a
 * leading space prevents that. It trims the words that exit, and a leading
 * joiner removes a letter.
 */
static const struct guard guard = {.leading = "/",
				   .front = " ",
				   .tokens = "@",
				   .drops = is_misdrawn,
				   .words = leaving,
				   .behind = GUARD_JOINER};

static const char *const programs[] = {"opencode", NULL};

const struct adapter adapter_opencode = {
    .name = "opencode",
    .title = "OpenCode",
    .config_env = CONFIG,
    .inside_env = "OPENCODE",
    .programs = programs,
    .install_hint = "npm install -g opencode-ai",
    .can_resume = true,
    /* Escape twice; two plain ones in one read would be Alt-Escape to it. */
    .interrupt = "\033[27u\033[27u",
    .clear_key = "C-c",
    .reports_ends = true,
    .prepare = opencode_prepare,
    .hook = opencode_hook,
    .record = &opencode_record,
    .read_screen = opencode_read_screen,
    .guard = &guard,
    .echoed = opencode_echoed,
};
