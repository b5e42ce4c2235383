/* pull_request.c - the pull request that was made for a session's branch. */
#include "session/disk/pull_request.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"

#define FILE_MAX (4 * PR_URL_MAX)

static bool is_sound(const char *url)
{
	size_t len = strlen(url);

	for (size_t i = 0; i < len; i++)
		if (url[i] <= ' ' || url[i] > '~')
			return false;
	return len <= PR_URL_MAX && (strncmp(url, "https://", 8) == 0 ||
				     strncmp(url, "http://", 7) == 0);
}

int pr_save(const char *session_dir, const char *url, bool asking,
	    struct err *err)
{
	_free_ char *path = file_join(session_dir, "pr.json");
	_json_ cJSON *o = cJSON_CreateObject();
	char at[CLOCK_RFC3339_SIZE];

	clock_format(clock_wall_ms(), at);
	json_set_int(o, "v", 1);
	json_set_str(o, "url", url);
	json_set_str(o, "at", at);
	json_set_bool(o, "asking", asking);
	return json_save(AT_FDCWD, path, o, true, err);
}

static cJSON *load(const char *session_dir)
{
	_free_ char *path = file_join(session_dir, "pr.json");

	return json_load(AT_FDCWD, path, FILE_MAX, NULL);
}

char *pr_load(const char *session_dir)
{
	_json_ cJSON *o = load(session_dir);
	const char *url = json_str(o, "url");

	return url && is_sound(url) ? mem_strdup(url) : NULL;
}

bool pr_is_asking(const char *session_dir)
{
	_json_ cJSON *o = load(session_dir);

	return json_bool(o, "asking", false);
}

char *pr_find(const char *text)
{
	const char *at = text, *last = NULL;
	char *url;

	while ((at = strstr(at, "http"))) {
		if (strncmp(at, "https://", 8) == 0 ||
		    strncmp(at, "http://", 7) == 0)
			last = at;
		at += 4;
	}
	if (!last)
		return NULL;
	url = mem_strndup(last, strcspn(last, " \t\r\n\"'<>"));
	if (is_sound(url))
		return url;
	free(url);
	return NULL;
}
