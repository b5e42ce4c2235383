/* test_worktree_undo.c - a checkpoint is restored, or nothing is changed. */
#include <sys/stat.h>

#include "base/json.h"
#include "support_unit.h"
#include "support_worktree.h"

#define W     ".af_worktrees/r-one"
#define ADMIN "r/.git/worktrees/r-one"

FIXTURE(wt_setup, wt_teardown)

static void take(const char *members)
{
	struct wt_answer a = wt_one_ask("checkpoint", members);

	assert_int_equal(a.code, 0);
	wt_answer_finish(&a);
}

/* The answer must be right; returns how many files were verified. */
static long undo(const char *members)
{
	struct wt_answer a = wt_one_ask("undo", members);
	long n = wt_int(&a, "verified");

	if (a.code != 0)
		printf("# %s\n", a.lines.data);
	assert_int_equal(a.code, 0);
	wt_answer_finish(&a);
	return n;
}

#define ALL_HERE "(git rev-parse HEAD; git status -sb; git log --format=%%s)"

/* What an undo may change. */
#define ALL                                                                    \
	"(cd " W "; git rev-parse HEAD; git symbolic-ref HEAD; "               \
	"GIT_OPTIONAL_LOCKS=0 git status --porcelain; git ls-files -s; "       \
	"find . -name .git -prune -o -printf '%%p %%y %%m %%l\\n' "            \
	"-type f -exec sha1sum {} + | sort; "                                  \
	"sha1sum <../../" ADMIN "/index)"

/* Fails unless it is refused, and nothing is changed. */
static void refused(const char *members, int code, const char *text,
		    const char *hint)
{
	struct wt_answer a;

	wt_sh(ALL " > before");
	a = wt_one_ask("undo", members);
	wt_refused(&a, code, text);
	if (!strstr(wt_str(&a, "hint"), hint))
		printf("# hint: %s\n", wt_str(&a, "hint"));
	assert_non_null(strstr(wt_str(&a, "hint"), hint));
	wt_answer_finish(&a);
	wt_sh(ALL " | diff before - && [ ! -e " ADMIN "/afw-undo ] && "
		  "[ ! -e " ADMIN "/afw-merge ] && "
		  "[ ! -e " ADMIN "/index.lock ]");
}

static void begin(void)
{
	wt_repo("r", 5);
	wt_one("");
	take(",\"kind\":\"turn-begin\"");
}

TEST(worktree_undo__takes_back_a_turn_and_again)
{
	begin();
	wt_sh(ALL " > 1; cd " W
		  " && echo a >> src/f1 && git commit -qam two && "
		  "rm -r src/f2 link && mkdir link && echo l > link/l && "
		  "echo s > s && git add s && rm s && chmod -x run.sh && "
		  "mkdir -p e/e && echo n > $'\\377 \\n'");
	wt_sh(ALL " > 2");
	assert_int_equal(undo(",\"dry_run\":true"), 6);
	wt_sh(ALL " | diff 2 -");
	assert_int_equal(undo(""), 6);
	wt_sh(ALL " | diff 1 -");
	assert_int_equal(undo(",\"redo\":true"), 6);
	wt_sh(ALL " | diff 2 -");
	assert_int_equal(undo(",\"to\":1"), 6);
	wt_sh(ALL " | diff 1 -");
	refused("", 1, "everything is as it was when each turn began", "");
	/* what git had to look at again, it still has to */
	wt_sh("cd " W " && git diff --quiet && git fsck --no-dangling");
}

TEST(worktree_undo__goes_back_one_turn_after_the_other)
{
	begin();
	wt_sh("echo 1 > " W "/one");
	take(",\"kind\":\"turn-begin\"");
	wt_sh("echo 2 > " W "/two");
	assert_int_equal(undo(""), 1);
	assert_string_equal(wt_out("cd " W "; ls one two 2>&1; true"),
			    "ls: cannot access 'two': No such file or "
			    "directory\none");
	assert_int_equal(undo(""), 1);
	assert_int_equal(undo(",\"redo\":true"), 1);
	assert_int_equal(undo(",\"redo\":true"), 1);
	assert_string_equal(wt_out("cd " W "; cat one two"), "1\n2");
	refused(",\"redo\":true", 1, "there is no undo to reverse", "");
}

