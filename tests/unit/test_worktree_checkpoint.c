/* test_worktree_checkpoint.c - the states of a worktree that are kept. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "support_unit.h"
#include "support_worktree.h"

#define W   ".af_worktrees/r-one"
#define LOG "r/.git/worktrees/r-one/logs/refs/worktree/afw/checkpoints"

FIXTURE(wt_setup, wt_teardown)

/* Takes one; returns its number. */
static long take_checkpoint(const char *members)
{
	struct wt_answer a = wt_one_ask("checkpoint", members);
	long number = wt_int(&a, "number");

	if (a.code != 0)
		printf("# %s\n", a.lines.data);
	assert_int_equal(a.code, 0);
	wt_answer_finish(&a);
	return number;
}

/* Fails unless the list is these numbers and kinds. */
static void list_is(const char *expected)
{
	struct wt_answer a = wt_one_ask("checkpoints", "");
	struct buf text = {0};
	const cJSON *o;

	assert_int_equal(a.code, 0);
	cJSON_ArrayForEach (o, cJSON_GetObjectItem(a.answer, "checkpoints"))
		buf_addf(&text, "%s%d %s", text.len ? ", " : "",
			 (int)json_int(o, "number", 0),
			 json_str_or(o, "kind", "?"));
	buf_adds(&text, "");
	assert_string_equal(text.data, expected);
	buf_finish(&text);
	wt_answer_finish(&a);
}

TEST(worktree_checkpoint__lists_what_each_one_has)
{
	struct wt_answer a;
	const cJSON *list, *o;

	wt_repo("r", 5);
	wt_one("");
	assert_int_equal(
	    take_checkpoint(
		",\"kind\":\"turn-begin\",\"text\":\"do it\\nnow\""),
	    1);
	wt_sh("cd " W " && printf 'a\\nb\\n' >> src/f1 && rm src/f2 && "
	      "echo c > new && git commit -qam two");
	assert_int_equal(take_checkpoint(",\"kind\":\"turn-end\""), 2);
	a = wt_one_ask("checkpoints", "");
	list = cJSON_GetObjectItem(a.answer, "checkpoints");
	assert_int_equal(cJSON_GetArraySize(list), 2);
	o = cJSON_GetArrayItem(list, 0);
	assert_string_equal(json_str(o, "text"), "do it");
	assert_string_equal(json_str(o, "branch"), "af/one");
	assert_true(json_int(o, "at", 0) > 0);
	o = cJSON_GetArrayItem(list, 1);
	assert_int_equal(json_int(o, "files", 0), 3);
	assert_int_equal(json_int(o, "lines_added", 0), 3);
	assert_int_equal(json_int(o, "lines_removed", 0), 1);
	assert_string_equal(json_str(o, "head"),
			    wt_out("git -C " W " rev-parse HEAD"));
	wt_answer_finish(&a);
}

TEST(worktree_checkpoint__adds_nothing_if_nothing_has_changed)
{
	wt_repo("r", 3);
	wt_one("");
	assert_int_equal(take_checkpoint(",\"kind\":\"turn-begin\""), 1);
	assert_int_equal(take_checkpoint(",\"kind\":\"turn-end\""), 1);
	assert_int_equal(take_checkpoint(",\"kind\":\"stop\""), 1);
	list_is("1 turn-begin");
	/* a user's own is always there */
	assert_int_equal(take_checkpoint(""), 2);
	wt_sh("echo x > " W "/x");
	assert_int_equal(take_checkpoint(",\"kind\":\"turn-end\""), 3);
	/* the next turn begins as that one ended */
	assert_int_equal(take_checkpoint(",\"kind\":\"turn-begin\""), 3);
	list_is("1 turn-begin, 2 user, 3 turn-begin");
	/* each of these is another state */
	wt_sh("chmod +x " W "/x");
	assert_int_equal(take_checkpoint(",\"kind\":\"turn-end\""), 4);
	wt_sh("mkdir " W "/dir");
	assert_int_equal(take_checkpoint(",\"kind\":\"turn-end\""), 5);
	wt_sh("git -C " W " add x");
	assert_int_equal(take_checkpoint(",\"kind\":\"turn-end\""), 6);
	wt_sh("git -C " W " commit -qm x");
	assert_int_equal(take_checkpoint(",\"kind\":\"turn-end\""), 7);
	/* and this is not a change: git writes only the times again */
	wt_sh("cd " W " && touch -d '1 hour ago' src/f1 && git status -s");
	assert_int_equal(take_checkpoint(",\"kind\":\"turn-end\""), 7);
}

