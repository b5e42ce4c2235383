/* doctor_host.c - afw doctor --host: tries each step to a host, and then has
 * the afw there check its machine. */
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/ssh_url.h"
#include "base/version.h"
#include "commands/doctor.h"
#include "commands/launch/host_ssh.h"
#include "commands/launch/settings.h"
#include "hosts/engine.h"

#define NO_AFW 127 /* of host_ssh.c's script */

/* Returns whether the next step makes sense. */
static bool check_place(struct survey *s, const struct host *h)
{
	_engine_ struct engine e = {0};
	_free_ char *why = NULL, *up = NULL;
	enum engine_state state = ENGINE_UNKNOWN;
	struct err err = {0};
	int rc;

	if (!h->engine)
		return true;
	rc = engine_load(&e, h, h->name, &err);
	doctor_add(s, "engine", rc < 0 ? FAIL : OK, err.hint, "%s",
		   rc < 0 ? err.what : e.kind);
	if (rc < 0)
		return false;
	rc = engine_state(&e, &state, &why, &err);
	up = mem_printf("`afw host up %s` makes it", h->name);
	doctor_add(s, "place", state == ENGINE_RUNNING ? OK : FAIL,
		   rc < 0 ? NULL : up, "%s%s%s", engine_states[state],
		   rc < 0 || why ? ": " : "",
		   rc < 0 ? err.what
		   : why  ? why
			  : "");
	return state == ENGINE_RUNNING;
}

/* Runs a command there. text: its output, or why there is none. */
static int run_there(const char *url, const char *word, const char *other,
		     struct buf *text)
{
	_buf_ struct buf line = {0}, errors = {0};
	struct err err = {0};
	int code;

	host_ssh_begin(&line, url);
	host_ssh_word(&line, word);
	if (other)
		host_ssh_word(&line, other);
	code = host_ssh_ask(url, &line, text, &errors, &err);
	if (code != 0 && !text->data[0])
		buf_adds(text, code < 0 ? err.what : errors.data);
	return code;
}

static bool check_connection(struct survey *s, const struct host *h,
			     const char *url)
{
	static const char own[] = "afw " AFW_VERSION;
	_free_ char *proxy = mem_printf("`afw host proxy %s </dev/null` shows "
					"what its sshd says",
					h->name);
	_buf_ struct buf text = {0};
	int code = run_there(url, "--version", NULL, &text);
	bool connected = code == 0 || code == NO_AFW;

	text.data[strcspn(text.data, "\r\n")] = '\0';
	doctor_add(s, "connection", connected ? OK : FAIL,
		   h->engine ? proxy : NULL, "%s", connected ? url : text.data);
	if (connected)
		doctor_add(s, "afw there",
			   code					       ? FAIL
			   : strncmp(text.data, own, strlen(own)) == 0 ? OK
								       : WARN,
			   "this one is " AFW_VERSION, "%s", text.data);
	return code == 0;
}

/* Adds the rows of `afw doctor` there. */
static void check_machine(struct survey *s, const char *url)
{
	_buf_ struct buf text = {0}, whole = {0};
	_json_ cJSON *o = NULL;
	const cJSON *row;

	run_there(url, "doctor", "--json", &text);
	buf_addf(&whole, "{\"rows\":%s}", text.data);
	o = json_parse_object(whole.data, whole.len, NULL);
	if (!o)
		doctor_add(s, "doctor there", FAIL, NULL, "%s", text.data);
	cJSON_ArrayForEach (row, json_get(o, "rows")) {
		const char *result = json_str_or(row, "result", "");
		_free_ char *check =
		    mem_printf("there: %.60s", json_str_or(row, "check", ""));

		doctor_add(s, check,
			   strcmp(result, "ok") == 0	 ? OK
			   : strcmp(result, "warn") == 0 ? WARN
							 : FAIL,
			   json_str(row, "hint"), "%s",
			   json_str_or(row, "detail", ""));
	}
}

int doctor_host(struct survey *s, const char *name, struct err *err)
{
	_config_ struct config *c = NULL;
	_host_list_ struct host_list l = {0};
	_free_ char *url = NULL;
	const struct host *h;

	if (settings_load_here(&c, err) < 0 || host_list_load(&l, c, err) < 0)
		return -1;
	h = host_find(&l, name);
	if (!h || h->each)
		return err_set(err, ERR_USAGE, "doctor: there is no %s%s%s",
			       h ? "place " : "[host.", name, h ? "" : "]");
	url = mem_strndup(h->url, ssh_url_destination(h->url));
	if (check_place(s, h) && check_connection(s, h, url))
		check_machine(s, url);
	return 0;
}
