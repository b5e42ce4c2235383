/* test_worktree_create.c - worktrees made, and refused. */
#include "support_unit.h"
#include "support_worktree.h"

FIXTURE(wt_setup, wt_teardown)

TEST(worktree_create__is_what_git_would_make)
{
	struct wt_answer a;

	wt_repo("r", 300);
	a = wt_create_ask("r/src", "one", "");
	assert_int_equal(a.code, 0);
	assert_string_equal(wt_str(&a, "branch"), "af/one");
	assert_string_equal(wt_str(&a, "base"), "main");
	assert_int_equal(wt_int(&a, "files"), 305);
	assert_string_equal(wt_out("stat -c %%a .af_worktrees"), "700");
	/* diff-files trusts stat data alone: none is out of date */
	assert_string_equal(
	    wt_out("cd .af_worktrees/r-one && git diff-files && git status "
		   "--porcelain --ignored && git diff HEAD && git symbolic-ref "
		   "HEAD && git rev-parse --show-toplevel"),
	    wt_out("echo refs/heads/af/one; pwd -P | sed 's|$|/.af_worktrees/"
		   "r-one|'"));
	wt_sh("git -C r fsck --strict && git -C r worktree list | grep -q "
	      "'r-one .*af/one'");
	wt_sh("git -C r worktree add -q ../other && diff -r --no-dereference "
	      "-x .git other .af_worktrees/r-one");
	wt_sh("cd .af_worktrees/r-one && [ -x run.sh ] && [ ! -x empty ] && "
	      "[ -L link ] && ! [ -e ../../r/.git/worktrees/r-one/locked ]");
	/* the tree extension is there and right */
	wt_sh("cd .af_worktrees/r-one && [ $(git write-tree) = $(git "
	      "rev-parse HEAD^{tree}) ] && git ls-files -s | cmp - "
	      "<(git -C ../../other ls-files -s)");
	wt_answer_finish(&a);
}

TEST(worktree_create__does_not_copy_what_was_changed)
{
	wt_repo("r", 50);
	wt_sh(
	    "cd r && echo changed > src/f1 && rm src/f2 && ln -sf /etc/passwd "
	    "src/f3 && chmod +x src/f4 && mkfifo x && mv x src/f5 && "
	    /* same size and mtime: only ctime and inode tell */
	    "touch -r src/f6 t && echo 'fil3 6' > src/f6 && touch -r t "
	    "src/f6 && rm t && mv src/deep /tmp/$$ && mkdir src/deep && "
	    "echo evil > src/deep/x && rm -r /tmp/$$; "
	    "git update-index --assume-unchanged src/f7 && echo x > src/f7");
	free(wt_create("r", "one", ""));
	wt_sh("cd .af_worktrees/r-one && git status --porcelain && "
	      "git diff --exit-code HEAD && grep -qx 'file 6' src/f6 && "
	      "grep -qx 'file 7' src/f7 && grep -qx deep src/deep/x");
}

/* An index of every version, and one that cannot be read. */
TEST(worktree_create__takes_any_index)
{
	static const char *const made[] = {
	    "git update-index --index-version 4",
	    "git update-index --skip-worktree src/f3; rm src/f3",
	    "echo new > new; git add -N new; git rm -q --cached src/f4",
	    "git update-index --split-index",
	    "echo x > .git/index",
	    "rm .git/index; mkfifo .git/index",
	    "rm .git/index",
	};

	wt_repo("r", 20);
	wt_sh("cp -a r/.git/index good");
	for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) {
		char name[8];

		snprintf(name, sizeof name, "w%zu", i);
		wt_sh("cd r && rm -f .git/index && cp -a ../good .git/index && "
		      "{ %s; }",
		      made[i]);
		free(wt_create("r", name, ""));
		/* Since 2.40 git fsck reads the main worktree's index, too. */
		wt_sh("rm -f r/.git/index && cp -a good r/.git/index && "
		      "cd .af_worktrees/r-%s && git fsck && git diff-files "
		      "--exit-code && [ -z \"$(git status --porcelain)\" ] && "
		      "! git ls-files -v | grep -v '^H'",
		      name);
	}
}

