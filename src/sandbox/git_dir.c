/* git_dir.c - the git directory that a session in a sandbox commits in. */
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/gitfile.h"
#include "base/json.h"
#include "sandbox/sandbox.h"
#include "wire/worktree_client.h"

#define DEADLINE_MS 60000

int sandbox_make_git_dir(const struct spec *spec, struct err *err)
{
	_free_ char *git = gitfile_dir(spec->repository), *inside = NULL,
		    *own = file_join(git ? git : "", "objects"),
		    *objects = NULL;
	_strv_ struct strv places = {0};
	struct private_request rq = {.place = spec_place(spec)};
	_json_ cJSON *answer = NULL;

	if (!spec->private_git)
		return 0;
	sandbox_places(spec, NULL, &places);
	inside = file_map(spec->private_git, &places);
	objects = file_map(own, &places);
	rq.inside = inside;
	rq.objects = objects;
	answer = worktree_client_run(private_request(&rq), NULL, NULL,
				     DEADLINE_MS, err);
	return answer ? 0 : -1;
}