TEST(worktree_checkpoint__drops_the_oldest)
{
	struct wt_answer a;

	wt_repo("r", 3);
	wt_one("");
	for (int i = 1; i <= 5; i++)
		assert_int_equal(take_checkpoint(",\"keep\":3"), i);
	list_is("3 user, 4 user, 5 user");
	a = wt_one_ask("diff", ",\"from\":1");
	wt_refused(&a, 1, "there is no checkpoint 1");
	assert_string_equal(wt_str(&a, "hint"), "the nearest is 3");
	wt_answer_finish(&a);
}

TEST(worktree_checkpoint__is_kept_by_git_and_shown_to_nobody)
{
	wt_repo("r", 5);
	wt_one("");
	wt_sh("cd " W " && echo 1 > new && echo s > src/f1 && git add src/f1 "
	      "&& echo t > src/f1 && git commit -q --allow-empty -m gone");
	take_checkpoint("");
	wt_sh("cd " W " && git reset -q --hard HEAD^ && rm -f new && "
	      "git reflog expire --expire-unreachable=now HEAD af/one; "
	      "git gc -q --prune=now; git reflog expire --all; git gc -q "
	      "--prune=now");
	/* as the manual says */
	wt_sh("cd r && for i in reflogExpire reflogExpireUnreachable; do "
	      "git config gc.$i now && "
	      "git config \"gc.*refs/worktree/afw/*.$i\" never; done && "
	      "git gc -q --prune=now");
	wt_sh("cd r && git fsck --strict --no-dangling && "
	      "! git log --all --format=%%an | grep -q afw && "
	      "! git for-each-ref | grep -q checkpoint && "
	      "git init -q --bare ../far && git push -q --mirror ../far && "
	      "! git -C ../far log --all --format=%%an | grep -q afw && "
	      "git clone -q --mirror . ../near && "
	      "! git -C ../near log --all --format=%%an | grep -q afw");
	wt_sh("c=$(cut -c42-81 " LOG ") && cd r && "
	      "[ $(git show $c:files/new) = 1 ] && "
	      "[ $(git show $c:files/src/f1) = t ] && "
	      "[ $(git log -1 --format=%%s $c^) = gone ]");
}

TEST(worktree_checkpoint__comes_back_from_the_trash)
{
	static const char id[] = ",\"id\":\"0123456789abcdef0123456789abcdef\"";
	struct wt_answer a;

	wt_repo("r", 3);
	wt_one("");
	wt_sh("echo x > " W "/x");
	take_checkpoint("");
	a = wt_one_ask("remove", id);
	assert_int_equal(a.code, 0);
	wt_answer_finish(&a);
	wt_sh("git -C r gc -q --prune=now");
	a = wt_one_ask("restore", id);
	assert_int_equal(a.code, 0);
	wt_answer_finish(&a);
	list_is("1 user");
	a = wt_one_ask("diff", ",\"from\":1");
	assert_int_equal(a.code, 0);
	assert_int_equal(wt_int(&a, "files"), 0);
	wt_answer_finish(&a);
}