/* git sorts "d-x" and "d.c" before the directory "d/". */
TEST(worktree_undo__finds_a_directory_beside_a_file_of_like_name)
{
	wt_repo("r", 5);
	wt_one("");
	wt_sh("cd " W " && mkdir old && touch old/o old-x old.c d-x d.c f f.c");
	take(",\"kind\":\"turn-begin\"");
	wt_sh(ALL " > 1; cd " W " && mkdir d && echo n > d/n && rm -r old f && "
		  "mkdir f && echo n > f/n && "
		  "for i in old-x old.c d-x d.c f.c; do echo 2 > $i; done");
	wt_sh(ALL " > 2");
	assert_int_equal(undo(""), 9);
	wt_sh(ALL " | diff 1 -");
	assert_int_equal(undo(",\"redo\":true"), 9);
	wt_sh(ALL " | diff 2 -");
}

TEST(worktree_undo__restores_some_files)
{
	begin();
	wt_sh("cd " W " && echo a >> src/f1 && echo b >> src/f2 && "
	      "mkdir new && echo c > new/c && git add -A && "
	      "git commit -qm two");
	assert_int_equal(undo(",\"files\":[\"src/f1\",\"new\"]"), 2);
	assert_string_equal(wt_out("cd " W "; git status -s; git log -1 "
				   "--format=%%s; cat src/f1"),
			    " D new/c\n M src/f1\ntwo\nfile 1");
	assert_int_equal(undo(",\"redo\":true"), 2);
	assert_string_equal(wt_out("cd " W "; git status -s"), "");
	refused(",\"files\":[\"src/f9\"]", 1, "there is no file src/f9", "");
	assert_int_equal(undo(",\"keep_commits\":true"), 3);
	assert_string_equal(
	    wt_out("cd " W "; git status -s; git log -1 --format=%%s"),
	    " D new/c\n M src/f1\n M src/f2\ntwo");
}

/* What it has pushed does not leave it, except by a redo. */
TEST(worktree_undo__takes_no_commit_that_was_pushed)
{
	begin();
	wt_sh("cd " W " && echo a >> src/f1 && git commit -qam two && "
	      "git remote add origin no.git && "
	      "git update-ref refs/remotes/origin/af/one HEAD");
	refused("", 4, "1 of the 1 commits", "--keep-commits");
	assert_int_equal(undo(",\"keep_commits\":true"), 1);
	wt_sh("cd " W " && git reset -q --hard HEAD^ && git commit -q "
	      "--allow-empty -m three && git update-ref "
	      "refs/remotes/origin/af/one HEAD");
	assert_int_equal(undo(",\"redo\":true"), 1);
	wt_sh("cd " W " && git update-ref -d refs/remotes/origin/af/one && "
	      "git checkout -qb other");
	refused("", 4, "is on other, not on its branch af/one", "switch");
	take("");
	wt_sh("cd " W " && git switch -q af/one");
	refused(",\"to\":4", 4, "at checkpoint 4 it was not on its branch",
		"--keep-commits");
	wt_sh("cd " W " && git switch -q other && echo x > src/f2 && "
	      "git commit -qam x && git switch -q af/one && "
	      "echo y > src/f2 && git commit -qam y && ! git merge -q other");
	refused("", 4, "unfinished", "status");
}

/* Others keep those: nothing is lost. Both ways are as they were. */
TEST(worktree_undo__takes_commits_that_other_branches_have)
{
	begin();
	wt_sh("cd " W " && " ALL_HERE " > ../../1 && git commit -q --amend "
	      "-m amended && git -C ../../r commit -q --allow-empty -m new && "
	      "echo a >> src/f1 && git commit -qam two && git tag mine && "
	      "git rebase -q main && " ALL_HERE " > ../../2");
	assert_int_equal(undo(""), 1);
	wt_sh("cd " W " && " ALL_HERE " | diff ../../1 -");
	assert_int_equal(undo(",\"redo\":true"), 1);
	wt_sh("cd " W " && " ALL_HERE " | diff ../../2 -");
}

