/*
 * gemini_auth.c - finds how Gemini CLI logs in: the one way that its settings
 * select. Without one it asks, even if there are others.
 */
#include "adapters/gemini/gemini.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/json.h"

#define SETTINGS_MAX ((size_t)1024 * 1024)

char *gemini_user_dir(const char *const *env)
{
	const char *home = auth_env(env, "GEMINI_CLI_HOME");

	if (home == NULL)
		home = auth_env(env, "HOME");
	return home && *home == '/' ? file_join(home, ".gemini") : NULL;
}

bool gemini_auth_by_key(const char *const *env, const char *user_dir)
{
	_free_ char *path = file_join(user_dir, "settings.json");
	bool none = access(path, F_OK) < 0 && errno == ENOENT;

	return none && auth_env(env, "GEMINI_API_KEY");
}

/* Reads the user's settings, with comments; the file may be a symlink. */
static cJSON *settings(const char *user_dir)
{
	_free_ char *path = file_join(user_dir, "settings.json");
	_free_ char *real = realpath(path, NULL);
	_buf_ struct buf text = {0};
	cJSON *o = NULL;

	if (real && file_read(AT_FDCWD, real, SETTINGS_MAX, &text, NULL) == 0 &&
	    text.data) {
		cJSON_Minify(text.data);
		o = cJSON_Parse(text.data);
	}
	return o;
}

/* Returns the selected way's name, to be freed; NULL if there is none. */
static char *selected(const char *user_dir)
{
	_json_ cJSON *o = settings(user_dir);
	const cJSON *auth = json_get(json_get(o, "security"), "auth");
	char *type = mem_strdup(
	    json_str_or(auth, "selectedType", json_str(o, "selectedAuthType")));

	return type;
}

static bool add_key(const char *const *env, const char *user_dir,
		    struct auth *out)
{
	bool key = auth_add_env(env, "GEMINI_API_KEY", out);

	return auth_add_file(file_join(user_dir, "gemini-credentials.json"),
			     out) ||
	       key;
}

static bool add_vertex(const char *const *env, struct auth *out)
{
	bool key = auth_add_env(env, "GOOGLE_API_KEY", out);
	bool project = auth_env(env, "GOOGLE_CLOUD_PROJECT") &&
		       auth_env(env, "GOOGLE_CLOUD_LOCATION");

	if (project)
		auth_add(out, "GOOGLE_CLOUD_PROJECT, GOOGLE_CLOUD_LOCATION");
	return key || project;
}

static bool add_login(const char *user_dir, struct auth *out)
{
	return auth_add_file(file_join(user_dir, "oauth_creds.json"), out);
}

/* Adds all existing ways, the selected one first: so it is chosen. */
static void add_all(const char *const *env, const char *user_dir,
		    const char *type, struct auth *out)
{
	static const char *const types[] = {"gemini-api-key", "oauth-personal",
					    "vertex-ai"};
	static const char *const missing[] = {
	    "GEMINI_API_KEY, or a key that was entered in gemini itself",
	    "a login (run gemini once and log in)",
	    ("GOOGLE_API_KEY, or GOOGLE_CLOUD_PROJECT and "
	     "GOOGLE_CLOUD_LOCATION")};
	const size_t n = sizeof types / sizeof types[0];

	for (size_t round = 0; round < 2; round++) {
		for (size_t i = 0; i < n; i++) {
			bool is = type && strcmp(type, types[i]) == 0, there;

			if (is != (round == 0))
				continue;
			there = i == 0	 ? add_key(env, user_dir, out)
				: i == 1 ? add_login(user_dir, out)
					 : add_vertex(env, out);
			if (is && !there)
				out->needs = mem_strdup(missing[i]);
		}
	}
	/* Other types ("compute-default-credentials") need nothing here. */
	if (type && !out->needs && strcmp(type, types[0]) != 0 &&
	    strcmp(type, types[1]) != 0 && strcmp(type, types[2]) != 0) {
		free(out->chosen);
		out->chosen = mem_strdup(type);
		strv_add(&out->found, type);
	}
}

void gemini_auth(const char *const *env, struct auth *out)
{
	_free_ char *user_dir = gemini_user_dir(env);
	char *type = user_dir ? selected(user_dir) : NULL;

	if (user_dir) {
		if (!type && gemini_auth_by_key(env, user_dir))
			type = mem_strdup("gemini-api-key");
		add_all(env, user_dir, type, out);
		if (!type)
			out->needs = mem_strdup(
			    "a selected way to log in: run gemini once and "
			    "choose one, or it asks in the session");
		if (out->needs) {
			free(out->chosen);
			out->chosen = NULL;
		}
	}
	out->by_token = type && (strcmp(type, "gemini-api-key") == 0 ||
				 strcmp(type, "vertex-ai") == 0);
	free(type);
}
