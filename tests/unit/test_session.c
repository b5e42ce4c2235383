/* test_session.c - sessions as a reader sees them, whatever their files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/delete_tree.h"
#include "base/file.h"
#include "base/json.h"
#include "base/random.h"
#include "session/dirs.h"
#include "session/lock.h"
#include "session/remove.h"
#include "session/session.h"

static char root[64];
static struct err err;
static int64_t made_at;

static int set_up(void **state)
{
	(void)state;
	snprintf(root, sizeof root, "/tmp/test_session.XXXXXX");
	assert_non_null(mkdtemp(root));
	setenv("AF_DATA_DIR", root, 1);
	setenv("XDG_RUNTIME_DIR", root, 1);
	assert_int_equal(dirs_prepare(&err), 0);
	made_at = 1700000000000;
	assert_int_equal(chdir(root), 0);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	assert_int_equal(chdir("/"), 0);
	return delete_tree(AT_FDCWD, root, NULL);
}

/* Makes a session; id has room for its id. Returns its directory. */
static char *make(const char *repository, const char *name, enum phase phase,
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
			    .created_at = made_at++};
	struct state st;
	char *dir;

	random_hex(spec.id, SPEC_ID_LEN);
	if (id)
		memcpy(id, spec.id, SPEC_ID_LEN + 1);
	dir = dirs_session(spec.id, NULL);
	assert_int_equal(file_private_dir(dir, NULL), 0);
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

static void put(const char *dir, const char *name, const char *text)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY);

	assert_int_equal(
	    file_replace(fd, name, text, strlen(text), false, &err), 0);
	close(fd);
}

static void test_session__list_is_empty_without_a_directory(void **state)
{
	struct session_list l;

	(void)state;
	setenv("AF_DATA_DIR", "/nowhere/at/all", 1);
	assert_int_equal(session_list_load(&l, &err), 0);
	assert_int_equal(l.n, 0);
	session_list_finish(&l);
	setenv("AF_DATA_DIR", "relative", 1);
	assert_int_equal(session_list_load(&l, &err), -1);
	assert_non_null(strstr(err.what, "not an absolute path"));
}

static void test_session__list_is_oldest_first(void **state)
{
	struct session_list l;
	cJSON *o;

	(void)state;
	free(make("/r/a", "one", PHASE_STOPPED, NULL));
	free(make("/r/a", "two", PHASE_ERROR, NULL));
	made_at = 1600000000000;
	free(make("/r/a", "three", PHASE_STOPPED, NULL));
	assert_int_equal(session_list_load(&l, &err), 0);
	assert_int_equal(l.n, 3);
	assert_string_equal(l.v[0].spec.name, "three");
	assert_string_equal(l.v[1].spec.name, "one");
	assert_string_equal(l.v[2].spec.name, "two");
	assert_true(l.v[2].spec.worktree_ino == UINT64_MAX - 1);
	o = spec_worktree_request(&l.v[2].spec, "status");
	assert_string_equal(json_str(o, "ino"), "18446744073709551614");
	cJSON_Delete(o);
	session_list_finish(&l);
}

static void test_session__lost_is_a_free_lock(void **state)
{
	char id[SPEC_ID_LEN + 1], *dir;
	struct session s;
	int lock;

	(void)state;
	dir = make("/r/a", "one", PHASE_RUNNING, id);
	assert_int_equal(session_load(&s, id, &err), 0);
	assert_false(s.alive);
	assert_false(s.broken);
	assert_int_equal(s.state.phase, PHASE_ERROR);
	assert_int_equal(s.state.activity, ACTIVITY_NONE);
	assert_int_equal(s.state.pid, 0);
	assert_memory_equal(s.state.error_reason, "lost: ", 6);
	assert_true(s.lost);
	session_finish(&s);

	lock = lock_take(dir, &err);
	assert_true(lock >= 0);
	assert_int_equal(lock_take(dir, &err), -1);
	assert_int_equal(err.kind, ERR_CONFLICT);
	assert_int_equal(session_load(&s, id, &err), 0);
	assert_true(s.alive);
	assert_int_equal(s.state.phase, PHASE_RUNNING);
	assert_string_equal(session_word(&s), "working");
	assert_false(s.lost);
	session_finish(&s);
	close(lock);
	assert_false(lock_is_held(dir));
	free(dir);

	/* one that was to end has got what it wanted */
	free(make("/r/a", "two", PHASE_STOPPING, id));
	assert_int_equal(session_load(&s, id, &err), 0);
	assert_memory_equal(s.state.error_reason, "lost: ", 6);
	assert_false(s.lost);
	session_finish(&s);
}

