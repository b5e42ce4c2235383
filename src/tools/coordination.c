/* coordination.c - sends one request of JSON-RPC by libcurl. */
#include "tools/coordination.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "tools/command.h"
#include "tools/report.h"

#define CONNECT_MS 5000
#define ANSWER_MS  30000
#define ANSWER_MAX ((size_t)1024 * 1024)
#define UNIX_FRONT "unix:"

static const char *service_url(const struct toolbox *t)
{
	return json_str_or(t->spec.bridge, "coordination", "");
}

bool coordination_is_set(const struct toolbox *t)
{
	return *service_url(t) != '\0';
}

/* Adds the session's identity, in MCP's member for such data. */
static void add_identity(const struct toolbox *t, cJSON *params)
{
	cJSON *meta = json_set_object(params, "_meta");

	json_set_str(meta, "afw/workspace", t->spec.name);
	json_set_str(meta, "afw/session", t->spec.id);
	json_set_str(meta, "afw/run", t->run);
	json_set_str(meta, "afw/agent", t->spec.harness);
	json_set_str(meta, "afw/role", t->spec.template_name);
	json_set_str(meta, "afw/repository", t->spec.repository);
	json_set_str(meta, "afw/branch", t->spec.branch);
}

static size_t on_data(char *data, size_t size, size_t n, void *ctx)
{
	struct buf *answer = ctx;

	if (answer->len + size * n > ANSWER_MAX)
		return 0; /* CURLE_WRITE_ERROR */
	buf_add(answer, data, size * n);
	return size * n;
}

/* Errors do not show the url: it may contain a secret in its query. */
static int post(const struct toolbox *t, const char *body,
		struct curl_slist *headers, struct buf *answer, struct err *err)
{
	CURL *c = curl_easy_init();
	const char *url = service_url(t);
	bool local = strncmp(url, UNIX_FRONT, sizeof UNIX_FRONT - 1) == 0;
	long status = 0;
	CURLcode rc;

	if (!c)
		return err_set(err, ERR_FAILED, "libcurl cannot be started");
	if (local)
		curl_easy_setopt(c, CURLOPT_UNIX_SOCKET_PATH,
				 url + sizeof UNIX_FRONT - 1);
	curl_easy_setopt(c, CURLOPT_URL, local ? "http://localhost/" : url);
#if LIBCURL_VERSION_NUM >= 0x075500
	curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
#else
	curl_easy_setopt(c, CURLOPT_PROTOCOLS,
			 (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
	curl_easy_setopt(c, CURLOPT_POSTFIELDS, body);
	curl_easy_setopt(c, CURLOPT_HTTPHEADER, headers);
	curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
	curl_easy_setopt(c, CURLOPT_TIMEOUT_MS, (long)ANSWER_MS);
	curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, on_data);
	curl_easy_setopt(c, CURLOPT_WRITEDATA, answer);
	rc = curl_easy_perform(c);
	curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &status);
	curl_easy_cleanup(c);
	if (rc == CURLE_WRITE_ERROR)
		return err_set(err, ERR_FAILED, "its answer is over 1 MiB");
	if (rc != CURLE_OK)
		return err_set(err, ERR_FAILED, "%s", curl_easy_strerror(rc));
	if (status != 200)
		return err_set(err, ERR_FAILED, "it answers with status %ld",
			       status);
	return 0;
}

/* Adds "Authorization: Bearer ...", with the output of coordination_token. */
static int add_token(const struct toolbox *t, struct curl_slist **headers,
		     struct err *err)
{
	_buf_ struct buf token = {0};
	_free_ char *line = NULL;

	if (cJSON_HasObjectItem(t->spec.bridge, "coordination_token") &&
	    command_run(t, "coordination_token", NULL, false, &token, err) < 0)
		return -1;
	if (token.len) {
		token.data[strcspn(token.data, "\r\n")] = '\0';
		line = mem_printf("Authorization: Bearer %s", token.data);
		*headers = curl_slist_append(*headers, line);
	}
	return 0;
}

/* Sends a request and deletes params. Returns the whole answer, to be
 * deleted. */
static cJSON *request(struct toolbox *t, const char *method, cJSON *params,
		      struct err *err)
{
	static int64_t id;
	struct curl_slist *headers =
	    curl_slist_append(NULL, "Content-Type: application/json");
	_buf_ struct buf body = {0}, text = {0};
	_json_ cJSON *o = cJSON_CreateObject(), *answer = NULL;

	add_identity(t, params);
	json_set_str(o, "jsonrpc", "2.0");
	json_set_int(o, "id", ++id);
	json_set_str(o, "method", method);
	cJSON_AddItemToObject(o, "params", params);
	json_print(o, &body);
	headers = curl_slist_append(headers, "Accept: application/json");
	if (add_token(t, &headers, err) == 0 &&
	    post(t, body.data, headers, &text, err) == 0)
		answer = json_parse_object(text.data ? text.data : "", text.len,
					   err);
	curl_slist_free_all(headers);
	if (answer && json_int(answer, "id", -1) == id)
		return TAKE_PTR(answer);
	if (answer)
		err_set(err, ERR_FAILED,
			"its answer belongs to another request");
	err_prefix(err, "coordination service");
	return NULL;
}

/* Detaches the result, whose member must be an array; else NULL with err. */
static cJSON *detach_result(cJSON *answer, const char *member, struct err *err)
{
	_json_ cJSON *o =
	    cJSON_DetachItemFromObjectCaseSensitive(answer, "result");
	const cJSON *e = json_get(answer, "error");

	if (o && cJSON_IsArray(json_get(o, member)))
		return TAKE_PTR(o);
	err_set(err, ERR_FAILED, "coordination service: %s",
		json_str_or(e, "message", "its answer has no result"));
	return NULL;
}

cJSON *coordination_list(struct toolbox *t, struct err *err)
{
	_json_ cJSON *answer =
	    request(t, "tools/list", cJSON_CreateObject(), err);

	return answer ? detach_result(answer, "tools", err) : NULL;
}

cJSON *coordination_call(struct toolbox *t, const char *name, const cJSON *args,
			 struct err *err)
{
	int64_t begin = clock_mono_ms();
	cJSON *params = cJSON_CreateObject(), *result = NULL, *told;
	_json_ cJSON *answer = NULL;

	json_set_str(params, "name", name);
	cJSON_AddItemToObject(params, "arguments", cJSON_Duplicate(args, 1));
	answer = request(t, "tools/call", params, err);
	if (answer)
		result = detach_result(answer, "content", err);
	told = cJSON_CreateObject();
	json_set_str(told, "tool", name);
	json_set_bool(told, "ok", result && !json_bool(result, "isError", 0));
	json_set_str(told, "answer",
		     result ? "by the coordination service" : err->what);
	json_set_int(told, "duration_ms", clock_mono_ms() - begin);
	report("tool", told);
	if (!result)
		result = tools_error(name, err);
	return result;
}

const char *coordination_library(void)
{
	return curl_version_info(CURLVERSION_NOW)->version;
}