/* The bytes on disk, whatever git would make of them. */
TEST(worktree_checkpoint__holds_files_as_they_are)
{
	struct wt_answer a;

	wt_repo("r", 3);
	wt_one("");
	wt_sh("cd " W " && git config core.autocrlf true && "
	      "printf 'a\\r\\nb\\n' > crlf && printf 'x\\n' > $'\\377\\1\\n' "
	      "&& ln -s 'no where' l && mkdir e && echo i > i.log && "
	      "echo f > $'-\\\\ \"' && truncate -s 3M big && git init -q n && "
	      "echo n > n/n && mkfifo pipe && echo t > t.log && "
	      "git add -f t.log && ln -sfn src dir");
	a = wt_one_ask("checkpoint", ",\"file_max\":2000000");
	assert_int_equal(a.code, 0);
	assert_non_null(strstr(a.lines.data, "\"left_out\":[\"big\",\"n/\"]"));
	wt_answer_finish(&a);
	wt_sh("c=$(cut -c42-81 " LOG ") && mkdir out && cd out && "
	      "git -C ../r -c core.autocrlf=false archive $c:files | tar x && "
	      "cd .. && cd " W " && rm -r big n pipe i.log && rmdir e && "
	      "[ -x ../../out/run.sh ]");
	assert_string_equal(wt_out("c=$(cut -c42-81 " LOG "); cd r; "
				   "git show $c:empty | tr '\\0' ,; "
				   "git show $c:index | cmp - "
				   ".git/worktrees/r-one/index"),
			    "e,");
	assert_string_equal(
	    wt_out("cd " W "; diff -r --no-dereference -x .git . ../../out"),
	    "");
}

TEST(worktree_checkpoint__are_compared)
{
	struct wt_answer a;

	wt_repo("r", 5);
	wt_one("");
	take_checkpoint("");
	wt_sh("echo two >> " W "/src/f1");
	take_checkpoint("");
	wt_sh("echo three >> " W "/src/f2");
	a = wt_one_ask("diff", ",\"from\":1,\"to\":2");
	assert_int_equal(wt_int(&a, "files"), 1);
	assert_non_null(strstr(a.lines.data, "+two"));
	wt_answer_finish(&a);
	a = wt_one_ask("diff", ",\"from\":1");
	assert_int_equal(wt_int(&a, "files"), 2);
	wt_answer_finish(&a);
	/* what was not kept is not stored */
	wt_sh("cd r && git cat-file --batch-all-objects --batch | "
	      "grep -a two && ! git cat-file --batch-all-objects --batch | "
	      "grep -a three");
	a = wt_one_ask("diff", ",\"from\":2,\"to\":9");
	wt_refused(&a, 1, "there is no checkpoint 9");
	assert_string_equal(wt_str(&a, "hint"), "the nearest is 2");
	wt_answer_finish(&a);
}

/* An agent without a sandbox can write the log. */
TEST(worktree_checkpoint__refuses_one_that_lacks_a_member)
{
	struct wt_answer a;

	wt_repo("r", 1);
	wt_one("");
	take_checkpoint("");
	wt_sh("old=$(cut -d' ' -f2 " LOG ") && "
	      "new=$(git -C r commit-tree \"$old^{tree}\" -p HEAD "
	      "-m '{\"kind\":\"user\"}') && sed -i \"s/$old/$new/\" " LOG);
	a = wt_one_ask("checkpoints", "");
	wt_refused(&a, 1, "read checkpoint 1");
	wt_answer_finish(&a);
}

TEST(worktree_checkpoint__sees_a_change_within_a_tick)
{
	wt_repo("r", 3);
	wt_one("");
	/* the same size, and as fast as it goes */
	for (int i = 1; i < 10; i++) {
		wt_sh("echo %d > " W "/x", i);
		assert_int_equal(take_checkpoint(",\"kind\":\"turn-end\""), i);
	}
}

TEST(worktree_checkpoint__remembers_what_it_has_read)
{
	wt_repo("r", 120);
	wt_one("");
	take_checkpoint("");
	wt_sh("cd " W " && GIT_INDEX_FILE="
	      "../../r/.git/worktrees/r-one/afw-checkpoint.index "
	      "git ls-files -s | diff - <(git ls-files -s)");
	wt_sh("echo changed > " W "/src/f1");
	assert_int_equal(take_checkpoint(",\"kind\":\"turn-end\""), 2);
}

