/* test_board.c - a glance shows what the files say, or asks the files. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/delete_tree.h"
#include "base/file.h"
#include "base/random.h"
#include "session/disk/board.h"
#include "session/disk/dirs.h"
#include "session/session.h"
#include "support_session.h"
#include "support_unit.h"

/* A session's files, written as afw and the supervisor do. */
static char *write_session(const char *name, enum phase phase,
			   const char *detail)
{
	struct spec spec = {.name = mem_strdup(name),
			    .repository = mem_strdup("/src/repo"),
			    .repository_name = mem_strdup("repo"),
			    .worktree = mem_strdup("/src/.af_worktrees/x"),
			    .branch = mem_strdup("af/x"),
			    .base = mem_strdup("main"),
			    .harness = mem_strdup("claude"),
			    .backend = mem_strdup("pty"),
			    .sandbox = mem_strdup("none"),
			    .created_at = 1700000000000};
	struct state st;
	char *dir;

	random_hex(spec.id, SPEC_ID_LEN);
	dir = dirs_session(spec.id, NULL);
	assert_int_equal(mkdir(dir, 0700), 0);
	assert_int_equal(spec_save(&spec, dir, false, NULL), 0);
	state_init(&st);
	st.phase = phase;
	st.counts.lines_added = 7;
	mem_set(&st.detail, detail);
	assert_int_equal(state_save(&st, dir, false, NULL), 0);
	state_finish(&st);
	spec_finish(&spec);
	return dir;
}

static struct session_list glance(void)
{
	struct session_list l;

	assert_int_equal(session_list_load_board(&l, NULL), 0);
	return l;
}

static void claim_slot(const char *dir)
{
	struct spec spec;
	struct state st;

	assert_int_equal(spec_load(&spec, dir, NULL), 0);
	board_claim(dir, &spec);
	spec_finish(&spec);
	assert_int_equal(state_load(&st, dir, NULL), 0);
	assert_int_equal(state_save(&st, dir, false, NULL), 0);
	state_finish(&st);
}

static bool on_board(const char *dir)
{
	char *sessions = dirs_sessions(NULL);
	struct board *b = board_open(sessions);
	struct spec spec = {0};
	struct state st;
	bool got;

	free(sessions);
	if (!b)
		return false;
	state_init(&st);
	got = board_get(b, strrchr(dir, '/') + 1, &spec, &st);
	board_close(b);
	spec_finish(&spec);
	state_finish(&st);
	return got;
}

FIXTURE(sessions_setup, sessions_teardown)

TEST(board__a_glance_shows_what_the_files_say)
{
	char *dir = write_session("one", PHASE_RUNNING, "said something");
	struct session_list l;

	assert_false(on_board(dir));
	claim_slot(dir);
	l = glance();
	assert_true(on_board(dir));
	assert_int_equal(l.n, 1);
	assert_string_equal(l.v[0].spec.name, "one");
	assert_string_equal(l.v[0].spec.repository_name, "repo");
	assert_string_equal(l.v[0].spec.harness, "claude");
	assert_int_equal(l.v[0].spec.created_at, 1700000000000);
	assert_int_equal(l.v[0].state.phase, PHASE_RUNNING);
	assert_int_equal(l.v[0].state.counts.lines_added, 7);
	assert_int_equal(l.v[0].state.exit_code, -1);
	assert_string_equal(l.v[0].state.detail, "said something");
	assert_true(l.v[0].alive);
	board_release();
	assert_false(on_board(dir));
	session_list_finish(&l);
	free(dir);
}

TEST(board__the_file_of_the_dead_is_asked)
{
	char *dir = write_session("one", PHASE_STOPPED, NULL);
	char *path = file_join(dir, "state.json");
	struct session_list l;
	FILE *f;

	claim_slot(dir);
	board_release();
	f = fopen(path, "w");
	fputs("{\"v\": 1, \"phase\"", f);
	fclose(f);
	assert_false(on_board(dir));
	l = glance();
	assert_int_equal(l.n, 1);
	assert_true(l.v[0].broken);
	session_list_finish(&l);
	free(path);
	free(dir);
}

TEST(board__a_dead_live_session_is_lost)
{
	char *dir = write_session("one", PHASE_RUNNING, NULL);
	struct session_list l = glance();

	assert_int_equal(l.v[0].state.phase, PHASE_ERROR);
	assert_non_null(strstr(l.v[0].state.error_reason, "lost"));
	session_list_finish(&l);
	free(dir);
}