/* A file that is ignored now or was then. */
TEST(worktree_undo__touches_no_ignored_file)
{
	wt_repo("r", 3);
	wt_one("");
	wt_sh("cd " W " && echo old > new.log && echo k > keep.tmp && "
	      "mkdir out && echo o > out/o");
	take(",\"kind\":\"turn-begin\"");
	/* new.log is work from now on; keep.tmp and out are not */
	wt_sh("cd " W " && printf '.env\\n*.tmp\\nout/\\n' > .gitignore && "
	      "echo new > new.log && echo t > t.tmp && echo k2 > keep.tmp && "
	      "echo o2 > out/o && echo p > out/p");
	undo("");
	assert_string_equal(
	    wt_out("cd " W "; cat new.log t.tmp keep.tmp out/o out/p"),
	    "new\nt\nk\no\np");
	undo(",\"redo\":true");
	assert_string_equal(
	    wt_out("cd " W "; cat new.log t.tmp keep.tmp out/o out/p"),
	    "new\nt\nk2\no2\np");
}

/* By a file outside the worktree, which is another one since. */
TEST(worktree_undo__touches_no_file_that_was_ignored_then)
{
	wt_repo("r", 3);
	wt_sh("echo notes > r/.git/info/exclude && echo '*.own' > own && "
	      "git -C r config core.excludesfile \"$PWD/own\"");
	wt_one("");
	wt_sh("cd " W " && echo mine > notes && echo mine > x.own");
	take(",\"kind\":\"turn-begin\"");
	wt_sh("rm own; echo > r/.git/info/exclude; cd " W " && echo a > a");
	/* what was not touched is in the next one, too */
	wt_sh("sleep 0.2");
	take(",\"kind\":\"turn-end\",\"touched\":[\"a\"]");
	assert_int_equal(undo(",\"to\":1"), 1);
	assert_string_equal(wt_out("cd " W "; cat notes x.own; ls a 2>&1 "
				   "| grep -o No"),
			    "mine\nmine\nNo");
	wt_sh("rm " W "/notes");
	assert_int_equal(undo(",\"to\":2"), 2);
	assert_string_equal(wt_out("cd " W "; cat notes a"), "mine\na");
}

/* A pattern matches them; but only what the user had may not go. */
TEST(worktree_undo__takes_back_tracked_files_that_are_ignored)
{
	wt_repo("r", 3);
	wt_one("");
	wt_sh("cd " W " && echo '*.log' > .gitignore && echo old > old.log && "
	      "echo t > t.log && git add -f t.log && git commit -qam t");
	take(",\"kind\":\"turn-begin\"");
	wt_sh("cd " W " && echo new > new.log && echo more >> old.log && "
	      "git add -f new.log old.log && git rm -q t.log");
	undo("");
	assert_string_equal(wt_out("cd " W "; cat *.log; git status -s"),
			    "old\nmore\nt");
	undo(",\"redo\":true");
	assert_string_equal(wt_out("cd " W "; cat *.log; git status -s"),
			    "new\nold\nmore\nA  new.log\nA  old.log\n"
			    "D  t.log");
}

TEST(worktree_undo__leaves_repositories_and_large_files_alone)
{
	struct wt_answer a;

	begin();
	wt_sh("cd " W " && git init -q n && echo n > n/n && echo a > a && "
	      "truncate -s 3M big && rm -r src/deep && git init -q src/deep");
	a = wt_one_ask("undo", ",\"file_max\":2000000");
	assert_int_equal(a.code, 0);
	assert_non_null(strstr(
	    a.lines.data, "\"left_alone\":[\"big\",\"n/\",\"src/deep/\"]"));
	assert_non_null(strstr(a.lines.data, "\"removed\":[\"a\"]"));
	wt_answer_finish(&a);
	assert_string_equal(wt_out("cd " W "; cat n/n; ls -a src/deep; ls big"),
			    "n\n.\n..\n.git\nbig");
}

