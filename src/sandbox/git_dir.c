/* git_dir.c - the git directory that a session in a sandbox commits in. */
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/gitfile.h"
#include "base/json.h"
#include "sandbox/sandbox.h"
#include "wire/worktree_client.h"

#define DEADLINE_MS 60000

static int make(const struct spec *s, const struct strv *places,
		struct err *err)
{
	_free_ char *git = gitfile_dir(s->repository),
		    *own = file_join(git ? git : "", "objects"),
		    *inside = file_map(s->private_git, places),
		    *objects = file_map(own, places);
	struct private_request rq = {
	    .place = spec_place(s), .inside = inside, .objects = objects};
	_json_ cJSON *answer = worktree_client_run(private_request(&rq), NULL,
						   NULL, DEADLINE_MS, err);

	return answer ? 0 : -1;
}

int sandbox_make_git_dir(const struct spec *spec, struct err *err)
{
	_strv_ struct strv places = {0};
	int rc = 0;

	if (!spec->private_git)
		return 0;
	sandbox_places(spec, NULL, &places);
	for (size_t i = 0; rc == 0 && i < spec_count(spec); i++) {
		struct spec one = spec_of(spec, i);

		rc = make(&one, &places, err);
	}
	return rc;
}
