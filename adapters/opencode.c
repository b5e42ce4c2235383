/*
 * opencode.c - OpenCode. Its title tells nothing; its HTTP server tells what
 * it does and takes messages (afw-opencode, the bridge), and where that is
 * not to be had there is the screen. The first start takes 10 to 15 s and
 * loses what is pasted before it is ready.
 */
#include "adapters/registry.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "adapters/echo.h"
#include "adapters/guard.h"
#include "adapters/launch.h"
#include "adapters/mcp.h"
#include "adapters/rules.h"
#include "base/json.h"
#include "base/random.h"

/* "${NAME}" as its configuration has it. */
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
		char *value = variables(v->valuestring);

		json_set_str(list, v->string, value);
		free(value);
	}
}

/* One server in OpenCode's own form. */
static cJSON *server_new(const cJSON *server)
{
	const char *url = json_str(server, "url");
	cJSON *o = cJSON_CreateObject(), *command, *args;

	json_set_str(o, "type", url ? "remote" : "local");
	json_set_bool(o, "enabled", true);
	if (url) {
		json_set_str(o, "url", url);
		copy_values(cJSON_GetObjectItemCaseSensitive(server, "headers"),
			    o, "headers");
		return o;
	}
	command = json_set_array(o, "command");
	cJSON_AddItemToArray(
	    command, cJSON_CreateString(json_str_or(server, "command", "")));
	args = cJSON_GetObjectItemCaseSensitive(server, "args");
	for (const cJSON *a = args ? args->child : NULL; a; a = a->next)
		cJSON_AddItemToArray(command,
				     cJSON_CreateString(a->valuestring));
	copy_values(cJSON_GetObjectItemCaseSensitive(server, "env"), o,
		    "environment");
	return o;
}

static void add_mcp(const struct launch_request *rq, struct launch *out,
		    cJSON *config)
{
	cJSON *servers = launch_mcp(rq, out), *mcp;

	if (!servers)
		return;
	mcp = json_set_object(config, "mcp");
	for (const cJSON *s = servers->child; s; s = s->next)
		cJSON_AddItemToObject(mcp, s->string, server_new(s));
	cJSON_Delete(servers);
}

static int add_prompt(const struct launch_request *rq, cJSON *config,
		      struct err *err)
{
	char *prompt = launch_prompt(rq), *path;

	if (!prompt)
		return 0;
	path = launch_write_text(rq, "opencode-instructions.md", prompt, err);
	free(prompt);
	if (!path)
		return -1;
	cJSON_AddItemToArray(json_set_array(config, "instructions"),
			     cJSON_CreateString(path));
	free(path);
	return 0;
}

/*
 * A configuration in the environment, which OpenCode puts on top of the
 * user's own and the project's: their servers and instructions stay.
 */
static int add_config(const struct launch_request *rq, struct launch *out,
		      struct err *err)
{
	cJSON *config = cJSON_CreateObject();
	struct buf text = {0};
	int rc = add_prompt(rq, config, err);

	if (rc == 0)
		add_mcp(rq, out, config);
	if (rc == 0 && config->child &&
	    launch_getenv(rq, "OPENCODE_CONFIG_CONTENT")) {
		strv_add(&out->degraded,
			 "OPENCODE_CONFIG_CONTENT is set: no instructions and "
			 "no MCP servers are given");
	} else if (rc == 0 && config->child) {
		buf_adds(&text, "OPENCODE_CONFIG_CONTENT=");
		json_print(config, &text);
		strv_add(&out->env, text.data);
	}
	buf_finish(&text);
	cJSON_Delete(config);
	return rc;
}

/* A port that nobody has now; with 0 it takes 4096, whoever has that. 0: there
 * is none. */
static int free_port(void)
{
	struct sockaddr_in a = {.sin_family = AF_INET,
				.sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof a;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), port = 0;

	if (fd >= 0 && bind(fd, (struct sockaddr *)&a, sizeof a) == 0 &&
	    getsockname(fd, (struct sockaddr *)&a, &len) == 0)
		port = ntohs(a.sin_port);
	if (fd >= 0)
		close(fd);
	return port;
}

