/* support_session.c - sessions made of files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <fcntl.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/random.h"
#include "session/disk/dirs.h"
#include "session/disk/lock.h"
#include "session/spec.h"
#include "session/state.h"
#include "support_session.h"

int64_t sessions_made_at;
static struct err err;

int sessions_setup(void **state)
{
	assert_int_equal(scratch_make(state), 0);
	setenv("AF_DATA_DIR", scratch, 1);
	setenv("XDG_RUNTIME_DIR", scratch, 1);
	assert_int_equal(dirs_prepare(&err), 0);
	sessions_made_at = 1700000000000;
	assert_int_equal(chdir(scratch), 0);
	return 0;
}

int sessions_teardown(void **state)
{
	assert_int_equal(chdir("/"), 0);
	return scratch_remove(state);
}

char *sessions_make(const char *repository, const char *name, enum phase phase,
		    char *id)
{
	struct spec spec = {.name = mem_strdup(name),
			    .repository = mem_strdup(repository),
			    .repository_name =
				mem_strdup(strrchr(repository, '/') + 1),
			    .branch = mem_printf("af/%s", name),
			    .harness = mem_strdup("claude"),
			    .backend = mem_strdup("pty"),
			    .sandbox = mem_strdup("none"),
			    .worktree_ino = UINT64_MAX - 1,
			    .created_at = sessions_made_at++};
	struct state st;
	char *dir;

	random_hex(spec.id, SPEC_ID_LEN);
	if (id)
		memcpy(id, spec.id, SPEC_ID_LEN + 1);
	dir = dirs_session(spec.id, NULL);
	assert_int_equal(file_private_dir(dir, NULL), 0);
	file_close(lock_create(dir, NULL));
	strv_add(&spec.command, "--model");
	assert_int_equal(spec_save(&spec, dir, false, &err), 0);
	state_init(&st);
	st.phase = phase;
	st.activity = phase == PHASE_RUNNING ? ACTIVITY_WORKING : ACTIVITY_NONE;
	st.pid = 123;
	assert_int_equal(state_save(&st, dir, true, &err), 0);
	state_finish(&st);
	spec_finish(&spec);
	return dir;
}

void sessions_put(const char *dir, const char *name, const char *text)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY);

	assert_int_equal(
	    file_replace(fd, name, text, strlen(text), false, &err), 0);
	close(fd);
}