/* What stands in a file, and what is said of it. */
static const struct {
	const char *file, *text, *why;
} broken[] = {
    {"state.json", "", "not JSON"},
    {"state.json", "{\"v\":1,\"phase\":\"run", "not JSON, or cut off"},
    {"state.json", "{\"v\":1,\"phase\":\"stopped\",\"activity\":\"\"} x",
     "not exactly one"},
    {"state.json", "[1]", "not exactly one"},
    {"state.json", "{\"v\":1,\"v\":1,\"phase\":\"stopped\",\"activity\":\"\"}",
     "twice"},
    {"state.json", "{\"v\":1,\"phase\":\"dancing\",\"activity\":\"\"}",
     "no valid"},
    {"state.json", "{\"v\":1,\"phase\":\"stopped\",\"activity\":\"\xff\"}",
     "not UTF-8"},
    {"state.json", "{\"v\":2}", "newer afw (version 2)"},
    {"spec.json", "{}", "valid id"},
    {"spec.json", "{\"v\":7}", "newer afw (version 7)"},
    {"spec.json",
     "{\"v\":1,\"id\":\"0123456789abcdef0123456789abcdef\","
     "\"name\":\"../x\"}",
     "no valid name"},
};

static void copy(const char *from, const char *to, const char *name)
{
	char *path = file_join(from, name);
	struct buf text = {0};

	assert_int_equal(file_read(AT_FDCWD, path, 65536, &text, &err), 0);
	put(to, name, text.data);
	buf_finish(&text);
	free(path);
}

static void test_session__broken_ones_hide_no_other(void **state)
{
	struct session_list l;

	(void)state;
	free(make("/r/a", "good", PHASE_STOPPED, NULL));
	for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
		char id[SPEC_ID_LEN + 1], *dir;
		struct session s;

		dir = make("/r/a", "bad", PHASE_STOPPED, id);
		put(dir, broken[i].file, broken[i].text);
		assert_int_equal(session_load(&s, id, &err), 0);
		assert_true(s.broken);
		assert_string_equal(s.spec.id, id);
		assert_int_equal(s.state.phase, PHASE_ERROR);
		assert_non_null(strstr(s.state.error_reason, broken[i].why));
		assert_int_equal(s.newer, strstr(broken[i].why, "newer") != NULL);
		cJSON_Delete(session_to_json(&s));
		session_finish(&s);
		free(dir);
	}
	assert_int_equal(session_list_load(&l, &err), 0);
	assert_int_equal(l.n, 1 + sizeof broken / sizeof broken[0]);
	for (size_t i = 0; i < l.n; i++)
		assert_int_equal(l.v[i].broken,
				 l.v[i].spec.name == NULL ||
				     strcmp(l.v[i].spec.name, "good") != 0);
	session_list_finish(&l);
	assert_int_equal(session_list_glance(&l, &err), 0);
	assert_int_equal(l.n, 1 + sizeof broken / sizeof broken[0]);
	session_list_finish(&l);
}

static void test_session__a_copied_one_is_broken(void **state)
{
	char id[SPEC_ID_LEN + 1], other[SPEC_ID_LEN + 1], *from, *to;
	struct session s;

	(void)state;
	from = make("/r/a", "first", PHASE_STOPPED, id);
	to = make("/r/a", "second", PHASE_STOPPED, other);
	/* cp: what acts on the copy must not reach the other's worktree */
	copy(from, to, "spec.json");
	assert_int_equal(session_load(&s, other, &err), 0);
	assert_true(s.broken);
	assert_string_equal(s.spec.id, other);
	assert_null(s.spec.worktree);
	assert_null(s.spec.harness);
	session_finish(&s);
	assert_int_equal(session_load(&s, id, &err), 0);
	assert_false(s.broken);
	session_finish(&s);
	free(from);
	free(to);
}

static void test_session__what_is_no_file_is_broken(void **state)
{
	char id[SPEC_ID_LEN + 1], *dir, *path;
	struct session s;

	(void)state;
	dir = make("/r/a", "one", PHASE_STOPPED, id);
	path = file_join(dir, "state.json");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(session_load(&s, id, &err), 0);
	/* made, and whoever made it is gone */
	assert_int_equal(s.state.phase, PHASE_ERROR);
	assert_non_null(strstr(s.state.error_reason, "lost"));
	assert_false(s.broken);
	session_finish(&s);
	assert_int_equal(symlink("/etc/hostname", path), 0);
	assert_int_equal(session_load(&s, id, &err), 0);
	assert_true(s.broken);
	session_finish(&s);
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(session_load(&s, id, &err), 0);
	assert_true(s.broken);
	session_finish(&s);
	free(path);
	free(dir);
	assert_int_equal(session_load(&s, "../../etc", &err), -1);
	assert_int_equal(err.kind, ERR_NO_SESSION);
}

