/* spec_with.c - a session that works in several repositories: each as if it
 * were the only one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/gitfile.h"
#include "base/json.h"
#include "base/random.h"
#include "session/spec.h"

size_t spec_count(const struct spec *s)
{
	return 1 + (size_t)cJSON_GetArraySize(s->with);
}

static char *borrow(const cJSON *o, const char *key)
{
	return cJSON_GetStringValue(json_get(o, key));
}

struct spec spec_of(const struct spec *s, size_t i)
{
	const cJSON *o = i ? cJSON_GetArrayItem(s->with, (int)i - 1) : NULL;
	struct spec one = *s;

	if (!o)
		return one;
	snprintf(one.id, sizeof one.id, "%s", json_str_or(o, "id", ""));
	one.repository = borrow(o, "repository");
	one.repository_name = borrow(o, "repository_name");
	one.worktree = borrow(o, "worktree");
	one.worktree_id = borrow(o, "worktree_id");
	one.worktree_ino = json_u64(o, "worktree_ino", 0);
	one.base = borrow(o, "base");
	one.base_commit = borrow(o, "base_commit");
	one.private_git = borrow(o, "private_git");
	one.checkout = one.subdir = NULL;
	one.linked = (struct strv){0};
	one.with = NULL;
	return one;
}

struct member_objects spec_others(const struct spec *s,
				  struct repo_place places[SPEC_WITH_MAX])
{
	size_t n = 0;

	for (size_t i = 1; i < spec_count(s) && n < SPEC_WITH_MAX; i++) {
		struct spec one = spec_of(s, i);

		if (spec_has_worktree(&one))
			places[n++] = spec_place(&one);
	}
	return (struct member_objects){places, n};
}

void spec_add_with(struct spec *s, const char *repository)
{
	_free_ char *name = gitfile_repository_name(repository);
	cJSON *o = cJSON_CreateObject();
	char id[SPEC_ID_LEN + 1];

	random_hex(id, SPEC_ID_LEN);
	json_set_str(o, "id", id);
	json_set_str(o, "repository", repository);
	json_set_str(o, "repository_name", name);
	if (!s->with)
		s->with = cJSON_CreateArray();
	cJSON_AddItemToArray(s->with, o);
}

void spec_set_with(struct spec *s, size_t i, const cJSON *answer)
{
	static const char *const keys[] = {"worktree", "worktree_id", "branch",
					   "base", "base_commit"};
	cJSON *o = cJSON_GetArrayItem(s->with, (int)i - 1);
	_strv_ struct strv linked = {0};

	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
		cJSON_DeleteItemFromObjectCaseSensitive(o, keys[k]);
		json_set_str(o, keys[k], json_str(answer, keys[k]));
	}
	json_set_u64(o, "worktree_ino", json_u64(answer, "ino", 0));
	json_strv(answer, "linked", &linked);
	json_set_strv(o, "linked", &linked);
}

int spec_check_single(const struct spec *s, const char *who, struct err *err)
{
	if (spec_count(s) == 1)
		return 0;
	err_set(err, ERR_REFUSED,
		"it works in %zu repositories, and %s knows only one",
		spec_count(s), who);
	return err_hint(err, "use git in each of its worktrees");
}

char *spec_common_directory(const struct spec *s)
{
	static const char place[] = "/.af_worktrees/";
	const char *last = s->worktree ? strrchr(s->worktree, '/') : NULL;
	const char *in = last && !s->place ? strstr(s->worktree, place) : NULL;

	for (const char *next; in && (next = strstr(in + 1, place));)
		in = next;
	return in && in + strlen(place) - 1 < last
		   ? mem_strndup(s->worktree, (size_t)(last - s->worktree))
		   : NULL;
}
