/* test_worktree_undo.c - what a checkpoint restores, and what an undo leaves
 * alone. */
#include <sys/stat.h>

#include "base/mem.h"
#include "support_undo.h"
#include "support_unit.h"

FIXTURE(wt_setup, wt_teardown)

TEST(worktree_undo__takes_back_a_turn_and_again)
{
	wt_undo_begin();
	wt_sh(ALL " > 1; cd " W
		  " && echo a >> src/f1 && git commit -qam two && "
		  "rm -r src/f2 link && mkdir link && echo l > link/l && "
		  "echo s > s && git add s && rm s && chmod -x run.sh && "
		  "mkdir -p e/e && echo n > $'\\377 \\n'");
	wt_sh(ALL " > 2");
	assert_int_equal(wt_undo(",\"dry_run\":true"), 6);
	wt_sh(ALL " | diff 2 -");
	assert_int_equal(wt_undo(""), 6);
	wt_sh(ALL " | diff 1 -");
	assert_int_equal(wt_undo(",\"redo\":true"), 6);
	wt_sh(ALL " | diff 2 -");
	assert_int_equal(wt_undo(",\"to\":1"), 6);
	wt_sh(ALL " | diff 1 -");
	wt_undo_refused("", 1, "everything is as it was when each turn began",
			"");
	/* what git had to look at again, it still has to */
	wt_sh("cd " W " && git diff --quiet && git fsck --no-dangling");
}

TEST(worktree_undo__goes_back_one_turn_after_the_other)
{
	wt_undo_begin();
	wt_sh("echo 1 > " W "/one");
	wt_undo_take(",\"kind\":\"turn-begin\"");
	wt_sh("echo 2 > " W "/two");
	assert_int_equal(wt_undo(""), 1);
	assert_string_equal(wt_out("cd " W "; ls one two 2>&1; true"),
			    "ls: cannot access 'two': No such file or "
			    "directory\none");
	assert_int_equal(wt_undo(""), 1);
	assert_int_equal(wt_undo(",\"redo\":true"), 1);
	assert_int_equal(wt_undo(",\"redo\":true"), 1);
	assert_string_equal(wt_out("cd " W "; cat one two"), "1\n2");
	wt_undo_refused(",\"redo\":true", 1, "there is no undo to reverse", "");
}

/* git sorts "d-x" and "d.c" before the directory "d/". */
TEST(worktree_undo__finds_a_directory_beside_a_file_of_like_name)
{
	wt_repo("r", 5);
	wt_one("");
	wt_sh("cd " W " && mkdir old && touch old/o old-x old.c d-x d.c f f.c");
	wt_undo_take(",\"kind\":\"turn-begin\"");
	wt_sh(ALL " > 1; cd " W " && mkdir d && echo n > d/n && rm -r old f && "
		  "mkdir f && echo n > f/n && "
		  "for i in old-x old.c d-x d.c f.c; do echo 2 > $i; done");
	wt_sh(ALL " > 2");
	assert_int_equal(wt_undo(""), 9);
	wt_sh(ALL " | diff 1 -");
	assert_int_equal(wt_undo(",\"redo\":true"), 9);
	wt_sh(ALL " | diff 2 -");
}

TEST(worktree_undo__restores_some_files)
{
	wt_undo_begin();
	wt_sh("cd " W " && echo a >> src/f1 && echo b >> src/f2 && "
	      "mkdir new && echo c > new/c && git add -A && "
	      "git commit -qm two");
	assert_int_equal(wt_undo(",\"files\":[\"src/f1\",\"new\"]"), 2);
	assert_string_equal(wt_out("cd " W "; git status -s; git log -1 "
				   "--format=%%s; cat src/f1"),
			    " D new/c\n M src/f1\ntwo\nfile 1");
	assert_int_equal(wt_undo(",\"redo\":true"), 2);
	assert_string_equal(wt_out("cd " W "; git status -s"), "");
	wt_undo_refused(",\"files\":[\"src/f9\"]", 1, "there is no file src/f9",
			"");
	assert_int_equal(wt_undo(",\"keep_commits\":true"), 3);
	assert_string_equal(
	    wt_out("cd " W "; git status -s; git log -1 --format=%%s"),
	    " D new/c\n M src/f1\n M src/f2\ntwo");
}

/* What it has pushed does not leave it, except by a redo. */
TEST(worktree_undo__takes_no_commit_that_was_pushed)
{
	wt_undo_begin();
	wt_sh("cd " W " && echo a >> src/f1 && git commit -qam two && "
	      "git remote add origin no.git && "
	      "git update-ref refs/remotes/origin/af/one HEAD");
	wt_undo_refused("", 4, "1 of the 1 commits", "--keep-commits");
	assert_int_equal(wt_undo(",\"keep_commits\":true"), 1);
	wt_sh("cd " W " && git reset -q --hard HEAD^ && git commit -q "
	      "--allow-empty -m three && git update-ref "
	      "refs/remotes/origin/af/one HEAD");
	assert_int_equal(wt_undo(",\"redo\":true"), 1);
	wt_sh("cd " W " && git update-ref -d refs/remotes/origin/af/one && "
	      "git checkout -qb other");
	wt_undo_refused("", 4, "is on other, not on its branch af/one",
			"switch");
	wt_undo_take("");
	wt_sh("cd " W " && git switch -q af/one");
	wt_undo_refused(",\"to\":4", 4,
			"at checkpoint 4 it was not on its branch",
			"--keep-commits");
	wt_sh("cd " W " && git switch -q other && echo x > src/f2 && "
	      "git commit -qam x && git switch -q af/one && "
	      "echo y > src/f2 && git commit -qam y && ! git merge -q other");
	wt_undo_refused("", 4, "unfinished", "status");
}