/* The value of one of the user's arguments: "--agent plan", "--agent=plan". */
static const char *argument(const struct launch_request *rq, const char *flag,
			    const char *brief)
{
	const struct strv *args = &rq->spec->command;
	const char *value = NULL;
	size_t len = strlen(flag);

	for (size_t i = 0; i < args->n; i++) {
		const char *a = args->v[i];

		if (strncmp(a, flag, len) == 0 && a[len] == '=')
			value = a + len + 1;
		else if (i + 1 < args->n && (strcmp(a, flag) == 0 ||
					     (brief && strcmp(a, brief) == 0)))
			value = args->v[i + 1];
	}
	return value;
}

/* Why its server cannot be used; NULL: it can. */
static const char *no_server(const struct launch_request *rq)
{
	static const char *const own[] = {"--port", "--hostname", "--mdns",
					  "--mini", NULL};
	const struct strv *args = &rq->spec->command;

	for (size_t i = 0; own[i]; i++)
		if (launch_has_flag(rq, own[i]))
			return own[i];
	/* A command of its own ("run"), or a directory. */
	return args->n > 0 && args->v[0][0] != '-' ? args->v[0] : NULL;
}

/*
 * Its server, on a port and with a password of this start's. The password is
 * in its environment, which it hands down to its tools: they can approve for
 * themselves what it would ask about (afw-adapters(5)).
 */
static void add_server(const struct launch_request *rq, struct launch *out)
{
	const char *why = no_server(rq);
	int port = why ? 0 : free_port();
	char password[65];

	if (port == 0) {
		strv_addf(&out->degraded,
			  "its server is not used (%s): messages are typed",
			  why ? why : "no port is free");
		return;
	}
	random_hex(password, sizeof password - 1);
	strv_add(&out->argv, "--hostname");
	strv_add(&out->argv, "127.0.0.1");
	strv_add(&out->argv, "--port");
	strv_addf(&out->argv, "%d", port);
	strv_addf(&out->env, "OPENCODE_SERVER_PASSWORD=%s", password);
	strv_add(&out->env, "OPENCODE_SERVER_USERNAME");
	out->bridge = cJSON_CreateObject();
	json_set_int(out->bridge, "port", port);
	json_set_str(out->bridge, "password", password);
	json_set_str(out->bridge, "directory", rq->spec->worktree);
	json_set_str(out->bridge, "agent", argument(rq, "--agent", NULL));
	json_set_str(out->bridge, "model", argument(rq, "--model", "-m"));
	if (out->resumed && rq->conversation && *rq->conversation)
		json_set_str(out->bridge, "conversation", rq->conversation);
	else
		json_set_bool(out->bridge, "last",
			      launch_has_flag(rq, "--continue") ||
				  launch_has_flag(rq, "-c"));
}

static int opencode_prepare(const struct launch_request *rq, struct launch *out,
			    struct err *err)
{
	if (launch_command(rq, "opencode", out, err) != 0)
		return -1;
	if (rq->resume && rq->conversation && *rq->conversation) {
		strv_add(&out->argv, "-s");
		strv_add(&out->argv, rq->conversation);
		out->resumed = true;
	} else if (rq->resume) {
		/* Not --continue: others may have begun since in this place. */
		out->why_fresh = mem_strdup("its conversation is not known");
	}
	if (add_config(rq, out, err) != 0)
		return -1;
	add_server(rq, out);
	launch_extra(rq, out);
	strv_add(&out->env, "OPENCODE_DISABLE_AUTOUPDATE=1");
	return 0;
}

/* The text behind the frame (┃) of a composer's row; NULL: not such a row. */
static const char *framed(const char *row)
{
	row += strspn(row, " ");
	if (strncmp(row, "┃", strlen("┃")) != 0)
		return NULL;
	row += strlen("┃");
	return row + strspn(row, " ");
}

/* "Plan · model Local", in the composer's last row: the first word of it. */
static void keep_mode(const char *row, char mode[LOOK_MODE])
{
	const char *text = framed(row);
	const char *end = text ? strstr(text, " · ") : NULL;

	if (end && end - text < LOOK_MODE) {
		memcpy(mode, text, (size_t)(end - text));
		mode[end - text] = '\0';
	}
}

