/* tools.c - the table of tools: lists, checks and runs them, and reports each
 * call. */
#include "tools/tool.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/nearest.h"
#include "base/utf8.h"
#include "tools/report.h"

#define TOLD_MAX 400 /* bytes of a call and its answer in the history */

static const struct tool *const tools[] = {
    &tool_subtask_state, &tool_spec_read,   &tool_context_search,
    &tool_context_get,	 &tool_memory_note, &tool_memory_recall,
    &tool_issues,	 &tool_ci_status,   &tool_sessions,
    &tool_message,	 &tool_wait};

#define TOOLS_N (sizeof tools / sizeof tools[0])

static bool is_offered(const struct tool *tool, const struct toolbox *t)
{
	return !tool->offered || tool->offered(t);
}

static bool has(const struct tool *tool, const struct toolbox *t,
		const char *name)
{
	return !tool->has || tool->has(t, name);
}

static cJSON *schema_of(const struct tool *tool, const struct toolbox *t)
{
	cJSON *o = cJSON_CreateObject(), *properties, *required;

	json_set_str(o, "type", "object");
	properties = json_set_object(o, "properties");
	required = json_set_array(o, "required");
	for (const struct tool_arg *a = tool->args; a->name; a++) {
		cJSON *p;

		if (!has(tool, t, a->name))
			continue;
		p = json_set_object(properties, a->name);
		json_set_str(p, "type", a->number ? "integer" : "string");
		json_set_str(p, "description", a->help);
		if (a->choices) {
			cJSON *list = json_set_array(p, "enum");

			for (const char *const *c = a->choices; *c; c++)
				if (has(tool, t, *c))
					cJSON_AddItemToArray(
					    list, cJSON_CreateString(*c));
		}
		if (a->required)
			cJSON_AddItemToArray(required,
					     cJSON_CreateString(a->name));
	}
	json_set_bool(o, "additionalProperties", false);
	return o;
}

cJSON *tools_list(const struct toolbox *t)
{
	cJSON *o = cJSON_CreateObject(), *list = json_set_array(o, "tools");

	for (size_t i = 0; i < TOOLS_N; i++) {
		const struct tool *tool = tools[i];
		cJSON *one, *hints;

		if (!is_offered(tool, t))
			continue;
		one = cJSON_CreateObject();
		json_set_str(one, "name", tool->name);
		json_set_str(one, "description", tool->help);
		cJSON_AddItemToObject(one, "inputSchema", schema_of(tool, t));
		/* Harnesses use these to decide whether to ask the user. */
		hints = json_set_object(one, "annotations");
		json_set_bool(hints, "readOnlyHint",
			      tool->kind == TOOL_READS ||
				  tool->kind == TOOL_GOES_OUT);
		json_set_bool(hints, "destructiveHint", false);
		json_set_bool(hints, "openWorldHint",
			      tool->kind == TOOL_GOES_OUT ||
				  tool->kind == TOOL_ACTS_OUT);
		cJSON_AddItemToArray(list, one);
	}
	return o;
}

/* "offered: list, read": the actions, or the arguments, that have a command. */
static void put_offered(const struct tool *tool, const struct toolbox *t,
			struct buf *out)
{
	const char *const *choices = tool->args[0].choices, *name;
	const char *sep = ": ";

	buf_adds(out, "offered");
	for (size_t i = 0; tool->has; i++) {
		name = choices ? choices[i] : tool->args[i].name;
		if (!name)
			break;
		if (!tool->has(t, name))
			continue;
		buf_addf(out, "%s%s", sep, name);
		sep = ", ";
	}
}

void tools_explain(const struct toolbox *t, struct buf *out)
{
	for (size_t i = 0; i < TOOLS_N; i++) {
		_json_ cJSON *o = cJSON_CreateObject();
		_buf_ struct buf why = {0};
		bool offered = is_offered(tools[i], t);

		if (offered)
			put_offered(tools[i], t, &why);
		else
			buf_addf(&why, "not offered: %s", tools[i]->missing);
		json_set_str(o, "name", tools[i]->name);
		json_set_bool(o, "offered", offered);
		json_set_str(o, "why", why.data);
		json_print(o, out);
		buf_addc(out, '\n');
	}
}

static int check_arg(const struct tool *tool, const struct toolbox *t,
		     const struct tool_arg *a, const cJSON *v, struct err *err)
{
	if (a->number)
		return cJSON_IsNumber(v)
			   ? 0
			   : err_set(err, ERR_USAGE, "%s is not a number",
				     a->name);
	if (!cJSON_IsString(v))
		return err_set(err, ERR_USAGE, "%s is not a string", a->name);
	if (strlen(v->valuestring) > TOOL_TEXT_MAX)
		return err_set(err, ERR_USAGE, "%s is over %zu bytes", a->name,
			       TOOL_TEXT_MAX);
	if (a->required &&
	    strspn(v->valuestring, " \t\r\n") == strlen(v->valuestring))
		return err_set(err, ERR_USAGE, "%s is empty", a->name);
	for (size_t i = 0; a->choices && a->choices[i]; i++)
		if (strcmp(a->choices[i], v->valuestring) == 0 &&
		    has(tool, t, a->choices[i]))
			return 0;
	return a->choices ? err_set(err, ERR_USAGE, "%s cannot be '%.40s'",
				    a->name, v->valuestring)
			  : 0;
}

