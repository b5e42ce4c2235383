/* test_store.c - a session's directory until its specification is in it. */
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "session/disk/dirs.h"
#include "session/disk/lock.h"
#include "session/disk/store.h"
#include "session/session.h"
#include "support_session.h"
#include "support_unit.h"

static bool is_there(const char *id, bool staged)
{
	char *dir = staged ? staging_dir(id, NULL) : dirs_session(id, NULL);
	bool there = access(dir, F_OK) == 0;

	free(dir);
	return there;
}

static size_t listed(void)
{
	struct session_list l;
	size_t n;

	assert_int_equal(session_list_load(&l, NULL), 0);
	n = l.n;
	session_list_finish(&l);
	return n;
}

FIXTURE(sessions_setup, sessions_teardown)

TEST(staging__is_seen_when_it_is_shown)
{
	char id[SPEC_ID_LEN + 1], *dir;
	struct err err = {0};
	int lock = staging_create(id, &err);

	assert_true(lock >= 0);
	assert_int_equal(strlen(id), SPEC_ID_LEN);
	assert_true(is_there(id, true));
	assert_int_equal(listed(), 0);
	assert_int_equal(staging_publish(id, id, &err), 0);
	assert_false(is_there(id, true));
	assert_int_equal(listed(), 1);
	/* the lock went with it */
	dir = dirs_session(id, NULL);
	assert_true(lock_is_held(dir));
	close(lock);
	assert_false(lock_is_held(dir));
	free(dir);
	/* never over another */
	assert_int_equal(staging_publish(id, id, &err), -1);
	assert_int_equal(err.kind, ERR_FAILED);
}

TEST(staging__what_is_held_stays)
{
	char held[SPEC_ID_LEN + 1], left[SPEC_ID_LEN + 1];
	int lock = staging_create(held, NULL);

	close(staging_create(left, NULL));
	assert_int_equal(staging_sweep(false), 1);
	assert_true(is_there(left, true));
	assert_int_equal(staging_sweep(true), 1);
	assert_false(is_there(left, true));
	assert_true(is_there(held, true));
	assert_int_equal(staging_sweep(true), 0);
	close(lock);
	/* the next one sweeps, too */
	lock = staging_create(left, NULL);
	assert_true(lock >= 0);
	assert_false(is_there(held, true));
	staging_drop(left);
	assert_false(is_there(left, true));
	close(lock);
}

TEST(staging__what_has_another_name_stays)
{
	static const char *const names[] = {
	    ".new-", ".new-0123", ".new-0123456789abcdef0123456789abcdeX",
	    ".new-0123456789abcdef0123456789abcdef0",
	    ".new_0123456789abcdef0123456789abcdef"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		char *dir = dirs_session(names[i], NULL);

		assert_int_equal(mkdir(dir, 0700), 0);
		assert_int_equal(staging_sweep(true), 0);
		assert_int_equal(rmdir(dir), 0);
		free(dir);
	}
}

/* Who makes one while others sweep has it, or makes another. */
TEST(staging__is_not_swept_from_under_its_maker)
{
	pid_t pid[3], sweeper = fork();
	int status;

	if (sweeper == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			staging_sweep(true);
	}
	for (int i = 0; i < 3; i++) {
		pid[i] = fork();
		for (int j = 0; pid[i] == 0 && j < 100; j++) {
			char id[SPEC_ID_LEN + 1];
			int lock = staging_create(id, NULL);

			if (lock < 0)
				_exit(1);
			if (!is_there(id, true) ||
			    staging_publish(id, id, NULL) < 0)
				_exit(2);
			close(lock);
		}
		if (pid[i] == 0)
			_exit(0);
	}
	for (int i = 0; i < 3; i++) {
		assert_int_equal(waitpid(pid[i], &status, 0), pid[i]);
		assert_int_equal(status, 0);
	}
	kill(sweeper, SIGKILL);
	assert_int_equal(waitpid(sweeper, NULL, 0), sweeper);
	assert_int_equal(listed(), 300);
	staging_sweep(true); /* what the killed one had begun */
	assert_int_equal(staging_sweep(false), 0);
}
