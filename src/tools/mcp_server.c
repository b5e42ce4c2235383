/* mcp_server.c - a server of the Model Context Protocol. */
#include "base/version.h"
#include "tools/mcp_server.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/pace.h"
#include "tools/coordination.h"

#define TAKEN_MS  30000
#define NAME_MAX_ 128 /* MCP's limit for a tool's name */
/* Longer than any tool takes. After that SIGALRM ends this program: SQLite and
 * the user's directories have no deadline. */
#define ANSWER_S 120

/* JSON-RPC 2.0, 5.1 */
enum {
	RPC_PARSE = -32700,
	RPC_REQUEST = -32600,
	RPC_METHOD = -32601,
	RPC_PARAMS = -32602,
	RPC_INTERNAL = -32603,
};

/* Newest first: the first is offered to a client that supports none of them. */
static const char *const versions[] = {"2025-11-25", "2025-06-18", "2025-03-26",
				       "2024-11-05"};

static void print(cJSON *o, struct buf *out)
{
	json_print(o, out);
	buf_addc(out, '\n');
	cJSON_Delete(o);
}

/* id (borrowed): NULL if it could not be read. */
static cJSON *response(const cJSON *id)
{
	cJSON *o = cJSON_CreateObject();

	json_set_str(o, "jsonrpc", "2.0");
	cJSON_AddItemToObject(o, "id",
			      id ? cJSON_Duplicate(id, 0) : cJSON_CreateNull());
	return o;
}

static void error_response(const cJSON *id, int code, const char *why,
			   struct buf *out)
{
	cJSON *o = response(id), *e = json_set_object(o, "error");

	json_set_int(e, "code", code);
	json_set_str(e, "message", why);
	print(o, out);
}

static cJSON *initialize(const cJSON *params)
{
	const char *asked = json_str_or(params, "protocolVersion", "");
	cJSON *o = cJSON_CreateObject(), *info;
	const char *version = versions[0];

	for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++)
		if (strcmp(versions[i], asked) == 0)
			version = versions[i];
	json_set_str(o, "protocolVersion", version);
	json_set_object(json_set_object(o, "capabilities"), "tools");
	info = json_set_object(o, "serverInfo");
	json_set_str(info, "name", "afw");
	json_set_str(info, "version", AFW_VERSION);
	json_set_str(o, "instructions",
		     "Tools of afw, which runs this session in its own git "
		     "worktree, perhaps beside others. Report by "
		     "af_subtask_state when a piece of work begins, is done, "
		     "or cannot continue.");
	return o;
}

static cJSON *call(struct toolbox *t, const cJSON *params, struct err *err)
{
	const char *name = json_str(params, "name");
	const cJSON *given = json_get(params, "arguments");
	_json_ cJSON *none = NULL;

	if (!name)
		err_set(err, ERR_USAGE, "tools/call: name is missing");
	else if (strlen(name) > NAME_MAX_)
		err_set(err, ERR_USAGE, "tools/call: name is over %d bytes",
			NAME_MAX_);
	else if (given && !cJSON_IsObject(given))
		err_set(err, ERR_USAGE,
			"tools/call: arguments is not an object");
	if (err->kind)
		return NULL;
	if (!given) {
		none = cJSON_CreateObject();
		given = none;
	}
	return coordination_is_set(t) ? coordination_call(t, name, given, err)
				      : tools_call(t, name, given, err);
}

static cJSON *list(struct toolbox *t, struct err *err)
{
	return coordination_is_set(t) ? coordination_list(t, err)
				      : tools_list(t);
}

static void answer_request(struct toolbox *t, const char *method,
			   const cJSON *id, const cJSON *params,
			   struct buf *out)
{
	struct err err = {0};
	cJSON *result = NULL, *o;

	if (strcmp(method, "initialize") == 0)
		result = initialize(params);
	else if (strcmp(method, "ping") == 0)
		result = cJSON_CreateObject();
	else if (strcmp(method, "tools/list") == 0)
		result = list(t, &err);
	else if (strcmp(method, "tools/call") == 0)
		result = call(t, params, &err);
	else {
		err_set(&err, ERR_USAGE, "there is no method '%.60s'", method);
		error_response(id, RPC_METHOD, err.what, out);
		return;
	}
	if (!result) {
		error_response(
		    id, err.kind == ERR_USAGE ? RPC_PARAMS : RPC_INTERNAL,
		    err.what, out);
		return;
	}
	o = response(id);
	cJSON_AddItemToObject(o, "result", result);
	print(o, out);
}

