/* test_worktree_remove.c - a worktree is removed by a rename, with git's files
 * for it, and restored by another; unsaved work is never deleted. */
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "support_unit.h"
#include "support_worktree.h"

#define ID    "0123456789abcdef0123456789abcdef"
#define W     ".af_worktrees/r-one"
#define TRASH ".af_worktrees/.trash/" ID
#define ENTRY "r/.git/worktrees/afw-trash-" ID

static struct wt_answer run_request(const char *op, const char *more)
{
	char members[512];

	snprintf(members, sizeof members, ",\"id\":\"" ID "\"%s", more);
	return wt_one_ask(op, members);
}

static void is_done(const char *op, struct wt_answer a)
{
	if (a.code != 0)
		printf("# %s: %s\n", op, a.lines.data);
	assert_int_equal(a.code, 0);
	wt_answer_finish(&a);
}

static void done(const char *op, const char *more)
{
	is_done(op, run_request(op, more));
}

static void refused(const char *op, int code, const char *text)
{
	struct wt_answer a = run_request(op, "");

	wt_refused(&a, code, text);
	wt_answer_finish(&a);
}

/* Removes it; returns whether the branch was deleted, or why not. */
static void removed(bool branch, const char *why, const char *more)
{
	struct wt_answer a = run_request("remove", more);

	if (a.code != 0)
		printf("# %s\n", a.lines.data);
	assert_int_equal(a.code, 0);
	assert_int_equal(wt_int(&a, "branch_deleted"), branch);
	assert_non_null(strstr(wt_str(&a, "kept"), why));
	wt_answer_finish(&a);
	wt_sh("! [ -e " W " ] && ! [ -e r/.git/worktrees/r-one ]");
}

/* A sweep deletes it, or says why not. */
static void swept(const char *why, const char *more)
{
	struct wt_answer a = run_request("sweep", more);

	if (!strstr(wt_str(&a, "why"), why))
		printf("# %s\n", a.lines.data);
	assert_int_equal(a.code, 0);
	assert_non_null(strstr(wt_str(&a, "why"), why));
	assert_int_equal(wt_int(&a, "purged"), strcmp(why, "(none)") == 0);
	wt_answer_finish(&a);
	if (strcmp(why, "(none)") == 0)
		wt_nothing_left();
	else
		wt_sh("[ -e " ENTRY "/HEAD ]");
}

FIXTURE(wt_setup, wt_teardown)

TEST(worktree_remove__deletes_what_is_clean)
{
	wt_repo("r", 20);
	wt_sh("echo E > r/.env && mkdir r/node_modules");
	wt_one(",\"copy\":[\".env\"],\"link\":[\"node_modules\"]");
	wt_sh("mkdir -p " W "/hollow/er");
	removed(true, "(none)", "");
	wt_sh("[ -f " TRASH
	      "/run.sh ] && ! git -C r worktree prune -v | grep . "
	      "&& git -C r gc -q --prune=now && git -C r worktree list | "
	      "grep -q 'detached.* locked'");
	swept("(none)", "");
	wt_sh("[ -d r/node_modules ] && [ -f r/.env ]");
	/* what git wrote itself, and what is committed and merged */
	wt_one("");
	wt_sh("cd " W " && echo a > a && git add a && git commit -qm a && git "
	      "-C ../../r merge -q af/one && git status -s");
	removed(true, "(none)", "");
	swept("(none)", "");
	/* git leaves it after a rebase that had a conflict */
	wt_one("");
	wt_sh("git -C r rev-parse main: > r/.git/worktrees/r-one/AUTO_MERGE");
	removed(true, "(none)", "");
	swept("(none)", "");
	/* in the branch, which stays */
	wt_one("");
	wt_sh("cd " W " && git commit -q --allow-empty -m b");
	removed(false, "commits that no other branch has", "");
	done("sweep", "");
	wt_sh("! [ -e " TRASH " ] && ! [ -e " ENTRY " ] && git -C r log -1 "
	      "--format=%%s af/one | grep -qx b");
}