/* Others keep those: nothing is lost. Both ways are as they were. */
TEST(worktree_undo__takes_commits_that_other_branches_have)
{
	wt_undo_begin();
	wt_sh("cd " W " && " ALL_HERE " > ../../1 && git commit -q --amend "
	      "-m amended && git -C ../../r commit -q --allow-empty -m new && "
	      "echo a >> src/f1 && git commit -qam two && git tag mine && "
	      "git rebase -q main && " ALL_HERE " > ../../2");
	assert_int_equal(wt_undo(""), 1);
	wt_sh("cd " W " && " ALL_HERE " | diff ../../1 -");
	assert_int_equal(wt_undo(",\"redo\":true"), 1);
	wt_sh("cd " W " && " ALL_HERE " | diff ../../2 -");
}

/* A file that is ignored now or was then. */
TEST(worktree_undo__touches_no_ignored_file)
{
	wt_repo("r", 3);
	wt_one("");
	wt_sh("cd " W " && echo old > new.log && echo k > keep.tmp && "
	      "mkdir out && echo o > out/o");
	wt_undo_take(",\"kind\":\"turn-begin\"");
	/* new.log is work from now on; keep.tmp and out are not */
	wt_sh("cd " W " && printf '.env\\n*.tmp\\nout/\\n' > .gitignore && "
	      "echo new > new.log && echo t > t.tmp && echo k2 > keep.tmp && "
	      "echo o2 > out/o && echo p > out/p");
	wt_undo("");
	assert_string_equal(
	    wt_out("cd " W "; cat new.log t.tmp keep.tmp out/o out/p"),
	    "new\nt\nk\no\np");
	wt_undo(",\"redo\":true");
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
	wt_undo_take(",\"kind\":\"turn-begin\"");
	wt_sh("rm own; echo > r/.git/info/exclude; cd " W " && echo a > a");
	/* what was not touched is in the next one, too */
	wt_sh("sleep 0.2");
	wt_undo_take(",\"kind\":\"turn-end\",\"touched\":[\"a\"]");
	assert_int_equal(wt_undo(",\"to\":1"), 1);
	assert_string_equal(wt_out("cd " W "; cat notes x.own; ls a 2>&1 "
				   "| grep -o No"),
			    "mine\nmine\nNo");
	wt_sh("rm " W "/notes");
	assert_int_equal(wt_undo(",\"to\":2"), 2);
	assert_string_equal(wt_out("cd " W "; cat notes a"), "mine\na");
}

/* A pattern matches them; but only what the user had may not go. */
TEST(worktree_undo__takes_back_tracked_files_that_are_ignored)
{
	wt_repo("r", 3);
	wt_one("");
	wt_sh("cd " W " && echo '*.log' > .gitignore && echo old > old.log && "
	      "echo t > t.log && git add -f t.log && git commit -qam t");
	wt_undo_take(",\"kind\":\"turn-begin\"");
	wt_sh("cd " W " && echo new > new.log && echo more >> old.log && "
	      "git add -f new.log old.log && git rm -q t.log");
	wt_undo("");
	assert_string_equal(wt_out("cd " W "; cat *.log; git status -s"),
			    "old\nmore\nt");
	wt_undo(",\"redo\":true");
	assert_string_equal(wt_out("cd " W "; cat *.log; git status -s"),
			    "new\nold\nmore\nA  new.log\nA  old.log\n"
			    "D  t.log");
}

TEST(worktree_undo__leaves_repositories_and_large_files_alone)
{
	struct wt_answer a;

	wt_undo_begin();
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

/* What git knows of a merge is not in a checkpoint. */
TEST(worktree_undo__goes_back_into_no_merge)
{
	wt_undo_begin();
	wt_sh("cd " W " && git switch -qc other && echo x > src/f1 && "
	      "git commit -qam x && git switch -q af/one && echo y > src/f1 "
	      "&& git commit -qam y && ! git merge -q other");
	wt_undo_take(",\"kind\":\"turn-begin\"");
	wt_sh("cd " W " && echo xy > src/f1 && git commit -qam merged");
	wt_undo_refused("", 4, "a merge, rebase or the like was unfinished",
			"--keep-commits");
	assert_int_equal(wt_undo(",\"keep_commits\":true"), 1);
}

/* core.sharedRepository is about git's own files. */
TEST(worktree_undo__shares_only_git_s_files)
{
	mode_t mine = umask(022);

	wt_undo_begin();
	wt_sh("git -C r config core.sharedRepository group && "
	      "chmod -R g+w r/.git && cd " W " && echo a >> src/f1 && "
	      "rm -r src/deep && echo n > n && git add n && git commit -qm n");
	wt_undo("");
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
		char *more =
		    mem_printf("%s,\"to\":%d", i ? private : "", 2 * i + 1);

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
			struct wt_answer a = wt_one_ask(ops[op], op == 1 ? more
								 : i ? private
								     : "");

			if (a.code)
				printf("# %s %s\n", ops[op], a.lines.data);
			assert_int_equal(a.code, 0);
			wt_answer_finish(&a);
			if (op == 0)
				wt_sh("echo changed > " W "/new");
			if (op == 1)
				wt_sh("cd " W " && git add -A && "
				      "git commit -qm m");
		}
		free(more);
		wt_sh("cd " W " && [ $(git show HEAD:new) = %d ] && "
		      "! git ls-files | grep ^x",
		      i);
	}
	free(private);
}