static void test_session__find_by_name_repository_and_id(void **state)
{
	char a[SPEC_ID_LEN + 1], b[SPEC_ID_LEN + 1], what[80];
	struct session s;

	(void)state;
	free(make("/r/first", "one", PHASE_STOPPED, a));
	free(make("/r/second", "one", PHASE_STOPPED, b));
	free(make("/r/second", "two", PHASE_STOPPED, NULL));
	assert_int_equal(session_find(&s, "two", &err), 0);
	assert_string_equal(s.spec.name, "two");
	assert_int_equal(s.spec.command.n, 1); /* all of it, not a glance */
	session_finish(&s);
	assert_int_equal(session_find(&s, "one", &err), -1);
	assert_int_equal(err.kind, ERR_CONFLICT);
	assert_int_equal(session_find(&s, "second/one", &err), 0);
	assert_string_equal(s.spec.id, b);
	session_finish(&s);
	snprintf(what, sizeof what, "%.8s", a);
	assert_int_equal(session_find(&s, what, &err), 0);
	assert_string_equal(s.spec.id, a);
	session_finish(&s);
	snprintf(what, sizeof what, "%.5s", a);
	assert_int_equal(session_find(&s, what, &err), -1);
	assert_int_equal(err.kind, ERR_NO_SESSION);
	assert_non_null(strstr(err.hint, "second/two"));
	assert_int_equal(session_find(&s, "", &err), -1);
	assert_int_equal(session_find(&s, "/", &err), -1);
}

static void test_session__find_means_the_repository_here(void **state)
{
	char id[SPEC_ID_LEN + 1], *repo = file_join(root, "repo");
	struct session s;

	(void)state;
	free(make("/r/other", "one", PHASE_STOPPED, NULL));
	free(make(repo, "one", PHASE_STOPPED, id));
	assert_int_equal(mkdir("repo", 0700), 0);
	assert_int_equal(mkdir("repo/.git", 0700), 0);
	assert_int_equal(mkdir("repo/sub", 0700), 0);
	assert_int_equal(chdir("repo/sub"), 0);
	assert_int_equal(session_find(&s, "one", &err), 0);
	assert_string_equal(s.spec.id, id);
	session_finish(&s);
	free(repo);
}

static void test_session__repository_of_a_linked_worktree(void **state)
{
	char *want = file_join(root, "repo"), *text, *got;

	(void)state;
	assert_int_equal(mkdir("repo", 0700), 0);
	assert_int_equal(mkdir("repo/.git", 0700), 0);
	assert_int_equal(mkdir("repo/.git/worktrees", 0700), 0);
	assert_int_equal(mkdir("repo/.git/worktrees/w", 0700), 0);
	put("repo/.git/worktrees/w", "commondir", "../..\n");
	assert_int_equal(mkdir("w", 0700), 0);
	text = mem_printf("gitdir: %s/repo/.git/worktrees/w\n", root);
	put("w", ".git", text);
	free(text);
	got = session_repository_of("w");
	assert_non_null(got);
	assert_string_equal(got, want);
	free(got);
	free(want);
	put("w", ".git", "gitdir: /nowhere\n");
	assert_null(session_repository_of("w"));
	assert_null(session_repository_of("nothing"));
}

static void test_session__labels_name_the_repository_if_needed(void **state)
{
	struct session_list l;
	char *label;

	(void)state;
	free(make("/r/first", "one", PHASE_STOPPED, NULL));
	assert_int_equal(session_list_load(&l, &err), 0);
	label = session_label(&l.v[0], &l);
	assert_string_equal(label, "one");
	free(label);
	session_list_finish(&l);
	free(make("/r/second", "two", PHASE_STOPPED, NULL));
	assert_int_equal(session_list_load(&l, &err), 0);
	label = session_label(&l.v[1], &l);
	assert_string_equal(label, "second/two");
	free(label);
	session_list_finish(&l);
}

static void test_session__a_session_is_removed_whole(void **state)
{
	char id[SPEC_ID_LEN + 1], *dir, *path;
	struct session_list l;
	struct session s;

	(void)state;
	dir = make("/r/a", "one", PHASE_STOPPED, id);
	path = file_join(dir, "home");
	assert_int_equal(mkdir(path, 0700), 0);
	put(path, "file", "x");
	free(path);
	path = dirs_socket(id, &err);
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

static void test_session__words_and_urgency(void **state)
{
	struct session s = {.state = {.phase = PHASE_RUNNING}};

	(void)state;
	assert_string_equal(session_word(&s), "running");
	s.state.activity = ACTIVITY_WAITING_FOR_INPUT;
	assert_string_equal(session_word(&s), "waiting");
	assert_int_equal(session_urgency(&s), 0);
	s.state.phase = PHASE_STOPPED;
	assert_string_equal(session_word(&s), "stopped");
	assert_true(session_urgency(&s) > 4);
}

static void test_phase__only_moves_of_the_table(void **state)
{
	enum phase p = PHASE_CREATED;

	(void)state;
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

#define T(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    T(test_session__list_is_empty_without_a_directory),
	    T(test_session__list_is_oldest_first),
	    T(test_session__lost_is_a_free_lock),
	    T(test_session__broken_ones_hide_no_other),
	    T(test_session__a_copied_one_is_broken),
	    T(test_session__what_is_no_file_is_broken),
	    T(test_session__find_by_name_repository_and_id),
	    T(test_session__find_means_the_repository_here),
	    T(test_session__repository_of_a_linked_worktree),
	    T(test_session__labels_name_the_repository_if_needed),
	    T(test_session__a_session_is_removed_whole),
	    T(test_session__words_and_urgency),
	    T(test_phase__only_moves_of_the_table),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
