/* test_session.c - sessions as a reader sees them, from made to removed. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/delete_tree.h"
#include "base/file.h"
#include "base/json.h"
#include "session/disk/board.h"
#include "session/disk/dirs.h"
#include "session/disk/groups.h"
#include "session/disk/lock.h"
#include "session/disk/store.h"
#include "session/session.h"
#include "support_session.h"
#include "support_unit.h"

static struct err err;

FIXTURE(sessions_setup, sessions_teardown)

TEST(session__list_is_empty_without_a_directory)
{
	struct session_list l;

	setenv("AF_DATA_DIR", "/nowhere/at/all", 1);
	assert_int_equal(session_list_load(&l, &err), 0);
	assert_int_equal(l.n, 0);
	session_list_finish(&l);
	setenv("AF_DATA_DIR", "relative", 1);
	assert_int_equal(session_list_load(&l, &err), -1);
	assert_non_null(strstr(err.what, "not an absolute path"));
}

TEST(session__list_is_oldest_first)
{
	struct session_list l;
	struct import_request rq;
	_buf_ struct buf line = {0};

	free(sessions_make("/r/a", "one", PHASE_STOPPED, NULL));
	free(sessions_make("/r/a", "two", PHASE_ERROR, NULL));
	sessions_made_at = 1600000000000;
	free(sessions_make("/r/a", "three", PHASE_STOPPED, NULL));
	assert_int_equal(session_list_load(&l, &err), 0);
	assert_int_equal(l.n, 3);
	assert_string_equal(l.v[0].spec.name, "three");
	assert_string_equal(l.v[1].spec.name, "one");
	assert_string_equal(l.v[2].spec.name, "two");
	assert_true(l.v[2].spec.worktree_ino == UINT64_MAX - 1);
	rq.place = spec_place(&l.v[2].spec);
	worktree_request_print(import_request(&rq), &line);
	assert_non_null(strstr(line.data, "\"ino\":\"18446744073709551614\""));
	session_list_finish(&l);
}

TEST(session__lost_is_a_free_lock)
{
	char id[SPEC_ID_LEN + 1], *dir, *path;
	struct session s;
	int lock;

	dir = sessions_make("/r/a", "one", PHASE_RUNNING, id);
	assert_int_equal(session_load(&s, id, &err), 0);
	assert_false(s.alive);
	assert_false(s.broken);
	assert_int_equal(s.state.phase, PHASE_ERROR);
	assert_int_equal(s.state.activity, ACTIVITY_NONE);
	assert_int_equal(s.state.pid, 0);
	assert_memory_equal(s.state.error_reason, "lost: ", 6);
	assert_true(s.lost);
	session_finish(&s);

	lock = lock_acquire(dir, &err);
	assert_true(lock >= 0);
	assert_int_equal(lock_acquire(dir, &err), -1);
	assert_int_equal(err.kind, ERR_CONFLICT);
	assert_int_equal(session_load(&s, id, &err), 0);
	assert_true(s.alive);
	assert_int_equal(s.state.phase, PHASE_RUNNING);
	assert_string_equal(session_status_word(&s), "working");
	assert_false(s.lost);
	session_finish(&s);
	close(lock);
	assert_false(lock_is_held(dir));

	/* The file's loss leaves it unknown whether it is running. */
	path = file_join(dir, "lock");
	assert_int_equal(unlink(path), 0);
	free(path);
	assert_int_equal(lock_acquire(dir, &err), -1);
	assert_int_equal(err.kind, ERR_CONFLICT);
	assert_false(lock_is_held(dir));
	delete_tree(AT_FDCWD, dir, &err);
	assert_int_equal(lock_acquire(dir, &err), -1);
	assert_int_equal(err.kind, ERR_NO_SESSION);
	free(dir);

	/* one that should end has done so */
	free(sessions_make("/r/a", "two", PHASE_STOPPING, id));
	assert_int_equal(session_load(&s, id, &err), 0);
	assert_memory_equal(s.state.error_reason, "lost: ", 6);
	assert_false(s.lost);
	session_finish(&s);
}