/* What an import writes is shared, too. */
TEST(worktree_undo__so_does_an_import)
{
	char *more = mem_printf(",\"private\":\"%s/p\"", scratch);
	static const char *const ops[] = {"commit", "private", "import",
					  "commit"};
	const char *members[] = {"", more, more, more};
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
			   "'*.idx' ! -name 'afw-commit.*' ! -path "
			   "'*/objects/[0-9a-f]*/*'"),
		    "");
	}
	umask(mine);
	free(more);
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
	wt_undo_take(",\"kind\":\"turn-begin\"");
	wt_sh(ALL " > 1; cd " W " && echo changed > x && rm crlf && "
		  "echo '* -text' >> .gitattributes");
	wt_undo("");
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
	wt_undo_take(",\"kind\":\"turn-begin\"");
	wt_sh("echo 1 > " W "/one");
	wt_undo_take(",\"kind\":\"turn-end\",\"touched\":[\"one\"]");
	wt_sh("cd " W " && rm -rf key p r l one");
	wt_undo_take(
	    ",\"kind\":\"user\",\"touched\":[\"key\",\"p\",\"p/in\",\"r\","
	    "\"l\",\"one\"]");
	assert_int_equal(wt_undo(",\"to\":2"), 5);
	assert_string_equal(wt_out("cd " W " && stat -c %%a key p p/in r one"),
			    "600\n700\n644\n444\n644");
	/* Also if nothing else was changed. git's index must be older than the
	 * checkpoint, or all files are read. */
	wt_sh("sleep 0.2");
	wt_undo_take(",\"kind\":\"turn-end\"");
	wt_sh("chmod 600 " W "/one");
	wt_undo_take(",\"kind\":\"turn-end\",\"touched\":[\"one\"]");
	wt_undo_take(",\"kind\":\"turn-begin\",\"touched\":[]");
	wt_sh("rm " W "/one");
	assert_int_equal(wt_undo(""), 1);
	assert_string_equal(wt_out("stat -c %%a " W "/one"), "600");
	wt_sh("cd " W " && rm p/in && chmod 755 p");
	wt_undo(",\"redo\":true");
	wt_undo(",\"to\":1");
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
		wt_undo_take(",\"kind\":\"turn-begin\"");
		wt_sh(ALL " > 1; cd " W " && chmod 644 key && chmod 755 p p/e "
			  "ign && chmod 700 q && chmod 640 q/q && "
			  "chmod 600 src/f1; echo 2 > src/f2; umask 022; "
			  "mkdir -m 711 n; echo n > n/n; chmod 600 n/n");
		wt_sh(ALL " > 2");
		assert_int_equal(wt_undo(",\"dry_run\":true"), 8);
		wt_sh(ALL " | diff 2 -");
		assert_int_equal(wt_undo(""), 8);
		wt_sh("chmod 700 " W "/ign; " ALL " | diff 1 - && "
		      "! git -C r show $(head -1 " ADMIN
		      "/logs/refs/worktree/afw/checkpoints | cut "
		      "-c42-81):modes | "
		      "grep -a src/f2");
		assert_int_equal(wt_undo(",\"redo\":true"), 8);
		wt_sh("chmod 755 " W "/ign; " ALL " | diff 2 -");
		wt_sh("cd " W " && git checkout -q src/f2 && rm -r n");
		wt_undo_take(",\"kind\":\"turn-begin\"");
		wt_sh("chmod 644 " W "/src/f1");
		assert_int_equal(wt_undo(""), 1);
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
	assert_int_equal(wt_undo(to), 2);
	wt_sh("cd " W " && git log -1 --format=%%s | diff ../../1 - && "
	      "[ -z \"$(git status -s)\" ] && "
	      "[ $(git rev-parse HEAD) = $(git -C ../../r rev-parse af/one) ]");
	assert_int_equal(wt_undo(redo), 2);
	wt_sh("cd " W " && sha1sum -c ../../2 && "
	      "[ $(git rev-parse HEAD) = $(git -C ../../r rev-parse af/one) ] "
	      "&& [ $(git log -1 --format=%%s) = in ]");
	free(more);
	free(to);
	free(redo);
}