TEST(worktree_undo__says_what_is_in_the_way)
{
	struct wt_answer a;

	begin();
	wt_sh("cd " W " && rm src/f1 && mkdir src/f1 && echo i > src/f1/.env");
	refused("", 4, "src/f1 is in the way of the old src/f1", "move it");
	wt_sh("cd " W " && rm -r src/f1 && mkfifo src/f1");
	refused("", 4, "src/f1", "");
	wt_sh("rm " W "/src/f1");
	refused(",\"to\":9", 1, "there is no checkpoint 9", "nearest is 1");
	wt_sh("touch " ADMIN "/index.lock");
	a = wt_one_ask("undo", "");
	wt_refused(&a, 4, "another git is running there");
	wt_answer_finish(&a);
	wt_sh("rm " ADMIN "/index.lock && rm -r " W);
	a = wt_one_ask("undo", "");
	wt_refused(&a, 1, "is gone");
	wt_answer_finish(&a);
}

/* The branch is the last that changes. */
TEST(worktree_undo__puts_everything_back_if_the_branch_is_locked)
{
	begin();
	wt_sh("cd " W " && echo a >> src/f1 && rm -r src/deep && mkdir e && "
	      "git commit -qam two && echo s > s && git add s && "
	      "touch ../../r/.git/refs/heads/af/one.lock");
	refused("", 1, "move refs/heads/af/one", "stale lock");
	wt_sh("rm r/.git/refs/heads/af/one.lock");
	assert_int_equal(undo(""), 3);
}

/* Either all of it is done, or the index is as it was. */
TEST(worktree_undo__puts_the_index_back_if_the_branch_has_moved)
{
	struct wt_run r;
	struct wt_answer a;

	begin();
	wt_sh("cd " W " && for i in {1..300}; do echo $i > n$i; done && "
	      "git add -A && git commit -qm two && echo s > s && git add s");
	r = wt_start("{\"op\":\"undo\",\"repository\":\"%s/r\",\"worktree\":"
		     "\"%s/" W "\",\"worktree_id\":\"r-one\","
		     "\"branch\":\"af/one\",\"keep\":9}\n",
		     scratch, scratch);
	wt_sh("until [ -e " ADMIN "/afw-undo ] || ! [ -e /proc/%d/exe ]; do "
	      ":; done; kill -STOP %d; [ ! -e " ADMIN "/afw-undo ] || "
	      "git -C r update-ref refs/heads/af/one main; kill -CONT %d",
	      (int)r.pid, (int)r.pid, (int)r.pid);
	a = wt_finish(&r);
	if (a.code != 0) {
		wt_refused(&a, 4, "the branch was moved meanwhile");
		wt_sh("cd " W " && [ $(git diff --cached --name-only | wc -l) "
		      "= 301 ] && [ -e s ] && [ -e n300 ]");
	}
	wt_answer_finish(&a);
}

/* It names them by their inodes: another git's are not touched. */
TEST(worktree_undo__removes_the_locks_of_a_killed_run)
{
	struct wt_answer a;

	begin();
	wt_sh("echo a >> " W "/src/f1; cd " ADMIN " && touch index.lock && "
	      "echo '{\"index\":\"1\"}' > afw-locks");
	a = wt_one_ask("undo", "");
	wt_refused(&a, 4, "another git is running there");
	wt_answer_finish(&a);
	wt_sh("cd " ADMIN " && echo \"{\\\"index\\\":\\\"$(stat -c %%i "
	      "index.lock)\\\"}\" > afw-locks");
	assert_int_equal(undo(""), 1);
	wt_sh("cd " ADMIN " && [ ! -e index.lock ] && [ ! -e afw-locks ]");
}