/* Makes the state file say that another kernel ran when it was written. */
static void age(const char *dir)
{
	char *path = file_join(dir, "state.json"), *at;
	struct buf text = {0};

	assert_int_equal(file_read(AT_FDCWD, path, 65536, &text, &err), 0);
	at = strstr(text.data, "\"boot_id\":\"");
	assert_non_null(at);
	at += strlen("\"boot_id\":\"");
	*at = *at == '0' ? '1' : '0';
	sessions_put(dir, "state.json", text.data);
	buf_finish(&text);
	free(path);
}

TEST(session__a_restart_of_the_machine_is_told)
{
	char id[SPEC_ID_LEN + 1], *dir;
	struct session_list l;
	struct session s;
	struct state st;
	int lock;

	dir = sessions_make("/r/a", "one", PHASE_RUNNING, id);
	assert_int_equal(session_load(&s, id, &err), 0);
	assert_null(strstr(s.state.error_reason, "restarted"));
	session_finish(&s);

	age(dir);
	assert_int_equal(session_load(&s, id, &err), 0);
	assert_int_equal(s.state.phase, PHASE_ERROR);
	assert_string_equal(s.state.error_reason,
			    "lost: the machine was restarted while the "
			    "session was running");
	assert_true(s.lost);
	session_finish(&s);
	assert_int_equal(session_list_load_board(&l, &err), 0);
	assert_int_equal(l.n, 1);
	assert_non_null(strstr(l.v[0].state.error_reason, "restarted"));
	assert_int_equal(l.v[0].state.pid, 0);
	session_list_finish(&l);

	/* the process that has just acquired the lock has not written yet */
	lock = lock_acquire(dir, &err);
	assert_int_equal(session_load(&s, id, &err), 0);
	assert_true(s.alive);
	assert_int_equal(s.state.pid, 0);
	session_finish(&s);

	/* what is written now is of this boot; an idle session is not changed
	 */
	assert_int_equal(state_load(&st, dir, &err), 0);
	assert_int_equal(st.pid, 0);
	assert_true(state_is_of_earlier_boot(&st));
	st.phase = PHASE_STOPPED;
	assert_int_equal(state_save(&st, dir, false, &err), 0);
	assert_true(state_is_of_earlier_boot(&st));
	st.phase = PHASE_PROVISIONING;
	assert_int_equal(state_save(&st, dir, false, &err), 0);
	assert_false(state_is_of_earlier_boot(&st));
	state_finish(&st);
	close(lock);
	free(dir);
}

TEST(session__a_session_is_removed_whole)
{
	char id[SPEC_ID_LEN + 1], *dir, *path, *stem;
	struct session_list l;
	struct session s;

	dir = sessions_make("/r/a", "one", PHASE_STOPPED, id);
	path = dirs_socket(id, &err);
	assert_int_equal(mkfifo(path, 0600), 0);
	free(path);
	path = file_join(dir, "home");
	assert_int_equal(mkdir(path, 0700), 0);
	sessions_put(path, "file", "x");
	free(path);
	stem = dirs_runtime_of(id, &err);
	path = mem_printf("%s.tmux", stem);
	free(stem);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(session_load(&s, id, &err), 0);
	assert_int_equal(session_remove(&s, &err), 0);
	assert_int_equal(access(dir, F_OK), -1);
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(session_list_load(&l, &err), 0);
	assert_int_equal(l.n, 0);
	session_list_finish(&l);
	assert_int_equal(session_remove(&s, &err), -1);
	session_finish(&s);
	free(path);
	free(dir);
}