TEST(worktree_create__takes_any_base)
{
	struct wt_answer a;

	wt_repo("r", 10);
	wt_sh(
	    "cd r && git tag -a -m t v1 && git checkout -q -b other && echo 2 "
	    "> src/f1 && git rm -q src/f2 && git commit -qam two && git "
	    "checkout -q main && git update-ref refs/remotes/origin/x "
	    "other");
	free(wt_create("r", "a", ",\"base\":\"other\""));
	free(wt_create("r", "b", ",\"base\":\"v1\""));
	a = wt_create_ask("r", "c", ",\"base\":\"origin/x\"");
	assert_string_equal(wt_str(&a, "base"), "origin/x");
	wt_answer_finish(&a);
	wt_sh("cd .af_worktrees/r-c && grep -qx 2 src/f1 && ! [ -e src/f2 ] && "
	      "[ -z \"$(git status --porcelain)\" ]");
	wt_sh("cd .af_worktrees/r-b && [ -e src/f2 ]");
	/* the user's directory decides, and the main repository is used */
	a = wt_create_ask(".af_worktrees/r-a/src", "d", "");
	assert_int_equal(a.code, 0);
	assert_string_equal(wt_str(&a, "base"), "af/a");
	assert_non_null(strstr(wt_str(&a, "worktree"), "/.af_worktrees/r-d"));
	wt_sh("cd .af_worktrees/r-d && grep -qx 2 src/f1");
	wt_answer_finish(&a);
	wt_create_refused("r", "e", ",\"base\":\"nothing\"", 1,
			  "no base \"nothing\"");
	wt_create_refused("r", "e", ",\"base\":\"main:run.sh\"", 1,
			  "not a commit");
	wt_create_refused("r", "e", ",\"base\":\"--help\"", 1, "no base");
	wt_sh("! [ -e .af_worktrees/r-e ] && ! [ -e r/.git/worktrees/r-e ]");
}

TEST(worktree_create__refuses_bad_names)
{
	wt_repo("r", 3);
	wt_create_refused("r", "", "", 2, "name '");
	wt_create_refused("r", "../../../x", "", 2, "name '");
	wt_create_refused("r", "a", ",\"branch_prefix\":\"-a/\"", 2,
			  "not a branch");
	wt_create_refused("r", "a", ",\"branch_prefix\":\"a..\"", 2,
			  "not a branch");
	wt_nothing_left();
}

TEST(worktree_create__refuses_what_is_taken)
{
	wt_repo("r", 10);
	wt_sh("git -C r branch af/b && mkdir .af_worktrees && "
	      "mkdir .af_worktrees/r-d && echo mine > .af_worktrees/r-d/f && "
	      "ln -s nowhere .af_worktrees/r-l");
	free(wt_create("r", "one", ""));
	wt_create_refused("r", "one", "", 4, "already");
	wt_create_refused("r", "b", "", 4, "branch af/b exists already");
	wt_create_refused("r", "d", "", 4, "exists already");
	wt_create_refused("r", "l", "", 4, "exists already");
	wt_sh("grep -qx mine .af_worktrees/r-d/f && [ -L .af_worktrees/r-l ]");
	wt_sh("git -C r worktree lock .af_worktrees/r-one 2>/dev/null || git "
	      "-C r worktree lock ../.af_worktrees/r-one");
	wt_create_refused("r", "one", "", 4, "already");
	wt_sh("mkdir r/.git/worktrees/r-e && git -C r branch x/af");
	wt_create_refused("r", "e", "", 4, "git has a worktree of this name");
	wt_sh("git -C r branch y");
	wt_create_refused("r", "z", ",\"branch_prefix\":\"y/\"", 4, "way");
	wt_create_refused("r", "x", ",\"branch_prefix\":\"\"", 4, "way");
	assert_string_equal(wt_out("ls .af_worktrees; ls r/.git/worktrees; git "
				   "-C r for-each-ref refs/heads --format="
				   "'%%(refname:short)'"),
			    "r-d\nr-l\nr-one\nr-e\nr-one\naf/b\naf/one\nmain\n"
			    "x/af\ny");
}

