/* rm_before.c - runs before_rm, as a check. */
#include "commands/rm_before.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/file.h"
#include "commands/cli/output.h"
#include "commands/land/scratch.h"

#define LOG                                                                    \
	"service-before_rm.log" /* as of a service: `afw logs --service`       \
				 */

int rm_run_before(const struct session *s, bool force, struct err *err)
{
	_scratch_result_ struct scratch_result r = {0};
	_free_ char *log = NULL;

	if (s->spec.before_rm.n == 0 || !spec_has_worktree(&s->spec) ||
	    access(s->spec.worktree, F_OK) < 0)
		return 0;
	if (check_run(s, &s->spec.before_rm, true, s->spec.check_timeout_ms, &r,
		      err) < 0) {
		err_prefix(err, "remove '%s': before_rm", s->spec.name);
		err_hint(err, "`afw rm --force %s` removes it all the same",
			 s->spec.name);
	} else if (r.passed) {
		return 0;
	} else {
		log = file_join(s->dir, LOG);
		file_replace(AT_FDCWD, log, r.tail.data, r.tail.len, false,
			     NULL);
		err_set(err, ERR_REFUSED, "remove '%s': before_rm %s",
			s->spec.name, r.why);
		err_hint(err,
			 "`afw logs --service before_rm %s` prints its output, "
			 "`afw rm --force %s` removes it all the same",
			 s->spec.name, s->spec.name);
	}
	if (!force)
		return -1;
	output_warn("%s", err->what);
	err_clear(err);
	return 0;
}