/* Nor is it an undo that could be reversed. */
TEST(worktree_undo__is_none_if_it_was_killed)
{
	struct wt_run r;
	struct wt_answer a;
	bool killed;

	begin();
	wt_sh("cd " W " && for i in {1..300}; do echo $i > n$i; done");
	undo("");
	undo(",\"redo\":true");
	r = wt_start("{\"op\":\"undo\",\"repository\":\"%s/r\",\"worktree\":"
		     "\"%s/" W "\",\"worktree_id\":\"r-one\","
		     "\"branch\":\"af/one\",\"keep\":9}\n",
		     scratch, scratch);
	wt_sh("until [ -e " ADMIN "/afw-undo ] || ! [ -e /proc/%d/exe ]; do "
	      ":; done; kill -KILL %d",
	      (int)r.pid, (int)r.pid);
	a = wt_finish(&r);
	wt_answer_finish(&a);
	/* Otherwise it was done before. */
	killed = wt_out("ls " ADMIN "/afw-undo 2>&1; true")[0] == 'r';
	take("");
	if (!killed)
		return;
	wt_sh("[ -e " W "/n1 ] && [ -e " W "/n300 ]");
	refused(",\"redo\":true", 1, "there is no undo to reverse", "");
}

/* Its journal names two checkpoints; here f1 is as in the first one already. */
TEST(worktree_undo__is_reversed_before_a_commit)
{
	struct wt_answer a;

	begin();
	wt_sh("cd " W " && cp src/f1 ../../old && echo a >> src/f1 && "
	      "echo b >> src/f2");
	take("");
	wt_sh("cp old " W "/src/f1; set -- $(cut -c42-81 " ADMIN
	      "/logs/refs/worktree/afw/checkpoints) && printf "
	      "'{\"now\":\"%%s\",\"to\":\"%%s\",\"moves\":true}' $2 $1 > " ADMIN
	      "/afw-undo");
	a = wt_one_ask("commit", ",\"message\":\"m\"");
	assert_int_equal(a.code, 0);
	wt_answer_finish(&a);
	wt_sh("[ ! -e " ADMIN "/afw-undo ] && cd " W " && "
	      "[ $(git show --name-only --format= | wc -l) = 2 ]");
}

/* What git knows of a merge is not in a checkpoint. */
TEST(worktree_undo__goes_back_into_no_merge)
{
	begin();
	wt_sh("cd " W " && git switch -qc other && echo x > src/f1 && "
	      "git commit -qam x && git switch -q af/one && echo y > src/f1 "
	      "&& git commit -qam y && ! git merge -q other");
	take(",\"kind\":\"turn-begin\"");
	wt_sh("cd " W " && echo xy > src/f1 && git commit -qam merged");
	refused("", 4, "a merge, rebase or the like was unfinished",
		"--keep-commits");
	assert_int_equal(undo(",\"keep_commits\":true"), 1);
}

/* core.sharedRepository is about git's own files. */
TEST(worktree_undo__shares_only_git_s_files)
{
	mode_t mine = umask(022);

	begin();
	wt_sh("git -C r config core.sharedRepository group && "
	      "chmod -R g+w r/.git && cd " W " && echo a >> src/f1 && "
	      "rm -r src/deep && echo n > n && git add n && git commit -qm n");
	undo("");
	umask(mine);
	assert_string_equal(wt_out("find r/.git/objects r/.git/refs -type d "
				   "! -perm -20; find r/.git/refs -type f "
				   "! -perm -20; stat -c %%a " W "/src/f1 " W
				   "/src/deep"),
			    "644\n755");
}