/* True for an id that can be returned: 1e999 can be read, but not written. */
static bool is_id(const cJSON *v)
{
	return cJSON_IsString(v) ||
	       (cJSON_IsNumber(v) && isfinite(v->valuedouble));
}

static bool is_response(const cJSON *o)
{
	return json_get(o, "result") || json_get(o, "error");
}

void mcp_answer(struct toolbox *t, const char *line, size_t len,
		struct buf *out)
{
	struct err err = {0};
	const cJSON *id, *params;
	const char *method;
	_json_ cJSON *o = NULL;

	while (len > 0 && memchr(" \t\r\n", line[len - 1], 4))
		len--;
	if (len == 0)
		return;
	o = json_parse_object(line, len, &err);
	id = json_get(o, "id");
	params = json_get(o, "params");
	method = json_str(o, "method");
	if (!o)
		error_response(NULL, RPC_PARSE, err.what, out);
	else if (id && !is_id(id))
		error_response(NULL, RPC_REQUEST,
			       "id is not a string or number", out);
	else if (strcmp(json_str_or(o, "jsonrpc", ""), "2.0") != 0)
		error_response(id, RPC_REQUEST, "jsonrpc is not \"2.0\"", out);
	else if (params && !cJSON_IsObject(params))
		error_response(id, RPC_PARAMS, "params is not an object", out);
	else if (method && id)
		answer_request(t, method, id, params, out);
	else if (!method && id && !is_response(o))
		error_response(id, RPC_REQUEST, "method is missing", out);
	/* Notifications, and answers to requests that we never send, need no
	 * answer. */
}

/* Writes all of b; false if it is not read in time. */
static bool write_all(int fd, struct buf *b, int stop)
{
	int64_t end = clock_mono_ms() + TAKEN_MS;

	while (b->len > 0) {
		struct pollfd p[] = {{.fd = fd, .events = POLLOUT},
				     {.fd = stop}};
		int64_t left = end - clock_mono_ms();
		ssize_t n;

		if (left <= 0 || poll(p, 2, (int)left) < 0 || p[1].revents)
			return false;
		n = write(fd, b->data, b->len);
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return false;
		if (n > 0)
			buf_drop(b, (size_t)n);
	}
	return true;
}

/* Waits before the next line; false if the supervisor has ended. */
static bool keep_pace(int stop)
{
	static struct pace pace = {.burst = 60, .per_second = 5};
	struct pollfd p = {.fd = stop};

	return poll(&p, 1, (int)pace_took(&pace, clock_mono_ms())) == 0;
}

/* Answers the whole lines of in; false if an answer was not read. */
static bool answer_lines(struct toolbox *t, struct buf *in, bool *skipping,
			 int out, int stop)
{
	_buf_ struct buf answer = {0};
	bool taken = true;
	char *end;

	while (taken && in->len && (end = memchr(in->data, '\n', in->len))) {
		size_t len = (size_t)(end - in->data);

		alarm(ANSWER_S);
		if (!*skipping)
			mcp_answer(t, in->data, len, &answer);
		alarm(0);
		*skipping = false;
		buf_drop(in, len + 1);
		taken = write_all(out, &answer, stop) && keep_pace(stop);
	}
	if (taken && in->len > MCP_LINE_MAX) {
		if (!*skipping)
			error_response(NULL, RPC_REQUEST,
				       "a line is over 1 MiB", &answer);
		*skipping = true;
		buf_clear(in);
		taken = write_all(out, &answer, stop);
	}
	return taken;
}

int mcp_serve(struct toolbox *t, int in, int out, int stop)
{
	_buf_ struct buf held = {0};
	bool skipping = false;

	for (;;) {
		struct pollfd p[] = {{.fd = in, .events = POLLIN},
				     {.fd = stop}};
		ssize_t n;

		if ((poll(p, 2, -1) < 0 && errno != EINTR) || p[1].revents)
			return -1;
		n = read(in, buf_room(&held, 65536), 65536);
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			continue;
		if (n <= 0)
			return n < 0 ? -1 : 0;
		held.len += (size_t)n;
		if (!answer_lines(t, &held, &skipping, out, stop))
			return -1;
	}
}
