/* stamp.c - files compared by inode, size and time of change. */
#include "tui/stamp.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/file.h"
#include "session/lock.h"

static const char *const names[STAMP_FILES] = {"state.json", "spec.json",
					       "screen.json"};

/* True where it is another one than before, or gone. */
static bool look_at(struct stamp *s, int i, const char *path)
{
	struct stat st = {0};
	int64_t ns = 0;
	bool same;

	if (lstat(path, &st) == 0)
		ns = (int64_t)st.st_ctim.tv_sec * 1000000000 +
		     st.st_ctim.tv_nsec;
	same = s->file[i].ino == st.st_ino && s->file[i].size == st.st_size &&
	       s->file[i].changed_ns == ns;
	s->file[i].ino = st.st_ino;
	s->file[i].size = st.st_size;
	s->file[i].changed_ns = ns;
	return !same;
}

const char *stamp_look(struct stamp *s, const char *session_dir)
{
	const char *changed = NULL;
	bool held = lock_is_held(session_dir);

	for (int i = 0; i < STAMP_FILES; i++) {
		char *path = file_join(session_dir, names[i]);

		if (look_at(s, i, path) && !changed)
			changed = names[i];
		free(path);
	}
	if (held != s->held && !changed)
		changed = "lock";
	s->held = held;
	return changed;
}