/* The composer hangs above a row of ╹▀▀▀: its lines, an empty one, and one
 * with the agent and the model, whose row this is; below 0: it is not there. */
static int last_line(const struct view *v)
{
	int row = (int)v->nrows - 1;

	for (; row >= 0; row--) {
		const char *s = v->rows[row] + strspn(v->rows[row], " ");

		if (strncmp(s, "╹▀▀▀", strlen("╹▀▀▀")) == 0)
			break;
	}
	return row - 1;
}

static enum composer opencode_composer(const struct rules *r,
				       const struct view *v,
				       char mode[LOOK_MODE])
{
	int row = last_line(v);

	if (row < 0)
		return COMPOSER_ABSENT;
	keep_mode(v->rows[row], mode);
	for (row--; row >= 0; row--) {
		const char *s = framed(v->solid[row]);

		if (s == NULL)
			break;
		if (*s != '\0' && !rules_match(r, "placeholder", s, NULL, 0))
			return COMPOSER_DRAFT;
	}
	return COMPOSER_EMPTY;
}

static bool opencode_echoed(const struct rules *r, const struct view *before,
			    const struct view *now, const char *text,
			    size_t len)
{
	int end = last_line(now), row = end;

	if (!echo_seen(r, before, now, text, len))
		return false;
	/* Where it begins a command of the shell, that is taken away. */
	if (end < 1 || text[0] == '!')
		return true;
	while (row > 0 && framed(now->solid[row - 1]) != NULL)
		row--;
	return echo_rows_hold(r, now, row, end, text, len);
}

/*
 * The buttons stand in the row above the frame's last one; where the terminal
 * is narrow, their keys do, and the buttons two above. Of a question that the
 * model asks, other keys do.
 */
static void find_buttons(const struct view *v, struct dialog *out)
{
	int row = (int)v->nrows - 1;
	const char *keys;

	out->known = true;
	while (row > 0 && !framed(v->rows[row]))
		row--;
	row--;
	keys = row >= 2 ? framed(v->rows[row]) : NULL;
	if (keys && (strncmp(keys, "ctrl+f", 6) == 0 ||
		     strncmp(keys, "⇆ select", strlen("⇆ select")) == 0))
		row -= 2;
	if (row < 0 || !framed(v->rows[row]))
		return;
	out->options[0] = out->top = out->menu = row;
	out->noptions = 1;
	while (out->top > 0 && framed(v->rows[out->top - 1]))
		out->top--;
}

static void opencode_look(const struct rules *r, const struct view *v,
			  struct look *out)
{
	rules_look(r, v, out);
	find_buttons(v, &out->dialog);
	out->composer = out->reading.question
			    ? COMPOSER_ABSENT
			    : opencode_composer(r, v, out->mode);
	if (out->reading.activity == ACTIVITY_NONE &&
	    out->composer != COMPOSER_ABSENT)
		out->reading.activity = ACTIVITY_IDLE;
}

/*
 * A pasted "/name" opens its menu of commands, and Enter takes the first; a
 * space in front does not. The words that leave it are trimmed first.
 */
static void opencode_guard(const char *text, size_t len, struct buf *out)
{
	static const char *const leave[] = {"exit", "quit", ":q", NULL};
	static const struct guard guard = {
	    .leading = "/", .front = ' ', .at_token = true};
	size_t n;
	const char *from = guard_trim(text, len, &n);

	guard_apply(&guard, text, len, out);
	if (guard_is_one_of(from, n, leave))
		buf_adds(out, GUARD_JOINER); /* in front it eats a letter */
}

static const char *const programs[] = {"opencode", NULL};

const struct adapter adapter_opencode = {
    .name = "opencode",
    .title = "OpenCode",
    .programs = programs,
    .install_hint = "npm install -g opencode-ai",
    .bridge = "afw-opencode",
    .can_resume = true,
    .enter_delay_ms = 60,
    /* Escape twice; sent as it is, two in one read are Alt-Escape to it. */
    .interrupt = "\033[27u\033[27u",
    .ready_timeout_ms = 90000,
    .prepare = opencode_prepare,
    .look = opencode_look,
    .guard = opencode_guard,
    .echoed = opencode_echoed,
};
