/* test_session_broken.c - sessions whose files are not what they should be. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "session/session.h"
#include "support_session.h"
#include "support_unit.h"

static struct err err;

/* The content of a file, and the message about it. */
static const struct {
	const char *file, *text, *why;
} broken[] = {
    {"state.json", "", "not JSON"},
    {"state.json", "{\"v\":1,\"phase\":\"run", "not JSON, or incomplete"},
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
	sessions_put(to, name, text.data);
	buf_finish(&text);
	free(path);
}

FIXTURE(sessions_setup, sessions_teardown)

TEST(session_broken__hides_no_other)
{
	struct session_list l;

	free(sessions_make("/r/a", "good", PHASE_STOPPED, NULL));
	for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
		char id[SPEC_ID_LEN + 1], *dir;
		struct session s;

		dir = sessions_make("/r/a", "bad", PHASE_STOPPED, id);
		sessions_put(dir, broken[i].file, broken[i].text);
		assert_int_equal(session_load(&s, id, &err), 0);
		assert_true(s.broken);
		assert_string_equal(s.spec.id, id);
		assert_int_equal(s.state.phase, PHASE_ERROR);
		assert_non_null(strstr(s.state.error_reason, broken[i].why));
		assert_int_equal(s.newer,
				 strstr(broken[i].why, "newer") != NULL);
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
	assert_int_equal(session_list_load_board(&l, &err), 0);
	assert_int_equal(l.n, 1 + sizeof broken / sizeof broken[0]);
	session_list_finish(&l);
}

TEST(session_broken__is_a_copied_one)
{
	char id[SPEC_ID_LEN + 1], other[SPEC_ID_LEN + 1], *from, *to;
	struct session s;

	from = sessions_make("/r/a", "first", PHASE_STOPPED, id);
	to = sessions_make("/r/a", "second", PHASE_STOPPED, other);
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

TEST(session_broken__is_what_is_no_file)
{
	char id[SPEC_ID_LEN + 1], *dir, *path;
	struct session s;

	dir = sessions_make("/r/a", "one", PHASE_STOPPED, id);
	path = file_join(dir, "state.json");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(session_load(&s, id, &err), 0);
	/* made, and the process that made it has ended */
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