TEST(session__is_in_groups)
{
	char *dir = sessions_make("/r/a", "one", PHASE_RUNNING, NULL), name[16];
	struct session_list l;

	assert_false(groups_has(dir, "web"));
	assert_int_equal(groups_leave(dir, "web", &err), 0);
	assert_int_equal(groups_join(dir, "web", &err), 0);
	assert_int_equal(groups_join(dir, "web", &err), 0);
	assert_int_equal(groups_join(dir, "api", &err), 0);
	assert_true(groups_has(dir, "web"));
	assert_int_equal(groups_join(dir, "../lock", &err), -1);
	assert_int_equal(err.kind, ERR_USAGE);
	assert_int_equal(groups_leave(dir, "../lock", &err), -1);
	assert_int_equal(session_list_load(&l, &err), 0);
	assert_int_equal(l.v[0].groups.n, 2);
	assert_string_equal(l.v[0].groups.v[0], "api");
	session_list_finish(&l);
	for (int i = 2; i < GROUPS_MAX; i++) {
		snprintf(name, sizeof name, "g%d", i);
		assert_int_equal(groups_join(dir, name, &err), 0);
	}
	assert_int_equal(groups_join(dir, "more", &err), -1);
	assert_int_equal(err.kind, ERR_LIMIT);
	assert_int_equal(groups_join(dir, "web", &err), 0);
	assert_int_equal(groups_leave(dir, "web", &err), 0);
	assert_false(groups_has(dir, "web"));
	assert_int_equal(groups_join(dir, "more", &err), 0);
	free(dir);
}

/* Another process that has the lock, until it is killed. */
static pid_t holder(const char *dir, bool supervisor)
{
	struct spec spec = {0};
	int ready[2];
	char c;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		if (supervisor && spec_load(&spec, dir, NULL) == 0)
			board_claim(dir, &spec);
		if (lock_acquire(dir, NULL) < 0 || write(ready[1], "", 1) != 1)
			_exit(1);
		poll(NULL, 0, -1);
		_exit(0);
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &c, 1), 1);
	close(ready[0]);
	return pid;
}

/* Another one, that kills it in a moment. */
static pid_t killer(pid_t of)
{
	pid_t pid = fork();

	if (pid == 0) {
		poll(NULL, 0, 200);
		kill(of, SIGKILL);
		_exit(0);
	}
	return pid;
}

TEST(session__who_is_leaving_is_waited_for)
{
	char id[SPEC_ID_LEN + 1], *dir;
	struct session s;
	int64_t began;
	pid_t pid, other;

	dir = sessions_make("/src/web", "one", PHASE_STOPPED, id);
	pid = holder(dir, true);
	assert_int_equal(session_load(&s, id, &err), 0);
	assert_true(s.alive);
	other = killer(pid);
	/* its limit may pass before the killer has its turn */
	for (int i = 0; i < 10 && s.alive; i++)
		session_wait_settled(&s);
	assert_false(s.alive);
	assert_int_equal(s.state.phase, PHASE_STOPPED);
	session_finish(&s);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(waitpid(other, NULL, 0), other);
	/* but no other process that has it */
	pid = holder(dir, false);
	assert_int_equal(session_load(&s, id, &err), 0);
	began = clock_mono_ms();
	session_wait_settled(&s);
	assert_true(s.alive);
	assert_true(clock_mono_ms() - began < 60000);
	session_finish(&s);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	free(dir);
	/* nor who has work to do */
	dir = sessions_make("/src/web", "two", PHASE_RUNNING, id);
	pid = holder(dir, true);
	assert_int_equal(session_load(&s, id, &err), 0);
	session_wait_settled(&s);
	assert_true(s.alive);
	session_finish(&s);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	free(dir);
}

TEST(session__has_one_word)
{
	static const struct {
		enum phase phase;
		enum activity activity;
		const char *word;
	} cases[] = {
	    {PHASE_RUNNING, ACTIVITY_WAITING_FOR_INPUT, "waiting"},
	    {PHASE_ERROR, ACTIVITY_NONE, "failed"},
	    {PHASE_RUNNING, ACTIVITY_FAILED, "failed"},
	    {PHASE_RUNNING, ACTIVITY_COMPLETED, "done"},
	    {PHASE_RUNNING, ACTIVITY_WORKING, "working"},
	    {PHASE_RUNNING, ACTIVITY_THINKING, "working"},
	    {PHASE_RUNNING, ACTIVITY_NONE, "starting"},
	    {PHASE_PROVISIONING, ACTIVITY_NONE, "starting"},
	    {PHASE_STARTING, ACTIVITY_NONE, "starting"},
	    {PHASE_STOPPING, ACTIVITY_NONE, "stopping"},
	    {PHASE_RUNNING, ACTIVITY_IDLE, "idle"},
	    {PHASE_CREATED, ACTIVITY_NONE, "created"},
	    {PHASE_SUSPENDED, ACTIVITY_NONE, "suspended"},
	    {PHASE_STOPPED, ACTIVITY_NONE, "stopped"},
	};
	enum word word, last = WORD_WAITING;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct session s = {.state = {.phase = cases[i].phase,
					      .activity = cases[i].activity}};

		assert_string_equal(session_status_word(&s), cases[i].word);
		assert_int_equal(word_parse(cases[i].word, &word), 0);
		assert_int_equal(session_urgency(&s), word);
		assert_true(word >= last);
		last = word;
	}
	assert_int_equal(last, WORD_COUNT - 1);
	assert_int_equal(word_parse("waiting_for_input", &word), -1);
	assert_int_equal(word_parse("", &word), -1);
}

