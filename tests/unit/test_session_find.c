/* test_session_find.c - the session that a name means, and its label. */
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "session/session.h"
#include "support_session.h"
#include "support_unit.h"

static struct err err;

FIXTURE(sessions_setup, sessions_teardown)

TEST(session_find__by_name_repository_and_id)
{
	char a[SPEC_ID_LEN + 1], b[SPEC_ID_LEN + 1], what[80];
	struct session s;

	free(sessions_make("/r/first", "one", PHASE_STOPPED, a));
	free(sessions_make("/r/second", "one", PHASE_STOPPED, b));
	free(sessions_make("/r/second", "two", PHASE_STOPPED, NULL));
	assert_int_equal(session_find(&s, "two", &err), 0);
	assert_string_equal(s.spec.name, "two");
	assert_int_equal(s.spec.command.n, 1); /* all of it, not a glance */
	session_finish(&s);
	assert_int_equal(session_find(&s, "one", &err), -1);
	assert_int_equal(err.kind, ERR_CONFLICT);
	assert_int_equal(session_find(&s, "second/one", &err), 0);
	assert_string_equal(s.spec.id, b);
	session_finish(&s);
	free(sessions_make("/r/third", a, PHASE_STOPPED, NULL));
	assert_int_equal(session_find(&s, a, &err), 0);
	assert_string_equal(s.spec.id, a);
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

/* What git takes for a git directory, with what git init writes. */
static void make_git_dir(const char *dir)
{
	static const char *const in[] = {"", "/objects", "/refs", NULL};

	for (int i = 0; in[i]; i++) {
		char *path = mem_printf("%s%s", dir, in[i]);

		assert_int_equal(mkdir(path, 0700), 0);
		free(path);
	}
	sessions_put(dir, "HEAD", "ref: refs/heads/main\n");
	sessions_put(dir, "config", "[core]\n\tbare = false\n");
}

TEST(session_find__means_the_repository_here)
{
	char id[SPEC_ID_LEN + 1], *repo = file_join(scratch, "repo");
	struct session s;

	free(sessions_make("/r/other", "one", PHASE_STOPPED, NULL));
	free(sessions_make(repo, "one", PHASE_STOPPED, id));
	assert_int_equal(mkdir("repo", 0700), 0);
	make_git_dir("repo/.git");
	assert_int_equal(mkdir("repo/sub", 0700), 0);
	assert_int_equal(chdir("repo/sub"), 0);
	assert_int_equal(session_find(&s, "one", &err), 0);
	assert_string_equal(s.spec.id, id);
	session_finish(&s);
	free(repo);
}

TEST(session_find__repository_of_a_linked_worktree)
{
	char *want = file_join(scratch, "repo"), *text, *got;

	assert_int_equal(mkdir("repo", 0700), 0);
	make_git_dir("repo/.git");
	assert_int_equal(mkdir("repo/.git/worktrees", 0700), 0);
	assert_int_equal(mkdir("repo/.git/worktrees/w", 0700), 0);
	sessions_put("repo/.git/worktrees/w", "commondir", "../..\n");
	assert_int_equal(mkdir("w", 0700), 0);
	text = mem_printf("gitdir: %s/repo/.git/worktrees/w\n", scratch);
	sessions_put("w", ".git", text);
	free(text);
	got = session_repository_of("w");
	assert_non_null(got);
	assert_string_equal(got, want);
	free(got);
	free(want);
	sessions_put("w", ".git", "gitdir: ../repo/.git\r\n");
	got = session_repository_of("w");
	assert_string_equal(got + strlen(scratch), "/w");
	free(got);
	/* Git searches no further; neither do we. */
	assert_int_equal(mkdir("repo/lost", 0700), 0);
	sessions_put("repo/lost", ".git", "gitdir: /nowhere\n");
	assert_null(session_repository_of("repo/lost"));
	/* There it does. */
	assert_int_equal(mkdir("repo/odd", 0700), 0);
	assert_int_equal(mkdir("repo/odd/.git", 0700), 0);
	got = session_repository_of("repo/odd");
	assert_string_equal(got + strlen(scratch), "/repo");
	free(got);
	assert_null(session_repository_of("nothing"));
}

TEST(session_find__labels_name_the_repository_if_needed)
{
	struct session_list l;
	char *label;

	free(sessions_make("/r/first", "one", PHASE_STOPPED, NULL));
	assert_int_equal(session_list_load(&l, &err), 0);
	label = session_label(&l.v[0], &l);
	assert_string_equal(label, "one");
	free(label);
	session_list_finish(&l);
	free(sessions_make("/r/second", "two", PHASE_STOPPED, NULL));
	assert_int_equal(session_list_load(&l, &err), 0);
	label = session_label(&l.v[1], &l);
	assert_string_equal(label, "second/two");
	free(label);
	session_list_finish(&l);
}