/* Nothing is kept for a caller that has gone. */
TEST(worktree_checkpoint__ends_with_its_caller)
{
	struct wt_answer a;
	struct wt_run r;
	char *members;

	wt_repo("r", 3);
	members = wt_create("r", "one", "");
	r = wt_start_open("{\"op\":\"checkpoint\",%s}", members);
	close(r.out);
	r.out = -1;
	assert_int_equal(write(r.in, "\n", 1), 1);
	a = wt_finish(&r);
	assert_int_equal(a.code, 1);
	wt_sh("[ ! -e " LOG " ]");
	wt_answer_finish(&a);
	free(members);
}

/* The `git gc` of another user deletes what no list names. */
TEST(worktree_checkpoint__is_readable_for_who_shares_the_repository)
{
	mode_t mine = umask(022);

	wt_repo("r", 3);
	wt_sh("git -C r config core.sharedRepository group");
	wt_one("");
	take_checkpoint("");
	umask(mine);
	assert_string_equal(wt_out("stat -c %%a " LOG), "664");
}

/* Commits and what is staged in a private git directory are kept, too. */
TEST(worktree_checkpoint__reads_a_private_git_directory)
{
	char *more = mem_printf(",\"private\":\"%s/p\"", scratch);
	struct wt_answer a;

	wt_repo("r", 3);
	wt_one("");
	a = wt_one_ask("private", more);
	assert_int_equal(a.code, 0);
	wt_answer_finish(&a);
	wt_sh(
	    "cp p.file " W "/.git && cd " W " && echo c > c && git add c && "
	    "git commit -qm in && echo staged > s && git add s && echo x > s");
	take_checkpoint(more);
	wt_sh("git -C r gc -q --prune=now; c=$(cut -c42-81 " LOG "); cd r && "
	      "[ $(git log -1 --format=%%s $c^) = in ] && "
	      "git show $c:index | cmp - ../p/index && "
	      "[ $(git show $(git -C ../" W " ls-files -s s | cut -c8-47)) = "
	      "staged ]");
	free(more);
}

/* -- what was touched ------------------------------------------------------
 */

#define END "\"kind\":\"turn-end\""

/* git's index is then too old to be changed again within its time. */
static void first_checkpoint(void)
{
	wt_sh("sleep 0.2");
	take_checkpoint("," END);
}

TEST(worktree_checkpoint__reads_what_was_touched)
{
	wt_repo("r", 5);
	wt_one("");
	first_checkpoint();
	wt_sh("cd " W " && echo 1 >> src/f1 && echo 2 >> src/f2 && mkdir e");
	assert_int_equal(take_checkpoint("," END ",\"touched\":[]"), 1);
	assert_int_equal(
	    take_checkpoint("," END ",\"touched\":[\"src/f1\",\"x/y\"]"), 2);
	assert_string_equal(wt_out("cd r && c=$(tail -1 ../" LOG
				   " | cut -c42-81) && git diff --name-only "
				   "HEAD:./ $c:files"),
			    "src/f1");
	assert_int_equal(take_checkpoint("," END), 3);
	/* git's index, and what is ignored, are for all files */
	wt_sh("cd " W " && echo 3 >> src/f1 && git add src/f1");
	assert_int_equal(take_checkpoint("," END ",\"touched\":[]"), 4);
	wt_sh("cd " W " && echo f3 > src/.gitignore && git rm -q --cached "
	      "src/f3");
	first_checkpoint();
	wt_sh("rm " W "/src/.gitignore");
	take_checkpoint("," END ",\"touched\":[\"src/.gitignore\"]");
	assert_string_equal(wt_out("c=$(tail -1 " LOG " | cut -c42-81); "
				   "git -C r show $c:files/src/f3"),
			    wt_out("cat " W "/src/f3"));
}

/* Changes of files as an agent makes them, and what inotify reports of them. */
struct change {
	int dir; /* of the worktree */
	struct strv touched;
	unsigned seed;
};