/* An agent can put the id of no blob into the index. */
TEST(worktree_undo__works_if_the_index_names_no_object)
{
	char *private = mem_printf(",\"private\":\"%s/p\"", scratch);

	wt_repo("r", 3);
	wt_one("");
	for (int i = 0; i < 2; i++) {
		static const char *const ops[] = {"checkpoint", "undo",
						  "commit", "status"};
		char *more = mem_printf("%s,\"to\":%d,\"message\":\"m\"",
					i ? private : "", 2 * i + 1);

		if (i) {
			struct wt_answer a = wt_one_ask("private", private);

			assert_int_equal(a.code, 0);
			wt_answer_finish(&a);
			wt_sh("cp p.file " W "/.git");
		}
		wt_sh("cd " W " && echo %d > new && for o in 0123456789abcdef"
		      "0123456789abcdef01234567 $(git rev-parse HEAD:); do "
		      "git update-index --add --cacheinfo 100644,$o,x$o; done",
		      i);
		for (int op = 0; op < 4; op++) {
			struct wt_answer a = wt_one_ask(ops[op], more);

			if (a.code)
				printf("# %s %s\n", ops[op], a.lines.data);
			assert_int_equal(a.code, 0);
			wt_answer_finish(&a);
			if (op == 0)
				wt_sh("echo changed > " W "/new");
		}
		free(more);
		wt_sh("cd " W " && [ $(git show HEAD:new) = %d ] && "
		      "! git ls-files | grep ^x",
		      i);
	}
	free(private);
}

/* What a commit or an import writes is shared, too. */
TEST(worktree_undo__so_do_a_commit_and_an_import)
{
	char *more = mem_printf(",\"private\":\"%s/p\"", scratch);
	char *commit = mem_printf("%s,\"message\":\"m\"", more);
	static const char *const ops[] = {"commit", "private", "import",
					  "commit"};
	const char *members[] = {",\"message\":\"m\"", more, more, commit};
	mode_t mine = umask(022);

	wt_repo("r", 5);
	wt_sh("git -C r config core.sharedRepository group && "
	      "chmod -R g+w r/.git");
	wt_one("");
	for (int i = 0; i < 4; i++) {
		struct wt_answer a;

		wt_sh("chmod -R g+w r/.git; cd " W " && echo %d > n%d", i, i);
		if (i == 2)
			wt_sh("cp p.file " W "/.git && cd " W
			      " && git add -A && git commit -qm own");
		a = wt_one_ask(ops[i], members[i]);
		assert_int_equal(a.code, 0);
		wt_answer_finish(&a);
		assert_string_equal(
		    wt_out("find r/.git ! -perm -20 ! -name '*.pack' ! -name "
			   "'*.idx' ! -path '*/objects/[0-9a-f]*/*'"),
		    "");
	}
	umask(mine);
	free(more);
	free(commit);
}

TEST(worktree_undo__runs_one_after_the_other)
{
	struct wt_run r[4];
	char *request;

	begin();
	wt_sh(ALL " > 1; cd " W " && for i in {1..200}; do echo $i > n$i; "
		  "done && git add -A && git commit -qm two");
	take("");
	wt_sh(ALL " > 2");
	request = mem_printf(
	    "\"op\":\"undo\",\"repository\":\"%s/r\",\"worktree\":\"%s/" W
	    "\",\"worktree_id\":\"r-one\",\"branch\":\"af/one\",\"keep\":9",
	    scratch, scratch);
	for (int i = 0; i < 4; i++)
		r[i] = wt_start("{%s,\"to\":%d}\n", request, i % 2 + 1);
	for (int i = 0; i < 4; i++) {
		struct wt_answer a = wt_finish(&r[i]);

		assert_int_equal(a.code, 0);
		wt_answer_finish(&a);
	}
	wt_sh(ALL " > 3; cmp 1 3 || cmp 2 3");
	free(request);
}

/* Either the file is as it was then, or nothing is changed. */
TEST(worktree_undo__stops_at_a_file_that_is_written)
{
	begin();
	wt_sh("touch writes; cd " W "; echo a > a; echo b >> src/f2; "
	      "while [ -e ../../writes ]; do echo w >> src/f1; done "
	      "> /dev/null 2>&1 &");
	for (int i = 0; i < 5; i++) {
		struct wt_answer a = wt_one_ask("undo", ",\"to\":1");

		if (a.code == 0) {
			wt_sh("cd " W " && ! [ -e a ] && ! grep b src/f2 && "
			      "echo a > a && echo b >> src/f2");
		} else {
			assert_int_equal(a.code, 4);
			assert_non_null(
			    strstr(wt_str(&a, "error"), "src/f1 was changed"));
			wt_sh("cd " W " && [ -e a ] && grep b src/f2");
		}
		wt_answer_finish(&a);
	}
	wt_sh("rm writes");
}