/* Each exists after a gc, and after it was restored. */
TEST(worktree_remove__keeps_what_is_nowhere_else)
{
	static const struct {
		const char *work, *why, *still;
	} cases[] = {
	    {"echo x > new", "is in no commit", "grep -q x new"},
	    {"echo x > x.log", "is in no commit", "grep -q x x.log"},
	    {"echo x >> src/f1", "src/f1 is changed", "grep -q x src/f1"},
	    /* the same size and time of change as far as one can set it */
	    {"touch -r src/f1 t; echo 'fil3 1' > src/f1; touch -r t src/f1; "
	     "rm t",
	     "src/f1 is changed", "grep -q 'fil3 1' src/f1"},
	    {"git config core.trustctime false; touch -r src/f1 t; "
	     "echo 'fil3 1' > src/f1; touch -r t src/f1; rm t",
	     "src/f1 is changed", "grep -q 'fil3 1' src/f1"},
	    {"chmod +x src/f1", "src/f1 is changed", "[ -x src/f1 ]"},
	    {"rm src/f1", "a file is deleted", "! [ -e src/f1 ]"},
	    {"ln -sf f2 src/f1", "src/f1 is changed", "[ -L src/f1 ]"},
	    {"mkfifo src/fifo", "is in no commit", "[ -p src/fifo ]"},
	    {"rm .gitignore; mkfifo .gitignore", "changed",
	     "[ -p .gitignore ]"},
	    {"echo x > s; git add s; rm s", "staged", "[ $(git show :s) = x ]"},
	    {"git init -q sub; git -C sub commit -q --allow-empty -m in",
	     "repository of its own", "git -C sub log | grep -q in"},
	    /* in a directory that has files of the worktree's branch */
	    {"git init -q src; git -C src commit -q --allow-empty -m in",
	     "src/.git is a repository of its own",
	     "git -C src log | grep -q in"},
	    {"git commit -q --allow-empty -m undone; git reset -q --hard "
	     "HEAD~1",
	     "commits that no branch", "git show -s HEAD@{1} | grep undone"},
	    {"git checkout -q --detach; git commit -q --allow-empty -m lone",
	     "commits that no branch", "git show -s HEAD | grep lone"},
	    {"git update-index --assume-unchanged src/f1; echo x > src/f1",
	     "staged", "grep -q x src/f1"},
	    {"echo x > src/f1; git commit -qam 1; git checkout -q -b o HEAD~1; "
	     "echo y > src/f1; git commit -qam 2; git rebase -q af/one "
	     "2>/dev/null; true",
	     "unfinished", "git status | grep -q 'rebase in progress'"},
	    {"git checkout -q --orphan o; git rm -rqf .; echo x > n; git add n",
	     "HEAD names no commit", "[ $(git show :n) = x ]"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		printf("# %s\n", cases[i].work);
		wt_repo("r", 20);
		wt_one("");
		wt_sh("cd " W " && %s", cases[i].work);
		done("remove", "");
		swept(cases[i].why, "");
		wt_sh("cd r && git worktree prune && git gc -q --prune=now && "
		      "git fsck >/dev/null");
		wt_sh("cd " TRASH " && %s", cases[i].still);
		done("restore", "");
		wt_sh("cd " W " && %s && git rev-parse --git-dir && "
		      "[ \"$(ls -A ..)\" = r-one ] && "
		      "[ \"$(ls ../../r/.git/worktrees)\" = r-one ] && "
		      "! [ -e ../../r/.git/worktrees/r-one/locked ]",
		      cases[i].still);
		wt_sh("rm -rf r .af_worktrees");
	}
}

TEST(worktree_remove__keeps_what_an_undo_took_back)
{
	wt_repo("r", 3);
	wt_one("");
	is_done("checkpoint",
		wt_one_ask("checkpoint", ",\"kind\":\"turn-begin\""));
	wt_sh("echo x > " W "/new");
	is_done("undo", wt_one_ask("undo", ""));
	wt_sh("! [ -e " W "/new ]");
	removed(true, "(none)", "");
	swept("an undo of it can be reversed", "");
	done("restore", "");
	is_done("undo", wt_one_ask("undo", ",\"redo\":true"));
	wt_sh("grep -q x " W "/new && rm " W "/new");
	removed(true, "(none)", "");
	swept("(none)", "");
}

TEST(worktree_remove__ignored_files_where_told)
{
	wt_repo("r", 5);
	wt_one("");
	wt_sh("cd " W " && echo x > x.log && mkdir -p node_modules/a/.git && "
	      "echo y > node_modules/a/y");
	done("remove", "");
	swept("is in no commit", "");
	swept("(none)", ",\"delete_ignored\":true");
}

TEST(worktree_remove__tracked_files_in_an_ignored_directory)
{
	wt_repo("r", 5);
	wt_sh("cd r && mkdir -p node_modules/a && touch node_modules/a/.keep "
	      "&& git add -f node_modules && git commit -qm keep");
	wt_one("");
	wt_sh("cd " W " && echo x > node_modules/x && mkdir node_modules/b && "
	      "echo y > node_modules/b/y && echo z > node_modules/a/.keep");
	done("remove", "");
	swept("node_modules/a/.keep is changed", ",\"delete_ignored\":true");
	wt_sh("cd " TRASH " && [ -e node_modules/x ] && : > "
	      "node_modules/a/.keep");
	swept("(none)", ",\"delete_ignored\":true");
}

/* new leaves its directory empty. */
TEST(worktree_remove__submodules)
{
	wt_repo("r", 5);
	wt_sh("cd r && mkdir -p lib/sub && git update-index --add --cacheinfo "
	      "160000,$(git "
	      "rev-parse HEAD),lib/sub && git commit -qm sub");
	wt_one("");
	wt_sh("[ -d " W "/lib/sub ]");
	done("remove", "");
	swept("(none)", "");
	wt_one("");
	wt_sh("echo x > " W "/lib/sub/x");
	done("remove", "");
	swept("lib/sub/x is in no commit", "");
	wt_sh("rm -r " TRASH "/lib/sub && git init -q " TRASH "/lib/sub");
	swept("lib/sub/.git is a repository of its own", "");
}

/* The purge of another worktree removes the trash while it is empty. */
TEST(worktree_remove__makes_the_trash_again)
{
	char trash[512];
	pid_t purges;

	wt_repo("r", 3);
	wt_one("");
	snprintf(trash, sizeof trash, "%s/.af_worktrees/.trash", scratch);
	purges = fork();
	if (purges == 0)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* Without the pause it would remove each new one before it is opened.
	 */
	while (purges == 0) {
		rmdir(trash);
		usleep(50);
	}
	for (int i = 0; i < 20; i++) {
		done("remove", "");
		done("restore", "");
	}
	kill(purges, SIGKILL);
	waitpid(purges, NULL, 0);
	wt_sh("[ -f " W "/run.sh ]");
}

/* A killed run leaves nothing of its own among the user's files. */
TEST(worktree_remove__makes_no_file_in_the_worktree)
{
	_free_ char *was = NULL;

	wt_repo("r", 3);
	wt_one("");
	was = strdup(wt_out("stat -c %%y " W));
	done("remove", "");
	assert_string_equal(wt_out("stat -c %%y " TRASH), was);
	done("restore", "");
	assert_string_equal(wt_out("stat -c %%y " W), was);
	wt_sh("git -C " W " status");
}

TEST(worktree_remove__makes_its_branch_free)
{
	wt_repo("r", 3);
	wt_one("");
	wt_sh("cd " W " && git commit -q --allow-empty -m a && echo x > x");
	removed(false, "commits that no other branch has", "");
	wt_sh("cd r && git checkout -q af/one && git checkout -q main && "
	      "git branch -q -m af/one af/two");
	/* if it is missing, it is made again */
	done("restore", "");
	wt_sh("cd " W " && [ $(git branch --show-current) = af/one ] && "
	      "[ $(git rev-parse HEAD) = $(git rev-parse af/two) ]");
	/* its commits stay with HEAD, so it may go; then it has moved on */
	wt_sh("git -C r branch -qD af/two");
	removed(true, "(none)", ",\"delete_branch\":\"always\"");
	wt_sh("cd r && git gc -q --prune=now && git branch af/one");
	{
		struct wt_answer a = run_request("restore", "");

		assert_int_equal(a.code, 0);
		assert_non_null(strstr(wt_str(&a, "detached"), "moved on"));
		wt_answer_finish(&a);
	}
	wt_sh("cd " W " && git log -1 --format=%%s | grep -qx a && "
	      "[ -z \"$(git branch --show-current)\" ]");
	/* HEAD has not what the branch has */
	wt_sh("cd " W " && git checkout -q -f af/one && git commit -q "
	      "--allow-empty -m only && git checkout -q --detach HEAD~1");
	removed(false, "no other branch has", ",\"delete_branch\":\"always\"");
	done("restore", "");
	wt_sh("cd " W " && git checkout -q af/one && git reset -q --hard main "
	      "&& git -C ../../r checkout -q --ignore-other-worktrees af/one");
	removed(false, "checked out", ",\"delete_branch\":\"always\"");
	done("restore", "");
	removed(false, "you asked for it", ",\"delete_branch\":\"never\"");
}

/* A mark or a lock, forged or old, undoes nothing. */
TEST(worktree_remove__believes_no_mark)
{
	wt_repo("r", 5);
	wt_one("");
	wt_sh("echo x > " W "/work && printf '{\"afw\":\"making this "
	      "worktree\",\"ref\":\"refs/heads/main\",\"commit\":\"%%s\","
	      "\"has_tree\":true,\"has_ref\":true,\"ino\":\"%%s\"}' $(git -C r "
	      "rev-parse main) $(stat -c %%i " W
	      ") > r/.git/worktrees/r-one/locked");
	done("remove", "");
	wt_sh("[ -e " TRASH "/work ] && git -C r rev-parse -q --verify main");
	done("restore", "");
	wt_sh("[ -e " W
	      "/work ] && git -C r worktree lock --reason mine ../" W);
	refused("remove", 1, "is locked: mine");
	wt_sh("git -C r worktree unlock ../" W " && git -C " W
	      " checkout -q --ignore-other-worktrees main");
	removed(true, "(none)", "");
	wt_sh("git -C r rev-parse -q --verify main");
	/* nor does creation believe one that names a branch in use */
	wt_sh(
	    "cd r && mkdir .git/worktrees/r-two && echo ../.. > "
	    ".git/worktrees/r-two/commondir && printf '{\"afw\":\"x\","
	    "\"ref\":\"refs/heads/main\",\"commit\":\"%%s\",\"has_ref\":true}' "
	    "$(git rev-parse main) > .git/worktrees/r-two/locked && git "
	    "branch other && git branch other2");
	free(wt_create("r", "two", ""));
	wt_sh("git -C r rev-parse -q --verify main");
}

TEST(worktree_remove__removes_only_what_afw_made)
{
	wt_repo("r", 5);
	wt_one("");
	wt_sh("mkdir precious && echo p > precious/p && cp r/.git/worktrees/"
	      "r-one/gitdir save && echo %s/precious/.git > "
	      "r/.git/worktrees/r-one/gitdir",
	      scratch);
	refused("remove", 1, "points elsewhere");
	wt_sh("cp save r/.git/worktrees/r-one/gitdir && mv " W
	      " moved && cp -r moved " W);
	refused("remove", 1, "not the directory that afw made");
	wt_sh("rm -r " W " && ln -s ../precious " W);
	refused("remove", 1, "not the directory that afw made");
	wt_sh("rm " W " && mv .af_worktrees real && ln -s real .af_worktrees "
	      "&& mv moved real/r-one");
	refused("remove", 1, "af_worktrees");
	wt_sh("rm .af_worktrees && mv real .af_worktrees && grep -qx p "
	      "precious/p && ! [ -e r/.git/worktrees/r-one/locked ]");
	/* git's files that lead elsewhere are not written through */
	wt_sh("cd r/.git/worktrees/r-one && rm HEAD && ln -s "
	      "../../../../precious/p HEAD && ln -f ../../../../precious/p "
	      "../../../../" W "/.git");
	done("remove", "");
	wt_sh("grep -qx p precious/p && [ -e " TRASH "/run.sh ]");
}

TEST(worktree_remove__keeps_what_git_has_of_a_missing_one)
{
	wt_repo("r", 5);
	wt_one("");
	wt_sh("cd " W " && git checkout -q --detach && git commit -q "
	      "--allow-empty -m lone && echo s > s && git add s && mv . "
	      "../../moved 2>/dev/null || mv ../r-one ../../moved");
	{
		struct wt_answer a = wt_one_ask("status", "");

		wt_refused(&a, 1, "is gone");
		assert_non_null(
		    strstr(wt_str(&a, "hint"), "git worktree repair"));
		wt_answer_finish(&a);
	}
	removed(true, "(none)", "");
	swept("was not there", "");
	wt_sh("cd r && git worktree prune && git gc -q --prune=now");
	/* it turns up */
	wt_sh("mkdir .af_worktrees && mv moved " W);
	done("restore", "");
	wt_sh("cd " W " && git log -1 --format=%%s | grep -qx lone && "
	      "[ $(git show :s) = s ] && git status -s | grep -q 's$'");
	/* moved with git: it is no longer afw's, and stays git's */
	wt_sh("git -C r worktree move ../" W " ../moved && echo w > moved/w");
	done("remove", "");
	wt_sh("git -C moved log -1 --format=%%s | grep -qx lone && "
	      "[ -e moved/w ] && [ -e r/.git/worktrees/r-one ]");
	/* git's entry is gone, the files are not */
	wt_sh("rm -rf r .af_worktrees moved");
	wt_repo("r", 5);
	wt_one("");
	wt_sh("rm -r r/.git/worktrees/r-one && echo w > " W "/w");
	done("remove", "");
	wt_sh("[ -e " TRASH "/w ]");
	done("restore", "");
	wt_sh("[ -e " W "/w ] && rm -r .af_worktrees");
	/* nothing at all */
	done("remove", "");
}

TEST(worktree_remove__goes_on_where_it_was_killed)
{
	struct wt_answer a;

	wt_repo("r", 5);
	wt_one("");
	wt_sh("echo w > " W "/w && echo x > r/.git/worktrees/r-one/locked && "
	      "rm r/.git/worktrees/r-one/locked");
	/* the directory is there already, or git's entry too */
	wt_sh("mkdir -p .af_worktrees/.trash && mv " W " " TRASH);
	done("remove", "");
	wt_sh("[ -e " TRASH "/w ] && grep -q trash " ENTRY "/gitdir");
	done("remove", "");
	wt_sh("mv " TRASH " " W);
	{
		char was[64];

		snprintf(was, sizeof was, ",\"was_ino\":\"%s\"",
			 wt_out("stat -c %%i " W));
		a = run_request("purge", was);
		wt_refused(&a, 4, "restored already");
		wt_answer_finish(&a);
	}
	done("restore", "");
	wt_sh("cd " W " && [ $(git status -s) = '??w' ] || git status -s | "
	      "grep -qx '?? w'");
	done("remove", "");
	wt_sh("mkdir " W);
	refused("restore", 1, "not the directory");
	wt_sh("rmdir " W " && mv " ENTRY " r/.git/worktrees/r-one");
	done("restore", "");
	wt_sh("cd " W " && git status -s | grep -qx '?? w'");
	done("remove", "");
	done("purge", "");
	wt_nothing_left();
}

/* git's locks belong to git: they are named, never removed. */
TEST(worktree_remove__names_a_stale_lock)
{
	struct wt_answer a;

	wt_repo("r", 5);
	wt_one("");
	wt_sh("cd r && git pack-refs --all && touch -d '1 hour ago' "
	      ".git/packed-refs.lock");
	a = run_request("remove", "");
	assert_int_equal(a.code, 0);
	assert_int_equal(wt_int(&a, "branch_deleted"), 0);
	assert_non_null(strstr(wt_str(&a, "kept"), "rm '"));
	assert_non_null(strstr(wt_str(&a, "kept"), "packed-refs.lock'"));
	wt_answer_finish(&a);
	wt_sh("[ -e r/.git/packed-refs.lock ] && rm r/.git/packed-refs.lock && "
	      "git -C r branch -q -D af/one && mkdir -p r/.git/refs/heads/af "
	      "&& touch r/.git/refs/heads/af/two.lock && cp r/.git/config c");
	a = wt_create_ask("r", "two", "");
	assert_int_equal(a.code, 1);
	assert_non_null(strstr(wt_str(&a, "hint"), "two.lock'"));
	wt_answer_finish(&a);
	wt_sh("[ -e r/.git/refs/heads/af/two.lock ] && cmp c r/.git/config && "
	      "! [ -e r/.git/afw-refs ]");
}

TEST(worktree_remove__works_where_little_does)
{
	if (geteuid() != 0 || unshare(CLONE_NEWNS) < 0 ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0) {
		print_message("# not root: nothing can be mounted\n");
		skip();
	}
	/* a repository that is a mount point */
	wt_sh("mkdir r && mount -t tmpfs -o size=1m none r");
	wt_repo("r", 5);
	wt_one("");
	wt_sh("echo w > " W "/w");
	done("remove", "");
	wt_sh("[ -e " TRASH
	      "/w ] && [ -z \"$(git -C r for-each-ref refs/afw)\" "
	      "]");
	done("restore", "");
	/* full */
	wt_sh("cat /dev/zero > r/zero 2>/dev/null; [ -s r/zero ]");
	done("remove", "");
	wt_sh("grep -q trash " ENTRY "/gitdir && [ -e " TRASH "/w ]");
	done("restore", "");
	wt_sh("rm r/zero; cd " W " && git status -s | grep -qx '?? w' && "
	      "git branch --show-current | grep -q .");
	/* something mounted on the worktree */
	wt_sh("mount -t tmpfs none " W);
	refused("remove", 1, "something is mounted at");
	wt_sh("umount " W " && mount --bind " W " " W);
	refused("remove", 1, "move");
	wt_sh("umount " W " && [ -e " W "/w ] && "
	      "! [ -e r/.git/worktrees/r-one/locked ]");
	done("remove", "");
	wt_sh("umount -l r");
}
