/* git_dir.c - the git directory that a session in a sandbox commits in. */
#include "base/cleanup.h"
#include "base/json.h"
#include "sandbox/sandbox.h"
#include "wire/worktree_client.h"

#define DEADLINE_MS 60000

int sandbox_make_git_dir(const struct spec *spec, struct err *err)
{
	const struct sandbox *tier = sandbox_find(spec->sandbox);
	_json_ cJSON *rq = NULL, *answer = NULL;

	if (!spec->private_git || !tier)
		return 0;
	rq = spec_worktree_request(spec, "private");
	json_set_str(rq, "inside", tier->git_at);
	json_set_str(rq, "objects", tier->objects_at);
	answer = worktree_client_run(rq, NULL, NULL, DEADLINE_MS, err);
	return answer ? 0 : -1;
}
