/* pr.c - the pull request that was made for a session's branch. */
#include "session/disk/pr.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
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
	char *path = file_join(session_dir, "pr.json");
	char at[CLOCK_RFC3339_SIZE];
	cJSON *o = cJSON_CreateObject();
	int rc;

	clock_format(clock_wall_ms(), at);
	json_set_int(o, "v", 1);
	json_set_str(o, "url", url);
	json_set_str(o, "at", at);
	json_set_bool(o, "asking", asking);
	rc = json_save(AT_FDCWD, path, o, true, err);
	cJSON_Delete(o);
	free(path);
	return rc;
}

static cJSON *load(const char *session_dir)
{
	char *path = file_join(session_dir, "pr.json");
	cJSON *o = json_load(AT_FDCWD, path, FILE_MAX, NULL);

	free(path);
	return o;
}

char *pr_load(const char *session_dir)
{
	cJSON *o = load(session_dir);
	const char *url = json_str(o, "url");
	char *found = url && is_sound(url) ? mem_strdup(url) : NULL;

	cJSON_Delete(o);
	return found;
}

bool pr_is_asking(const char *session_dir)
{
	cJSON *o = load(session_dir);
	bool asking = json_bool(o, "asking", false);

	cJSON_Delete(o);
	return asking;
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