TEST(worktree_undo__stops_at_an_immutable_file)
{
	struct wt_answer a;

	begin();
	wt_sh("cd " W " && echo a >> src/f1 && rm src/f2 && echo n > src/n");
	for (int i = 0; i < 2; i++) {
		const char *file = i ? "src/n" : "src/f1";

		wt_sh(ALL " > before");
		if (strcmp(
			wt_out("chattr +i " W "/%s 2>&1 && echo is || :", file),
			"is") != 0) {
			print_message("# no file can be made immutable here\n");
			return;
		}
		a = wt_one_ask("undo", "");
		wt_sh("chattr -i " W "/%s; " ALL " | diff before -", file);
		wt_refused(&a, 1, file);
		wt_answer_finish(&a);
	}
	assert_int_equal(undo(""), 3);
}

TEST(worktree_undo__keeps_permissions_and_bytes)
{
	wt_repo("r", 3);
	wt_sh("cd r && git config core.autocrlf true && "
	      "git config filter.up.clean 'tr a-z A-Z' && "
	      "git config filter.up.smudge 'tr A-Z a-z' && "
	      "echo 'x filter=up' > .gitattributes && git add -A && "
	      "git commit -qm attributes");
	wt_one("");
	wt_sh("cd " W " && printf 'Mixed\\r\\ncase\\n' > x && chmod 600 x && "
	      "printf 'a\\nb\\r\\n' > crlf");
	take(",\"kind\":\"turn-begin\"");
	wt_sh(ALL " > 1; cd " W " && echo changed > x && rm crlf && "
		  "echo '* -text' >> .gitattributes");
	undo("");
	wt_sh(ALL " | sed s/crlf.*// | diff <(sed s/crlf.*// 1) - && cd " W
		  " && printf 'a\\nb\\r\\n' | cmp crlf");
}

TEST(worktree_undo__keeps_private_what_was_private)
{
	mode_t mine = umask(022);

	wt_repo("r", 2);
	wt_one("");
	wt_sh("cd " W
	      " && echo key > key && chmod 600 key && mkdir -m 700 p && "
	      "echo in > p/in && echo r > r && chmod 444 r && ln -s key l");
	take(",\"kind\":\"turn-begin\"");
	wt_sh("echo 1 > " W "/one");
	take(",\"kind\":\"turn-end\",\"touched\":[\"one\"]");
	wt_sh("cd " W " && rm -rf key p r l one");
	take(",\"kind\":\"user\",\"touched\":[\"key\",\"p\",\"p/in\",\"r\","
	     "\"l\",\"one\"]");
	assert_int_equal(undo(",\"to\":2"), 5);
	assert_string_equal(wt_out("cd " W " && stat -c %%a key p p/in r one"),
			    "600\n700\n644\n444\n644");
	/* Also if nothing else was changed. git's index must be older than the
	 * checkpoint, or all files are read. */
	wt_sh("sleep 0.2");
	take(",\"kind\":\"turn-end\"");
	wt_sh("chmod 600 " W "/one");
	take(",\"kind\":\"turn-end\",\"touched\":[\"one\"]");
	take(",\"kind\":\"turn-begin\",\"touched\":[]");
	wt_sh("rm " W "/one");
	assert_int_equal(undo(""), 1);
	assert_string_equal(wt_out("stat -c %%a " W "/one"), "600");
	wt_sh("cd " W " && rm p/in && chmod 755 p");
	undo(",\"redo\":true");
	undo(",\"to\":1");
	assert_string_equal(wt_out("cd " W " && stat -c %%a key p p/in r"),
			    "600\n700\n644\n444");
	umask(mine);
}

