/* clone_url.c - which repository a caller means: GitHub's short names, and URLs
 * that carry no secret. */
#include "supervisor/headless/clone_url.h"

#include <ctype.h>
#include <string.h>

#include "base/mem.h"

/* Returns whether repo has exactly one slash and only characters that GitHub
 * allows. */
static bool is_github_name(const char *repo)
{
	size_t slashes = 0;

	for (const char *p = repo; *p; p++) {
		slashes += *p == '/';
		if (!isalnum((unsigned char)*p) && !strchr("._-/", *p))
			return false;
	}
	return slashes == 1 && repo[0] != '/' && repo[0] != '.' &&
	       repo[0] != '-' && !strchr("/.", strchr(repo, '/')[1]);
}

/* A user and password in a URL would be stored in .git/config, also in that of
 * a remote helper ("http::http://..."). ssh needs the user. */
static bool has_credentials(const char *url)
{
	const char *host = strstr(url, "://");
	const char *at =
	    host ? memchr(host, '@', 3 + strcspn(host + 3, "/")) : NULL;

	return at && (strncmp(url, "ssh://", 6) != 0 ||
		      memchr(host + 3, ':', (size_t)(at - host - 3)));
}

int clone_url(const char *repo, const char *server, char **url, struct err *err)
{
	*url = NULL;
	if (has_credentials(repo)) {
		err_set(err, ERR_USAGE,
			"start: repo is a URL with a user name or password");
		return err_hint(err, "GITHUB_TOKEN is not stored anywhere");
	}
	if (is_github_name(repo))
		*url = mem_printf(
		    "%s/%s%s", server, repo,
		    strlen(repo) > 4 &&
			    strcmp(repo + strlen(repo) - 4, ".git") == 0
			? ""
			: ".git");
	else if (repo[0] != '/' && repo[0] != '.' && strchr(repo, ':'))
		*url = mem_strdup(repo);
	return 0;
}

char *clone_name(const char *url)
{
	size_t end = strlen(url), at;

	while (end && url[end - 1] == '/')
		end--;
	for (at = end; at && !strchr("/:", url[at - 1]); at--)
		;
	if (end - at > 4 && strncmp(url + end - 4, ".git", 4) == 0)
		end -= 4;
	return mem_strndup(url + at, end - at);
}
