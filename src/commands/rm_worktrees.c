/* rm_worktrees.c - moves all worktrees of a session to the trash, or none: if
 * one cannot be moved, those before it are put back. */
#include "commands/command.h"
#include "commands/rm_worktrees.h"

#include <errno.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "wire/worktree_client.h"

static bool is_gone(const char *path)
{
	return access(path, F_OK) < 0 && (errno == ENOENT || errno == ENOTDIR);
}

/* The only part of afw-worktree's error that is of use then is that it
 * failed. */
static int without_repository(const struct spec *s, struct err *err)
{
	err_set(err, ERR_FAILED, "remove '%s': its repository is not at %.200s",
		s->name, s->repository);
	return err_hint(err,
			REPOSITORY_MOVED
			"; or, to forget the session, move "
			"its worktree %.200s away and `afw rm %s` again",
			s->worktree, s->name);
}

/* Returns the answer; NULL with err->kind ERR_NONE: there was nothing to
 * remove. */
static cJSON *remove_one(const struct spec *s, const struct rm_how *how,
			 bool several, struct err *err)
{
	struct remove_request rq = {.place = spec_place(s),
				    .id = s->id,
				    .delete_branch = how->when,
				    .delete_ignored = how->ignored};
	cJSON *answer;

	err_clear(err);
	if (!spec_has_worktree(s))
		return NULL;
	/* The whole repository may have been deleted with its worktrees. */
	if (is_gone(s->repository) && is_gone(s->worktree))
		return NULL;
	answer = worktree_client_run(remove_request(&rq), NULL, NULL, 0, err);
	if (!answer && is_gone(s->repository))
		without_repository(s, err);
	else if (!answer)
		err_prefix(err, several ? "remove '%s': %s" : "remove '%s'",
			   s->name, s->repository_name);
	return answer;
}

static void put_back(const struct session *s, size_t i, struct err *err)
{
	struct spec one = spec_of(&s->spec, i);
	struct restore_request rq = {.place = spec_place(&one), .id = one.id};
	_json_ cJSON *o =
	    worktree_client_run(restore_request(&rq), NULL, NULL, 0, NULL);

	if (!o)
		err_hint(err,
			 "its worktree of %s is in the trash already: repeat "
			 "the rm when that is repaired",
			 one.repository_name);
}

/* Adds what one of the others has to the answer about the first one. */
static void add_other(cJSON *answer, const cJSON *o)
{
	static const char *const keys[] = {"submodule", "holds"};

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const char *text = json_str(o, keys[i]);
		_free_ char *named =
		    mem_printf("%s: %s", json_str_or(o, "repository_name", ""),
			       text ? text : "");

		if (!text || json_str(answer, keys[i]))
			continue;
		cJSON_DeleteItemFromObjectCaseSensitive(answer, keys[i]);
		json_set_str(answer, keys[i], named);
	}
	if (!json_str(o, "trash") && !json_bool(o, "entry", false))
		return;
	cJSON_DeleteItemFromObjectCaseSensitive(answer, "entry");
	json_set_bool(answer, "entry", true);
}

cJSON *rm_worktrees(const struct session *s, const struct rm_how *how,
		    struct err *err)
{
	cJSON *others = cJSON_CreateArray(), *answer = NULL, *o;

	err_clear(err);
	for (size_t i = spec_count(&s->spec); i-- > 0;) {
		struct spec one = spec_of(&s->spec, i);

		o = remove_one(&one, how, s->spec.with, err);
		if (!o && err->kind != ERR_NONE) {
			while (++i < spec_count(&s->spec))
				put_back(s, i, err);
			cJSON_Delete(others);
			return NULL;
		}
		if (i == 0) {
			answer = o;
		} else if (o) {
			json_set_str(o, "repository", one.repository);
			json_set_str(o, "repository_name", one.repository_name);
			cJSON_AddItemToArray(others, o);
		}
	}
	if (!answer && cJSON_GetArraySize(others))
		answer = cJSON_CreateObject();
	cJSON_ArrayForEach (o, others)
		add_other(answer, o);
	if (s->spec.with && answer)
		cJSON_AddItemToObject(answer, "with", others);
	else
		cJSON_Delete(others);
	return answer;
}