static int check_args(const struct tool *tool, const struct toolbox *t,
		      const cJSON *args, struct err *err)
{
	const struct tool_arg *a;
	const cJSON *v;

	cJSON_ArrayForEach (v, args) {
		for (a = tool->args; a->name; a++)
			if (strcmp(a->name, v->string) == 0)
				break;
		if (!a->name || !has(tool, t, a->name))
			return err_set(err, ERR_USAGE,
				       "there is no argument '%.40s'",
				       v->string);
		if (check_arg(tool, t, a, v, err) < 0)
			return -1;
	}
	for (a = tool->args; a->name; a++)
		if (a->required && !cJSON_HasObjectItem(args, a->name))
			return err_set(err, ERR_USAGE, "%s is missing",
				       a->name);
	return 0;
}

static void log_call(const char *name, const cJSON *args, bool ok,
		     const struct buf *answer, int64_t ms)
{
	char shown[TOLD_MAX];
	_buf_ struct buf text = {0};
	cJSON *o = cJSON_CreateObject();

	json_set_str(o, "tool", name);
	json_print(args, &text);
	utf8_printable(shown, sizeof shown, text.data, text.len);
	json_set_str(o, "arguments", shown);
	json_set_bool(o, "ok", ok);
	utf8_printable(shown, sizeof shown, answer->data ? answer->data : "",
		       answer->len);
	json_set_str(o, "answer", shown);
	json_set_int(o, "duration_ms", ms);
	report("tool", o);
}

/* An answer may quote a terminal or a web page: line breaks and tabs are the
 * only control bytes that stay. */
static void make_plain(struct buf *out)
{
	struct buf plain = {0};
	uint32_t cp;

	for (size_t at = 0, n; at < out->len; at += n) {
		n = utf8_decode(out->data + at, out->len - at, &cp);
		if (n && (cp == '\n' || cp == '\t' || !utf8_cp_unsafe(cp)))
			buf_add(&plain, out->data + at, n);
		if (n == 0)
			n = 1;
	}
	if (plain.len > TOOL_RESULT_MAX) {
		plain.len = utf8_whole(plain.data, TOOL_RESULT_MAX);
		buf_adds(&plain, "\n[cut: it is longer]\n");
	}
	buf_finish(out);
	*out = plain;
}

static cJSON *make_result(const struct buf *text, bool ok)
{
	cJSON *o = cJSON_CreateObject(), *one = cJSON_CreateObject();

	json_set_str(one, "type", "text");
	json_set_str(one, "text", text->data ? text->data : "");
	cJSON_AddItemToArray(json_set_array(o, "content"), one);
	json_set_bool(o, "isError", !ok);
	return o;
}

static void put_error(const char *name, const struct err *err, struct buf *out)
{
	buf_clear(out);
	buf_addf(out, "%s: %s", name, err->what);
	if (err->hint[0])
		buf_addf(out, " (%s)", err->hint);
}

cJSON *tools_error(const char *name, const struct err *err)
{
	_buf_ struct buf text = {0};

	put_error(name, err, &text);
	return make_result(&text, false);
}

static const struct tool *find(const struct toolbox *t, const char *name,
			       struct err *err)
{
	const char *names[TOOLS_N + 1] = {NULL};
	size_t n = 0;

	for (size_t i = 0; i < TOOLS_N; i++) {
		if (!is_offered(tools[i], t))
			continue;
		if (strcmp(tools[i]->name, name) == 0)
			return tools[i];
		names[n++] = tools[i]->name;
	}
	err_set(err, ERR_USAGE, "there is no tool '%.60s'", name);
	nearest_append(err, name, names, "", "");
	return NULL;
}

cJSON *tools_call(struct toolbox *t, const char *name, const cJSON *args,
		  struct err *err)
{
	const struct tool *tool = find(t, name, err);
	int64_t begin = clock_mono_ms();
	_buf_ struct buf out = {0};
	struct err why = {0};
	bool ok;

	if (!tool)
		return NULL;
	ok = check_args(tool, t, args, &why) == 0 &&
	     tool->run(t, args, &out, &why) == 0;
	if (!ok)
		put_error(name, &why, &out);
	make_plain(&out);
	log_call(name, args, ok, &out, clock_mono_ms() - begin);
	return make_result(&out, ok);
}
