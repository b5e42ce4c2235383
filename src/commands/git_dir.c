/* git_dir.c - has afw-worktree make it, as the sandbox will see it. */
#include "commands/git_dir.h"

#include "base/json.h"
#include "sandbox/sandbox.h"
#include "wire/worktree_client.h"

#define MAKE_MS 60000

int git_dir_make(const struct spec *spec, struct err *err)
{
	const struct sandbox *tier = sandbox_find(spec->sandbox);
	cJSON *rq, *answer;

	if (!spec->private_git || !tier)
		return 0;
	rq = spec_worktree_request(spec, "private");
	json_set_str(rq, "inside", tier->git_at);
	json_set_str(rq, "objects", tier->objects_at);
	answer = worktree_client_run(rq, NULL, NULL, MAKE_MS, err);
	cJSON_Delete(rq);
	cJSON_Delete(answer);
	return answer ? 0 : -1;
}
