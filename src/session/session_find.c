/* session_find.c - which session a user means. */
#include "session/session.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

enum session_fit session_fits(const struct spec *spec, const char *what,
			      const char *here)
{
	const char *slash = strrchr(what, '/');
	size_t len = strlen(what);

	if (slash) {
		size_t n = (size_t)(slash - what);

		return spec->repository_name &&
			       strlen(spec->repository_name) == n &&
			       strncmp(spec->repository_name, what, n) == 0 &&
			       strcmp(spec->name, slash + 1) == 0
			   ? FIT_HERE
			   : FIT_NONE;
	}
	if (strcmp(spec->name, what) == 0)
		return here && spec->repository &&
			       strcmp(here, spec->repository) == 0
			   ? FIT_HERE
			   : FIT_ELSEWHERE;
	if (len >= 6 && strncmp(spec->id, what, len) == 0)
		return FIT_ID;
	return FIT_NONE;
}

static void hint_names(struct err *err, const struct session_list *l)
{
	struct buf names = {0};

	for (size_t i = 0; i < l->n && i < 8; i++) {
		char *label = session_label(&l->v[i], l);

		buf_addf(&names, "%s%s", i ? ", " : "", label);
		free(label);
	}
	if (l->n)
		err_hint(err, "there %s: %s%s", l->n == 1 ? "is" : "are",
			 names.data, l->n > 8 ? ", …" : "");
	else
		err_hint(err, "there are no sessions yet; "
			      "`afw new NAME` makes one");
	buf_finish(&names);
}

int session_find(struct session *s, const char *what, struct err *err)
{
	char *here = session_repository_here();
	struct session_list l;
	enum session_fit best = FIT_NONE;
	size_t at = 0, count = 0;
	int rc = -1;

	if (session_list_glance(&l, err) < 0)
		goto out;
	for (size_t i = 0; i < l.n; i++) {
		enum session_fit f = session_fits(&l.v[i].spec, what, here);

		if (f == FIT_NONE || f < best)
			continue;
		count = f == best ? count + 1 : 1;
		best = f;
		at = i;
	}
	if (count == 0) {
		err_set(err, ERR_NO_SESSION, "no session '%.80s'", what);
		hint_names(err, &l);
	} else if (count > 1) {
		err_set(err, ERR_CONFLICT,
			"'%.80s' may be any of %zu sessions", what, count);
		err_hint(err, "say it as repository/NAME, or by its id "
			      "(afw ls --json)");
	} else {
		rc = session_load(s, l.v[at].spec.id, err);
	}
	session_list_finish(&l);
out:
	free(here);
	return rc;
}