static unsigned pick(struct change *c, unsigned n)
{
	c->seed = c->seed * 1103515245 + 12345;
	return c->seed / 65536 % n;
}

static char *random_path(struct change *c)
{
	static const char *const parts[] = {"a",   "a-b", "b.log",
					    "ign", "n",	  "\303\274"};
	char *path = mem_strdup(parts[pick(c, 6)]);

	for (unsigned i = pick(c, 3); i > 0; i--) {
		char *longer = mem_printf("%s/%s", path, parts[pick(c, 6)]);

		free(path);
		path = longer;
	}
	return path;
}

static void touch(struct change *c, const char *path)
{
	strv_add(&c->touched, path);
}

/* Makes room for path, and the directories above it. */
static void clear_way(struct change *c, const char *path)
{
	for (const char *p = path; (p = strchr(p, '/')); p++) {
		char *dir = mem_strndup(path, (size_t)(p - path));
		struct stat st;

		if (fstatat(c->dir, dir, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    !S_ISDIR(st.st_mode))
			unlinkat(c->dir, dir, 0);
		if (mkdirat(c->dir, dir, 0777) == 0)
			touch(c, dir);
		free(dir);
	}
	wt_sh("rm -rf '" W "/%s'", path);
	touch(c, path);
}

static void write_random(struct change *c, const char *path)
{
	int fd = openat(c->dir, path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	off_t len = 1 + (off_t)pick(c, 150); /* over file_max now and then */

	assert_true(fd >= 0 && ftruncate(fd, len) == 0);
	close(fd);
}

static void change_one(struct change *c)
{
	char *path = random_path(c), *other = random_path(c);

	switch (pick(c, 8)) {
	case 0:
	case 1:
		clear_way(c, path);
		write_random(c, path);
		break;
	case 2:
		wt_sh("rm -rf '" W "/%s'", path);
		touch(c, path);
		break;
	case 3:
		clear_way(c, other);
		touch(c, path);
		renameat(c->dir, path, c->dir, other);
		break;
	case 4:
		fchmodat(c->dir, path, 0755, 0);
		touch(c, path);
		break;
	case 5:
		clear_way(c, path);
		assert_int_equal(symlinkat("src", c->dir, path), 0);
		break;
	case 6:
		clear_way(c, path);
		assert_int_equal(mkdirat(c->dir, path, 0777), 0);
		break;
	case 7: /* a nested repository */
		clear_way(c, path);
		wt_sh("git init -q '" W "/%s'", path);
	}
	free(path);
	free(other);
}

TEST(worktree_checkpoint__of_what_was_touched_is_of_all)
{
	static const char max[] = "\"file_max\":100";
	struct change c = {.seed = 7};
	char *tree;

	wt_repo("r", 5);
	wt_one("");
	wt_sh("cd " W " && printf '*.log\nign/\n!a/b.log\n' > .gitignore && "
	      "mkdir -p a/ign ign && touch b.log a/ign/a ign/n ign/a && "
	      "git add -Af . && git commit -qm all");
	first_checkpoint();
	tree = file_join(scratch, W);
	c.dir = open(tree, FILE_DIR_FLAGS);
	free(tree);
	assert_true(c.dir >= 0);
	for (int i = 0; i < 100; i++) {
		cJSON *o = cJSON_CreateObject();
		struct buf text = {0};
		char *request, *full;
		long number;

		for (unsigned n = 1 + pick(&c, 4); n > 0; n--)
			change_one(&c);
		json_set_strv(o, "touched", &c.touched);
		json_print(o, &text);
		text.data[text.len - 1] = '\0';
		request = mem_printf("," END ",%s,%s", max, text.data + 1);
		full = mem_printf("," END ",%s", max);
		number = take_checkpoint(request);
		if (take_checkpoint(full) != number)
			fail_msg("%d: %s", i, text.data);
		strv_finish(&c.touched);
		free(request);
		free(full);
		buf_finish(&text);
		cJSON_Delete(o);
	}
	close(c.dir);
}