TEST(board__who_holds_a_slot_is_alive)
{
	char *dir = write_session("one", PHASE_RUNNING, NULL);
	struct session_list l;

	claim_slot(dir);
	l = glance();
	assert_true(board_is_held(dir));
	assert_true(l.v[0].alive);
	assert_int_equal(l.v[0].state.phase, PHASE_RUNNING);
	session_list_finish(&l);
	board_release();
	l = glance();
	assert_false(board_is_held(dir));
	assert_int_equal(l.v[0].state.phase, PHASE_ERROR);
	session_list_finish(&l);
	free(dir);
}

/* What state_load() and a glance say. */
static void assert_says(const char *dir, const char *line, int64_t rev)
{
	struct session_list l = glance();
	struct state st;

	assert_int_equal(state_load(&st, dir, NULL), 0);
	assert_int_equal(st.rev, rev);
	assert_string_equal(st.last_line, line);
	assert_string_equal(st.conversation, "c");
	assert_int_equal(l.v[0].state.rev, rev);
	assert_string_equal(l.v[0].state.last_line, line);
	state_finish(&st);
	session_list_finish(&l);
}

TEST(board__the_moment_is_written_there_alone)
{
	char *dir = write_session("one", PHASE_RUNNING, NULL);
	char *file = file_join(dir, "state.json");
	char *board = board_path_of(dir);
	struct stat before, after;
	struct state st;
	uint64_t stamp;
	int slot = -1;

	claim_slot(dir);
	state_load(&st, dir, NULL);
	mem_set(&st.conversation, "c");
	mem_set(&st.last_line, "first");
	assert_int_equal(state_save(&st, dir, false, NULL), 0);
	assert_says(dir, "first", 3);
	assert_int_equal(stat(file, &before), 0);
	mem_set(&st.last_line, "second");
	st.unsure = true;
	assert_true(board_publish(&st));
	assert_says(dir, "second", 4);
	stamp = board_stamp(dir, &slot);
	assert_true(board_publish(&st)); /* nothing is new */
	assert_int_equal(board_stamp(dir, &slot), stamp);
	assert_int_equal(stat(file, &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);

	assert_int_equal(unlink(board), 0);
	assert_true(board_publish(&st)); /* makes it again */
	assert_int_equal(truncate(board, 100), 0);
	mem_set(&st.last_line, "third");
	assert_true(board_publish(&st));
	assert_says(dir, "third", 5);
	board_release(); /* as by kill -9: the last word counts */
	state_finish(&st);
	assert_int_equal(state_load(&st, dir, NULL), 0);
	assert_string_equal(st.last_line, "third");
	assert_true(st.unsure);
	assert_int_equal(st.slot, -1);
	state_finish(&st);
	free(board);
	free(file);
	free(dir);
}

TEST(board__slots_of_the_gone_are_used_again)
{
	struct stat before, after;
	char *path = mem_printf("%s/sessions.board", scratch);

	for (int i = 0; i < 20; i++) {
		char *dir = write_session("one", PHASE_STOPPED, NULL);

		claim_slot(dir);
		assert_true(on_board(dir));
		board_release();
		assert_int_equal(delete_tree(AT_FDCWD, dir, NULL), 0);
		free(dir);
		if (i == 0)
			assert_int_equal(stat(path, &before), 0);
	}
	assert_int_equal(stat(path, &after), 0);
	assert_int_equal(before.st_size, after.st_size);
	free(path);
}

TEST(board__garbage_only_costs_time)
{
	char *dir = write_session("one", PHASE_STOPPED, NULL);
	char *path = mem_printf("%s/sessions.board", scratch);
	struct session_list l;
	struct stat st;
	FILE *f;

	claim_slot(dir);
	assert_int_equal(stat(path, &st), 0);
	f = fopen(path, "w");
	for (long i = 0; i < st.st_size; i++)
		fputc((int)(i * 31 & 0xff), f);
	fclose(f);
	l = glance();
	assert_int_equal(l.n, 1);
	assert_false(l.v[0].broken);
	assert_string_equal(l.v[0].spec.name, "one");
	session_list_finish(&l);
	assert_int_equal(unlink(path), 0);
	l = glance();
	assert_int_equal(l.n, 1);
	session_list_finish(&l);
	board_release();
	free(path);
	free(dir);
}

TEST(board__what_does_not_fit_is_read_from_the_file)
{
	char detail[2400], *dir;
	struct session_list l;

	memset(detail, 'x', sizeof detail - 1);
	detail[sizeof detail - 1] = '\0';
	dir = write_session("one", PHASE_STOPPED, detail);
	claim_slot(dir);
	assert_false(on_board(dir));
	l = glance();
	assert_string_equal(l.v[0].state.detail, detail);
	session_list_finish(&l);
	board_release();
	free(dir);
}