TEST(worktree_create__says_what_is_wrong_with_it)
{
	struct wt_answer a;

	wt_repo("r", 3);
	wt_sh("mkdir none && git init -q empty");
	wt_create_refused("none", "x", "", 1, "not in a git repository");
	wt_create_refused("empty", "x", "", 1, "no commit yet");
	wt_create_refused("empty", "x", ",\"base\":\"main\"", 1,
			  "no commit yet");
	wt_sh("git -C r config core.repositoryformatversion 1 && git -C r "
	      "config extensions.relativeWorktrees true");
	a = wt_create_ask("r", "y", "");
	if (a.code != 0) {
		wt_refused(&a, 1, "elativeworktrees");
		assert_non_null(
		    strstr(wt_str(&a, "hint"), "extensions.relativeWorktrees"));
	}
	wt_answer_finish(&a);
}

TEST(worktree_create__does_not_follow_a_link)
{
	wt_repo("r", 3);
	wt_sh("mkdir elsewhere && ln -s elsewhere .af_worktrees");
	wt_create_refused("r", "one", "", 1, "not a directory but a link");
	assert_string_equal(wt_out("ls -A elsewhere; ls r/.git/worktrees "
				   "2>/dev/null; git -C r branch --list "
				   "'af/*'"),
			    "");
}

TEST(worktree_create__runs_the_setup_command)
{
	struct wt_answer a;

	wt_repo("r", 3);
	a = wt_create_ask(
	    "r", "one",
	    ",\"setup\":[\"sh\",\"-c\",\"pwd; echo $AF_REPOSITORY; "
	    "printf '\\\\303'; sleep 0.1; printf '\\\\244'; "
	    "touch made\"]");
	assert_int_equal(a.code, 0);
	assert_non_null(strstr(a.lines.data, "/.af_worktrees/r-one\\n"));
	assert_non_null(strstr(a.lines.data, "\303\244"));
	wt_answer_finish(&a);
	wt_sh("[ -e .af_worktrees/r-one/made ]");
	wt_sh("rm -rf .af_worktrees && git -C r worktree prune && git -C r "
	      "branch -qD af/one");
	a = wt_create_ask("r", "one",
			  ",\"setup\":[\"sh\",\"-c\",\"echo why; exit 3\"]");
	wt_refused(&a, 1, "exit code 3");
	assert_non_null(strstr(a.lines.data, "why"));
	wt_answer_finish(&a);
	wt_create_refused("r", "one", ",\"setup\":[\"no-such-program\"]", 1,
			  "No such file");
	wt_create_refused(
	    "r", "one",
	    ",\"setup\":[\"sh\",\"-c\",\"trap '' TERM; sleep 100 & "
	    "wait\"],\"setup_timeout_ms\":200",
	    7, "not done after 200 ms");
	wt_nothing_left();
}

TEST(worktree_create__brings_what_is_wanted)
{
	struct wt_answer a;

	wt_repo("r", 3);
	wt_sh(
	    "cd r && echo S=1 > .env && mkdir -p node_modules/a/.bin conf/sub "
	    "&& echo m > node_modules/a/m && ln -s ../m "
	    "node_modules/a/.bin/m && ln -s /etc node_modules/etc && "
	    "echo l > conf/sub/x.local && echo changed > src/f1 && "
	    "ln -s /etc out && chmod 700 node_modules/a && touch -d "
	    "2001-01-01 .env");
	a = wt_create_ask(
	    "r", "one",
	    ",\"copy\":[\".env\",\"**/*.local\",\"src/*\",\"none*\","
	    "\"out/passwd\"],\"link\":[\"node_modules\",\".env\"]");
	assert_int_equal(a.code, 0);
	assert_non_null(
	    strstr(a.lines.data, "\"copied\":[\".env\",\"conf/sub/x.local\"]"));
	assert_non_null(strstr(a.lines.data, "\"linked\":[\"node_modules\"]"));
	wt_answer_finish(&a);
	wt_sh(
	    "cd .af_worktrees/r-one && grep -qx S=1 .env && [ -L node_modules "
	    "] && grep -qx 'file 1' src/f1 && [ $(stat -c %%Y .env) = "
	    "$(stat -c %%Y ../../r/.env) ] && ! [ -e out ]");
	free(wt_create("r", "two", ",\"copy\":[\"node_modules\"]"));
	wt_sh("cd .af_worktrees/r-two && ! [ -L node_modules ] && [ -L "
	      "node_modules/etc ] && [ -L node_modules/a/.bin/m ] && "
	      "[ $(stat -c %%a node_modules/a) = 700 ]");
	wt_create_refused("r", "three", ",\"copy\":[\"../x\"]", 2,
			  "it has .. in it");
	wt_create_refused("r", "three", ",\"copy\":[\"a/../x\"]", 2,
			  "it has .. in it");
	wt_create_refused("r", "three", ",\"link\":[\"/etc/passwd\"]", 2,
			  "absolute");
	wt_sh("! [ -e .af_worktrees/r-three ]");
}