/* What a list shows of a session with these words. */
static void says(const struct state *st, const char *wanted)
{
	struct session s = {.state = *st};
	struct buf b = {0};

	s.state.title = strdup("Claude Code");
	s.state.last_line = strdup("/ Reading the task");
	session_summary(&s, &b);
	assert_string_equal(b.data ? b.data : "", wanted);
	buf_finish(&b);
	free(s.state.title);
	free(s.state.last_line);
}

TEST(session__says_the_last_words_and_no_title)
{
	char task[] = "Reading main.c", words[] = "All tests pass now.",
	     hook[] = "hook", process[] = "process", asks[] = "Run make?",
	     cut[] = "interrupted", quiet[] = "quiet, as far as …";
	struct state st = {.phase = PHASE_RUNNING,
			   .activity = ACTIVITY_WORKING,
			   .activity_source = hook};

	says(&st, "");
	st.detail = task;
	st.said = words; /* of the turn before: the next has not begun */
	says(&st, "Reading main.c");
	st.activity = ACTIVITY_WAITING_FOR_INPUT;
	st.detail = asks;
	says(&st, "Run make?");
	st.activity = ACTIVITY_COMPLETED;
	st.detail = NULL;
	says(&st, "All tests pass now.");
	st.activity = ACTIVITY_IDLE;
	says(&st, "All tests pass now.");
	st.counts.uncommitted = 2;
	says(&st, "2 files not committed; All tests pass now.");
	st.counts.uncommitted = 0;
	st.detail = cut;
	says(&st, "interrupted");
	st.detail = NULL;
	st.phase = PHASE_STOPPED;
	st.activity = ACTIVITY_NONE;
	says(&st, "All tests pass now.");
	st.said = NULL;
	says(&st, "");
	/* of a command, what it printed, and not how afw knows */
	st = (struct state){.phase = PHASE_RUNNING,
			    .activity = ACTIVITY_IDLE,
			    .activity_source = process,
			    .detail = quiet,
			    .said = words};
	says(&st, "All tests pass now.");
	st.said = NULL;
	says(&st, "");
}

TEST(phase__only_moves_of_the_table)
{
	enum phase p = PHASE_CREATED;

	assert_int_equal(phase_move(&p, PHASE_RUNNING, &err), -1);
	assert_int_equal(err.kind, ERR_CONFLICT);
	assert_int_equal(p, PHASE_CREATED);
	assert_int_equal(phase_move(&p, PHASE_PROVISIONING, &err), 0);
	assert_int_equal(phase_move(&p, PHASE_STARTING, &err), 0);
	assert_int_equal(phase_move(&p, PHASE_RUNNING, &err), 0);
	assert_int_equal(phase_move(&p, PHASE_STOPPED, &err), -1);
	assert_int_equal(phase_move(&p, PHASE_STOPPING, &err), 0);
	assert_int_equal(phase_move(&p, PHASE_STOPPED, &err), 0);
	for (int i = 0; i < PHASE_COUNT; i++) {
		enum phase q;

		assert_int_equal(phase_parse(phase_name((enum phase)i), &q), 0);
		assert_int_equal(q, i);
		assert_false(phase_may_move((enum phase)i, (enum phase)i));
	}
	assert_int_equal(phase_parse("", &p), -1);
	assert_int_equal(phase_parse(NULL, &p), -1);
}
