/* filter_driver.c - who has configured a filter of .gitattributes. */
#include "worktrees/git/filter_driver.h"

#include <pthread.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/git_program.h"
#include "base/mem.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_loaded, is_unknown;
static struct strv users, repositorys; /* names, some twice */

/* key: "filter.NAME.clean", a newline and the value. */
static void add_name(const char *scope, const char *key)
{
	bool own =
	    strcmp(scope, "local") == 0 || strcmp(scope, "worktree") == 0;
	const char *name = strchr(key, '.'), *end;

	_free_ char *whole = mem_strndup(key, strcspn(key, "\n"));

	end = strrchr(whole, '.');
	if (name && end > whole + (name - key))
		strv_take(own ? &repositorys : &users,
			  mem_strndup(name + 1, (size_t)(end - whole) -
						    (size_t)(name - key) - 1));
}

static void load(git_repository *git)
{
	static const char *const args[] = {
	    "config",
	    "--null",
	    "--show-scope",
	    "--get-regexp",
	    "^filter\\..*\\.(clean|smudge|process|required)$",
	    NULL};
	_buf_ struct buf text = {0};
	const char *at, *key;

	buf_adds(&text, "");
	is_loaded = true;
	is_unknown =
	    git_program_read(git_repository_path(git), args, &text, NULL) < 0;
	for (at = text.data; at < text.data + text.len;
	     at = key + strlen(key) + 1) {
		key = at + strlen(at) + 1;
		if (key >= text.data + text.len)
			break;
		add_name(at, key);
	}
}

static bool has(const struct strv *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++)
		if (strcmp(names->v[i], name) == 0)
			return true;
	return false;
}

enum filter_driver filter_driver(git_repository *git, const char *name)
{
	enum filter_driver is;

	pthread_mutex_lock(&lock);
	if (!is_loaded)
		load(git);
	is = is_unknown || has(&repositorys, name) ? FILTER_REPOSITORY
	     : has(&users, name)		   ? FILTER_USER
						   : FILTER_NOBODY;
	pthread_mutex_unlock(&lock);
	return is;
}