TEST(worktree_create__converts_as_git_does)
{
	struct wt_answer a;

	wt_sh(
	    "git init -q r && cd r && printf '* text=auto\\n*.crlf eol=crlf\\n"
	    "*.id ident\\n*.bin -text\\n*.lfs filter=lfs -text\\n"
	    "*.f filter=mine\\n' > .gitattributes && "
	    "printf 'a\\nb\\n' > x.crlf && printf '$Id$\\n' > y.id && "
	    "printf 'a\\r\\nb\\n' > b.bin && printf 'a\\n' > n.txt && "
	    "echo version https://git-lfs.github.com/spec/v1 > big.lfs && echo "
	    "m > m.f && mkdir s && "
	    "printf '*.txt eol=crlf\\n' > s/.gitattributes && "
	    "printf 'q\\n' > s/q.txt && printf 'mixed\\n' > mixed.txt && "
	    "git add -A && git commit -qm one && printf 'mixed\\r\\n' > "
	    "mixed.txt && touch -d '1 hour ago' * s/* && git add -A && "
	    "git status --porcelain && git config filter.mine.smudge "
	    "'touch ../ran; cat'");
	a = wt_create_ask("r", "one", "");
	assert_int_equal(a.code, 0);
	assert_non_null(strstr(a.lines.data, "1 file of git LFS"));
	assert_non_null(strstr(a.lines.data, "filter \\\"mine\\\""));
	wt_answer_finish(&a);
	wt_sh("! [ -e ran ] && ! [ -e .af_worktrees/ran ]");
	wt_sh("git -C r config --unset filter.mine.smudge; git -C r worktree "
	      "add -q ../other && diff -r -x .git other .af_worktrees/r-one "
	      "&& cd .af_worktrees/r-one && [ -z \"$(git status --porcelain)\" "
	      "] && od -c s/q.txt | grep -q '\\\\r'");
	/* and core.autocrlf for all */
	wt_sh("git -C r config core.autocrlf true");
	free(wt_create("r", "two", ""));
	wt_sh("git -C r worktree add -q ../more && diff -r -x .git "
	      "more .af_worktrees/r-two && grep -q '\r' "
	      ".af_worktrees/r-two/s/.gitattributes && git -C "
	      ".af_worktrees/r-two diff --exit-code");
}

TEST(worktree_create__takes_any_file_name)
{
	wt_sh("git init -q r && cd r && mkdir $'d\\xff' && echo 1 > "
	      "$'d\\xff/\\x01x' && echo 2 > $'a\\nb' && echo 3 > '-rf' && "
	      "echo 4 > 'a b' && mkdir a a-b && echo 5 > a/x && echo 6 > a-b/y "
	      "&& echo 7 > a0 && git add -A && git commit -qm one");
	free(wt_create("r", "one", ""));
	wt_sh("diff -r -x .git r .af_worktrees/r-one && cd .af_worktrees/r-one "
	      "&& [ -z \"$(git status --porcelain)\" ] && git fsck");
}

TEST(worktree_create__makes_no_hostile_paths)
{
	static const char *const names[] = {".git", ".GIT", "..", "git~1"};

	wt_repo("r", 3);
	/* libgit2 1.5 forgets the path that it refuses. */
	setenv("LSAN_OPTIONS", "detect_leaks=0", 1);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		char more[128];

		snprintf(
		    more, sizeof more, ",\"base\":\"%s\"",
		    wt_out("cd r && b=$(echo x | git hash-object -w "
			   "--stdin) && s=$(printf '100644 blob %%s\\tp\\n' "
			   "$b | git mktree) && t=$(printf '040000 tree "
			   "%%s\\t%s\\n' $s | git mktree) && git "
			   "commit-tree -m x $t",
			   names[i]));
		wt_create_refused("r", "one", more, 1, "invalid path");
	}
	wt_nothing_left();
}
