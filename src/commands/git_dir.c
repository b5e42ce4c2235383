/* git_dir.c - has afw-worktree make it, as the sandbox will see it. */
#include "commands/git_dir.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/gitfile.h"
#include "base/json.h"
#include "sandbox/sandbox.h"
#include "wire/worktree_client.h"

#define MAKE_MS 60000

int git_dir_make(const struct spec *spec, struct err *err)
{
	const struct sandbox *tier = sandbox_find(spec->sandbox);
	char *git_dir, *objects;
	cJSON *rq, *answer;

	if (!spec->private_git || !tier)
		return 0;
	git_dir = gitfile_dir(spec->repository);
	objects = file_join(git_dir ? git_dir : "", "objects");
	rq = spec_worktree_request(spec, "private");
	json_set_str(rq, "inside",
		     tier->git_at ? tier->git_at : spec->private_git);
	json_set_str(rq, "objects",
		     tier->objects_at ? tier->objects_at : objects);
	answer = worktree_client_run(rq, NULL, NULL, MAKE_MS, err);
	cJSON_Delete(rq);
	cJSON_Delete(answer);
	free(git_dir);
	free(objects);
	return answer ? 0 : -1;
}
