/* test_touched.c - the paths that were touched in a worktree. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "supervisor/chores/touched.h"
#include "support_scratch.h"
#include "support_unit.h"

static struct supervisor sv;
static struct touched *t;
static char admin[4096];
static int changes;

static void on_changed(void *ctx)
{
	changes++;
}

static void touch(const char *dir, const char *name)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof path, "%s/%s", dir, name);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	close(fd);
}

static void make_dir(const char *name)
{
	char path[4096];

	snprintf(path, sizeof path, "%s/%s", scratch, name);
	assert_int_equal(mkdir(path, 0700), 0);
}

/* "a b": what the reader takes, sorted; "*": everything. */
static const char *taken(enum touched_reader who)
{
	static char text[8192];
	struct strv paths = {0};
	bool known = touched_take(t, who, &paths);

	text[0] = '\0';
	strv_sort(&paths);
	for (size_t i = 0; i < paths.n; i++)
		snprintf(text + strlen(text), sizeof text - strlen(text),
			 "%s%s", i ? " " : "", paths.v[i]);
	assert_true(known || !paths.n);
	strv_finish(&paths);
	return known ? text : "*";
}

/* A worktree with the directories in/deep, in/node_modules, and repo/.git. */
static int create_touched(void **state)
{
	scratch_make(state);
	make_dir("tree");
	make_dir("tree/in");
	make_dir("tree/in/deep");
	make_dir("tree/in/node_modules");
	make_dir("repo");
	make_dir("repo/.git");
	make_dir("repo/.git/worktrees");
	make_dir("repo/.git/worktrees/id");
	snprintf(admin, sizeof admin, "%s/repo/.git/worktrees/id", scratch);
	sv = (struct supervisor){.loop = loop_create()};
	sv.spec.worktree = mem_printf("%s/tree", scratch);
	sv.spec.repository = mem_printf("%s/repo", scratch);
	sv.spec.worktree_id = mem_strdup("id");
	t = touched_create(&sv, on_changed, NULL);
	assert_non_null(t);
	assert_string_equal(taken(TOUCHED_COUNT), "*"); /* the first */
	assert_string_equal(taken(TOUCHED_CHECKPOINT), "*");
	changes = 0;
	return 0;
}

static int destroy_touched(void **state)
{
	touched_destroy(t);
	loop_destroy(sv.loop);
	free(sv.spec.worktree);
	free(sv.spec.repository);
	free(sv.spec.worktree_id);
	return scratch_remove(state);
}

FIXTURE(create_touched, destroy_touched)

TEST(touched__each_reader_takes_its_own)
{
	assert_string_equal(taken(TOUCHED_COUNT), "");
	touch(sv.spec.worktree, "a");
	touch(sv.spec.worktree, "in/deep/b");
	assert_string_equal(taken(TOUCHED_COUNT), "a in/deep/b");
	assert_true(changes > 0);
	touch(sv.spec.worktree, "a");
	assert_string_equal(taken(TOUCHED_COUNT), "a");
	assert_string_equal(taken(TOUCHED_CHECKPOINT),
			    "a in/deep/b in/node_modules");
	touched_forget(t, TOUCHED_COUNT);
	assert_string_equal(taken(TOUCHED_COUNT), "*");
}

/* dist/ of an action, build/ with scripts. */
TEST(touched__what_is_generated_is_watched_if_git_tracks_it)
{
	char path[8192];
	FILE *f;

	snprintf(path, sizeof path, "%s/.git", sv.spec.worktree);
	f = fopen(path, "we");
	fprintf(f, "gitdir: %s\n", admin);
	fclose(f);
	snprintf(path, sizeof path, "%s/index", admin);
	f = fopen(path, "we");
	fprintf(f, "DIRC in/node_modules/a");
	fclose(f);
	make_dir("tree/build");
	make_dir("tree/dist");
	taken(TOUCHED_COUNT);
	touch(sv.spec.worktree, "in/node_modules/a");
	touch(sv.spec.worktree, "build/b");
	assert_string_equal(taken(TOUCHED_COUNT), "in/node_modules/a");
}