TEST(worktree_undo__takes_back_permissions_alone)
{
	mode_t mine = umask(022);

	for (int i = 0; i < 2; i++) {
		/* Also if all files of the user are private. */
		umask(i ? 077 : 022);
		wt_sh("rm -rf r .af_worktrees");
		wt_repo("r", 5);
		wt_one("");
		wt_sh("cd " W " && echo key > key && chmod 600 key && "
		      "mkdir -m 700 p p/e && echo in > p/in && mkdir -m 755 q "
		      "&& echo q > q/q && chmod 644 q/q src/f1 && mkdir -m 700 "
		      "ign && echo i > ign/i && echo ign >> .gitignore");
		take(",\"kind\":\"turn-begin\"");
		wt_sh(ALL " > 1; cd " W " && chmod 644 key && chmod 755 p p/e "
			  "ign && chmod 700 q && chmod 640 q/q && "
			  "chmod 600 src/f1; echo 2 > src/f2; umask 022; "
			  "mkdir -m 711 n; echo n > n/n; chmod 600 n/n");
		wt_sh(ALL " > 2");
		assert_int_equal(undo(",\"dry_run\":true"), 8);
		wt_sh(ALL " | diff 2 -");
		assert_int_equal(undo(""), 8);
		wt_sh("chmod 700 " W "/ign; " ALL " | diff 1 - && "
		      "! git -C r show $(head -1 " ADMIN
		      "/logs/refs/worktree/afw/checkpoints | cut "
		      "-c42-81):modes | "
		      "grep -a src/f2");
		assert_int_equal(undo(",\"redo\":true"), 8);
		wt_sh("chmod 755 " W "/ign; " ALL " | diff 2 -");
		wt_sh("cd " W " && git checkout -q src/f2 && rm -r n");
		take(",\"kind\":\"turn-begin\"");
		wt_sh("chmod 644 " W "/src/f1");
		assert_int_equal(undo(""), 1);
		assert_string_equal(wt_out("stat -c %%a " W "/src/f1"), "600");
	}
	umask(mine);
}

/* In a sandbox, index and branch are in the private git directory. */
TEST(worktree_undo__moves_the_branch_of_a_sandbox)
{
	char *more = mem_printf(",\"private\":\"%s/p\"", scratch);
	char *to = mem_printf("%s,\"to\":1", more);
	char *redo = mem_printf("%s,\"redo\":true", more);
	struct wt_answer a;

	wt_repo("r", 3);
	wt_one("");
	a = wt_one_ask("private", more);
	assert_int_equal(a.code, 0);
	wt_answer_finish(&a);
	wt_sh("cp p.file " W "/.git");
	a = wt_one_ask("checkpoint", more);
	assert_int_equal(a.code, 0);
	wt_answer_finish(&a);
	wt_sh("cd " W " && git log -1 --format=%%s > ../../1 && echo c > c && "
	      "git add c && git commit -qm in && echo s > s && git add s && "
	      "sha1sum ../../p/index > ../../2");
	wt_sh("git -C r remote add origin no.git && cd " W " && "
	      "git update-ref refs/remotes/origin/af/one HEAD");
	a = wt_one_ask("undo", to);
	wt_refused(&a, 4, "1 of the 1 commits that would leave");
	wt_answer_finish(&a);
	wt_sh("cd " W " && git update-ref -d refs/remotes/origin/af/one");
	assert_int_equal(undo(to), 2);
	wt_sh("cd " W " && git log -1 --format=%%s | diff ../../1 - && "
	      "[ -z \"$(git status -s)\" ] && "
	      "[ $(git rev-parse HEAD) = $(git -C ../../r rev-parse af/one) ]");
	assert_int_equal(undo(redo), 2);
	wt_sh("cd " W " && sha1sum -c ../../2 && "
	      "[ $(git rev-parse HEAD) = $(git -C ../../r rev-parse af/one) ] "
	      "&& [ $(git log -1 --format=%%s) = in ]");
	free(more);
	free(to);
	free(redo);
}