/* A database, a log: it may be open all the time. */
TEST(touched__a_checkpoint_has_what_an_open_file_got)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof path, "%s/open", sv.spec.worktree);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(write(fd, "1", 1), 1);
	assert_string_equal(taken(TOUCHED_COUNT), "open");
	assert_string_equal(taken(TOUCHED_CHECKPOINT), "in/node_modules open");
	changes = 0;
	assert_int_equal(write(fd, "2", 1), 1);
	assert_string_equal(taken(TOUCHED_COUNT), "");
	assert_string_equal(taken(TOUCHED_CHECKPOINT), "in/node_modules open");
	assert_int_equal(changes, 0);
	close(fd);
	assert_string_equal(taken(TOUCHED_COUNT), "open");
	assert_string_equal(taken(TOUCHED_CHECKPOINT), "in/node_modules open");
}

TEST(touched__a_new_directory_stands_for_what_is_in_it)
{
	make_dir("tree/new");
	make_dir("tree/new/sub");
	touch(sv.spec.worktree, "new/sub/unseen");
	assert_string_equal(taken(TOUCHED_COUNT), "new");
	touch(sv.spec.worktree, "new/sub/seen");
	assert_string_equal(taken(TOUCHED_COUNT), "new/sub/seen");
}

TEST(touched__a_moved_directory_has_its_new_path)
{
	char from[4096], to[4096];

	snprintf(from, sizeof from, "%s/tree/in/deep", scratch);
	snprintf(to, sizeof to, "%s/tree/moved", scratch);
	assert_int_equal(rename(from, to), 0);
	assert_string_equal(taken(TOUCHED_COUNT), "*");
	touch(sv.spec.worktree, "moved/a");
	assert_string_equal(taken(TOUCHED_COUNT), "moved/a");
	snprintf(from, sizeof from, "%s/away", scratch);
	assert_int_equal(rename(to, from), 0); /* out of the worktree */
	assert_string_equal(taken(TOUCHED_COUNT), "*");
	touch(from, "b");
	assert_string_equal(taken(TOUCHED_COUNT), "");
}

TEST(touched__too_many_are_everything)
{
	char name[64];

	for (int i = 0; i < 300; i++) {
		snprintf(name, sizeof name, "in/file%d", i);
		touch(sv.spec.worktree, name);
	}
	assert_string_equal(taken(TOUCHED_COUNT), "*");
	touch(sv.spec.worktree, "a");
	assert_string_equal(taken(TOUCHED_COUNT), "a");
}

TEST(touched__no_name_that_json_cannot_hold)
{
	touch(sv.spec.worktree, "\xff");
	assert_string_equal(taken(TOUCHED_COUNT), "*");
}

TEST(touched__the_index_counts_as_everything)
{
	touch(admin, "index.lock");
	touch(admin, "AFW_TURN");
	assert_string_equal(taken(TOUCHED_COUNT), "");
	assert_int_equal(changes, 0);
	touch(admin, "index");
	assert_int_equal(taken(TOUCHED_COUNT)[0], '*');
	assert_int_equal(changes, 1);
	assert_string_equal(taken(TOUCHED_CHECKPOINT), "in/node_modules");
}

TEST(touched__more_directories_than_are_watched)
{
	char name[64];

	assert_false(touched_is_partial(t));
	for (int i = 0; i < 1030; i++) {
		snprintf(name, sizeof name, "tree/d%d", i);
		make_dir(name);
	}
	taken(TOUCHED_COUNT);
	assert_true(touched_is_partial(t));
	taken(TOUCHED_CHECKPOINT);
	assert_string_equal(taken(TOUCHED_CHECKPOINT), "*");
	assert_string_equal(taken(TOUCHED_COUNT), "");
}
