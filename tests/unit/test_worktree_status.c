/* test_worktree_status.c - status and diff of touched trees. */
#include <stdlib.h>

#include "base/mem.h"
#include "support_unit.h"
#include "support_worktree.h"

#define W ".af_worktrees/r-one"

/* What a status lists as changed is all that it needs to look at. */
static void only_these_is(const struct wt_answer *whole)
{
	char *list = cJSON_PrintUnformatted(
	    cJSON_GetObjectItemCaseSensitive(whole->answer, "changed"));
	char *more = mem_printf(",\"list\":true,\"only\":%s", list);
	struct wt_answer some = wt_one_ask("status", more);

	if (!cJSON_Compare(whole->answer, some.answer, true))
		printf("# only %s: %s\n", list,
		       cJSON_PrintUnformatted(some.answer));
	assert_true(cJSON_Compare(whole->answer, some.answer, true));
	wt_answer_finish(&some);
	free(list);
	free(more);
}

static void status_is(long files, long untracked, long uncommitted, long ahead,
		      long added, long removed)
{
	struct wt_answer a = wt_one_ask("status", ",\"list\":true");

	if (wt_int(&a, "files_changed") != files ||
	    wt_int(&a, "lines_added") != added)
		printf("# %s\n", a.lines.data);
	assert_int_equal(a.code, 0);
	assert_int_equal(wt_int(&a, "files_changed"), files);
	assert_int_equal(wt_int(&a, "untracked"), untracked);
	assert_int_equal(wt_int(&a, "uncommitted"), uncommitted);
	assert_int_equal(wt_int(&a, "ahead"), ahead);
	assert_int_equal(wt_int(&a, "lines_added"), added);
	assert_int_equal(wt_int(&a, "lines_removed"), removed);
	only_these_is(&a);
	wt_answer_finish(&a);
}

FIXTURE(wt_setup, wt_teardown)

TEST(worktree_look__status_counts_everything)
{
	wt_repo("r", 20);
	wt_sh("echo E > r/.env && echo L > r/x.local");
	wt_one(",\"copy\":[\".env\",\"x.local\"]");
	status_is(0, 0, 0, 0, 0, 0);
	wt_sh("cd " W " && printf 'a\\nb\\n' >> src/f1 && git commit -qam two "
	      "&& echo c >> src/f2 && git add src/f2 && echo d >> src/f3 && "
	      "rm src/f4 && printf 'x\\ny\\n' > new && mkdir n && echo 1 > "
	      "n/1 && printf '\\0\\1' > binary && echo log > z.log && "
	      "chmod +x src/f5");
	status_is(8, 3, 4, 1, 7, 1);
	/* what create copied counts once it has been changed */
	wt_sh("cd " W " && echo more >> x.local");
	status_is(9, 4, 4, 1, 9, 1);
	/* staged and different again, staged alone, no longer in the index */
	wt_sh("cd " W " && echo e >> src/f2 && echo s > s && git add s && "
	      "rm s && git rm -q --cached src/f6");
	status_is(10, 5, 6, 1, 10, 2);
}

/* git write-tree records the tree of an index, also of what is only staged. */
TEST(worktree_look__status_by_the_recorded_tree)
{
	static const char *const versions[] = {"2", "4"};

	for (size_t i = 0; i < 2; i++) {
		wt_sh("rm -rf r .af_worktrees");
		wt_repo("r", 20);
		wt_one("");
		wt_sh("cd " W " && git update-index --index-version %s && "
		      "printf 'a\nb\n' >> src/f1 && git commit -qam two && "
		      "git write-tree && echo >> src/f7",
		      versions[i]);
		status_is(2, 0, 1, 1, 3, 0);
		wt_sh("cd " W " && echo c >> src/f2 && echo n > new && "
		      "git rm -q src/f3 && git add src/f2 new && "
		      "git write-tree");
		status_is(5, 0, 4, 1, 5, 1);
		/* Then it is out of date; and recorded with another entry. */
		wt_sh("cd " W " && echo s > s && git add s");
		status_is(6, 0, 5, 1, 6, 1);
		wt_sh("cd " W " && git rm -q --cached s && git reset -q src "
		      "&& git add -N s && git write-tree");
		status_is(6, 0, 5, 1, 6, 1);
		wt_sh("cd " W " && git add s && git update-index "
		      "--skip-worktree src/f5 && rm src/f5 && git write-tree");
		status_is(6, 0, 5, 1, 6, 1);
	}
}

/* As git counts them: what is not as in the index, whatever is in its place. */
TEST(worktree_look__status_of_what_was_replaced)
{
	static const char *const scripts[] = {
	    "rm src/f1 && mkdir src/f1 && echo > src/f1/in",
	    "rm -r src && ln -s .. src",
	    "rm src/f1 && ln -s f2 src/f1",
	    "chmod +x src/f1",
	    "touch src/f1",
	    "mkdir n && git init -q n && echo > n/x",
	    "git init -q src/n && echo > src/n/x",
	    "echo '*.o' > .gitignore; mkdir o; touch src/x.o o/x.o o/x.c",
	    "echo src > .gitignore && echo > src/new",
	    "git update-index --assume-unchanged src/f1 && echo >> src/f1",
	    "mkdir -p a/b/c && mkfifo a/f",
	    "for i in $(seq 600); do echo > new$i; done; rm src/f3",
	    "mkdir d && git mv src/f1 d && git mv src/f2 src/F2",
	};

	for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
		struct wt_answer a;
		long untracked, all;

		wt_sh("rm -rf r .af_worktrees");
		wt_repo("r", 20);
		wt_one("");
		wt_sh("cd " W " && %s", scripts[i]);
		untracked = atol(wt_out(
		    "cd " W " && git ls-files -o --exclude-standard | wc -l"));
		all = atol(wt_out("cd " W " && git status --porcelain -uall "
				  "--no-renames | wc -l"));
		a = wt_one_ask("status", "");
		if (wt_int(&a, "untracked") != untracked ||
		    wt_int(&a, "uncommitted") + untracked != all)
			printf("# %s: %ld, %ld; %s\n", scripts[i], untracked,
			       all, cJSON_PrintUnformatted(a.answer));
		assert_int_equal(wt_int(&a, "untracked"), untracked);
		assert_int_equal(wt_int(&a, "uncommitted"), all - untracked);
		wt_answer_finish(&a);
	}
}

TEST(worktree_look__status_of_some_paths)
{
	struct wt_answer a;

	wt_repo("r", 20);
	wt_one("");
	wt_sh("cd " W " && echo a >> src/f1 && echo b >> src/f2 && "
	      "mkdir -p d/e && echo c > d/e/c && echo d > '*' && rm src/f3");
	a = wt_one_ask("status", ",\"list\":true,\"only\":[\"src/f1\",\"d\","
				 "\"src/f3\",\"gone\",\"src/f*\"]");
	assert_int_equal(wt_int(&a, "files_changed"), 3);
	assert_int_equal(wt_int(&a, "untracked"), 1);
	assert_int_equal(wt_int(&a, "lines_added"), 2);
	wt_answer_finish(&a);
	a = wt_one_ask("status", ",\"only\":[]");
	assert_int_equal(wt_int(&a, "files_changed"), 0);
	assert_false(cJSON_HasObjectItem(a.answer, "changed"));
	wt_answer_finish(&a);
	/* a directory becomes a file, and a file a directory */
	wt_sh("cd " W
	      " && git checkout -q . && rm -r src d '*' && echo x > src");
	status_is(22, 1, 21, 0, 1, 21);
	/* more than are listed */
	wt_sh("cd " W " && rm src && git checkout -q . && mkdir many && "
	      "cd many && touch $(seq 300)");
	a = wt_one_ask("status", ",\"list\":true");
	assert_int_equal(wt_int(&a, "untracked"), 300);
	assert_false(cJSON_HasObjectItem(a.answer, "changed"));
	wt_answer_finish(&a);
}

TEST(worktree_look__status_bounds_its_work)
{
	wt_repo("r", 3);
	wt_one("");
	wt_sh("cd " W " && yes | head -c 3000000 > big && mkfifo pipe && ln -s "
	      "/dev/zero zero && ln -s / root && touch noread && chmod 0 "
	      "noread");
	/* a pipe is nothing to git; a big file has no lines */
	status_is(4, 4, 0, 0, 2, 0);
}

TEST(worktree_look__runs_nothing_of_the_tree)
{
	struct wt_answer a;

	wt_repo("r", 3);
	wt_one("");
	/* what an agent could do to have git run something */
	wt_sh(
	    "printf '#!/bin/sh\\ntouch %s/ran\\n' > evil && chmod +x evil && "
	    "cd " W " && git init -q nested && git -C nested config "
	    "core.fsmonitor %s/evil && echo x > nested/x && git -C nested "
	    "add x && printf '* filter=evil diff=evil\\n' > .gitattributes && "
	    "echo y >> src/f1 && mkdir ../evil.git && cp -r ../../r/.git/. "
	    "../evil.git && rm -r ../evil.git/worktrees && git "
	    "--git-dir=../evil.git config core.fsmonitor %s/evil && git "
	    "--git-dir=../evil.git config filter.evil.clean %s/evil && git "
	    "--git-dir=../evil.git config diff.evil.textconv %s/evil && git "
	    "--git-dir=../evil.git config core.worktree $PWD && git "
	    "--git-dir=../evil.git config core.bare false && cp ../evil "
	    "../evil.git/hooks/post-checkout 2>/dev/null; "
	    "echo \"gitdir: $(realpath ../evil.git)\" > .git",
	    scratch, scratch, scratch, scratch, scratch);
	/* the bait works: git itself takes it */
	wt_sh("cd " W " && git status >/dev/null && [ -e ../../ran ] && rm "
	      "../../ran");
	/* src/f1, nested/ as one, .gitattributes */
	status_is(3, 2, 1, 0, 2, 0);
	a = wt_one_ask("diff", "");
	assert_int_equal(a.code, 0);
	assert_non_null(strstr(a.lines.data, "+y"));
	assert_null(strstr(a.lines.data, "nested/x"));
	wt_answer_finish(&a);
	/* in the trash, and looked at there */
	for (int i = 0; i < 2; i++) {
		a = wt_one_ask(i ? "sweep" : "remove",
			       ",\"id\":\"0123456789abcdef0123456789abcdef\","
			       "\"delete_ignored\":true");
		assert_int_equal(a.code, 0);
		wt_answer_finish(&a);
	}
	wt_sh("! [ -e ran ] && [ -e .af_worktrees/.trash/*/nested/x ] && mv "
	      ".af_worktrees/evil.git .");
}

TEST(worktree_look__diff_is_safe_to_show)
{
	struct wt_answer a;

	wt_repo("r", 3);
	wt_one("");
	wt_sh("cd " W " && printf '\\033]0;x\\007\\tt\\302\\233\\342\\200\\256"
	      "\\377\\303\\244\\r\\n' > src/f1 && mkdir $'d\\e[2J' && echo n > "
	      "$'d\\e[2J/\\xff' && printf 'no end' > new");
	a = wt_one_ask("diff", ",\"colour\":true");
	assert_int_equal(a.code, 0);
	assert_non_null(
	    strstr(a.lines.data, "+?]0;x?\\tt???\303\244?\\u001b[m\\n"));
	assert_null(strstr(a.lines.data, "\\u001b]"));
	assert_null(strstr(a.lines.data, "\\u001b[2J"));
	assert_non_null(strstr(a.lines.data, "+no end"));
	assert_int_equal(wt_int(&a, "files"), 3);
	wt_answer_finish(&a);
	a = wt_one_ask("diff", "");
	assert_null(strstr(a.lines.data, "\\u001b"));
	wt_answer_finish(&a);
	a = wt_one_ask("diff", ",\"stat\":true");
	assert_non_null(strstr(a.lines.data, " src/f1  | 2 +-"));
	assert_null(strstr(a.lines.data, "\\u001b"));
	wt_answer_finish(&a);
}

/* The text of all "diff" lines, into a file. */
static void save_diff(const struct wt_answer *a, const char *name)
{
	char path[128], *text = strdup(a->lines.data), *rest = text, *line;
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", scratch, name);
	f = fopen(path, "w");
	assert_non_null(f);
	while ((line = strsep(&rest, "\n"))) {
		cJSON *o = cJSON_Parse(line);
		const cJSON *part = cJSON_GetObjectItem(o, "diff");

		if (part)
			fputs(part->valuestring, f);
		cJSON_Delete(o);
	}
	fclose(f);
	free(text);
}

TEST(worktree_look__diff_is_a_patch)
{
	struct wt_answer a;

	wt_repo("r", 30);
	wt_one("");
	wt_sh("cd " W " && echo a >> src/f1 && git commit -qam x && rm src/f2 "
	      "&& echo new > new && chmod +x src/f3 && printf end > src/f4");
	a = wt_one_ask("diff", "");
	assert_int_equal(a.code, 0);
	save_diff(&a, "patch");
	wt_answer_finish(&a);
	/* on top of the base it gives the same files */
	wt_sh("git -C r worktree add -q ../other && cd other && git apply "
	      "../patch && diff -r --no-dereference -x .git . ../" W);
}

TEST(worktree_look__diff_has_the_table_of_git)
{
	struct wt_answer a;

	wt_repo("r", 30);
	wt_one("");
	wt_sh("cd " W " && echo a >> src/f1 && git commit -qam x && rm src/f2 "
	      "&& seq 40 > a-longer-name && chmod +x src/f3 && seq 7 > src/f4 "
	      "&& rm src/f5");
	a = wt_one_ask("diff", ",\"stat\":true");
	assert_int_equal(a.code, 0);
	save_diff(&a, "table");
	wt_answer_finish(&a);
	wt_sh("cd " W " && git add -N . && git diff --no-renames --stat $(git "
	      "-C ../../r rev-parse HEAD) > ../../theirs && diff ../../theirs "
	      "../../table >&2");
	/* one line, one file, more signs than there is room */
	wt_sh("cd " W
	      " && git checkout -qf HEAD^ && rm -f a-longer-name && seq "
	      "1000 >> src/f1");
	a = wt_one_ask("diff", ",\"stat\":true");
	assert_non_null(strstr(a.lines.data,
			       " src/f1 | 1000 ++++++++++++++++++"
			       "++++++++++++++++++++++\\n 1 file changed, 1000 "
			       "insertions(+)\\n"));
	wt_answer_finish(&a);
}

TEST(worktree_look__stays_in_its_place)
{
	static const char *const bad[] = {
	    "\"repository\":\"/nowhere\"",
	    "\"worktree_id\":\"../x\"",
	    "\"worktree_id\":\"\"",
	    "\"worktree\":\"/etc\"",
	    "\"worktree\":\"/tmp/x/../../etc\"",
	    "\"ino\":\"1\"",
	};
	struct wt_answer a;
	char *members;

	wt_repo("r", 3);
	members = wt_create("r", "one", "");
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		char key[32], *copy = strdup(members), *at, *end;

		/* the member of the request replaced by the bad one */
		snprintf(key, sizeof key, "%.*s",
			 (int)(strchr(bad[i], ':') - bad[i] + 1), bad[i]);
		at = strstr(copy, key);
		end = at + strcspn(at, ",");
		a = wt_ask("{\"op\":\"remove\",\"id\":"
			   "\"0123456789abcdef0123456789abcdef\",%.*s%s%s}\n",
			   (int)(at - copy), copy, bad[i], end);
		assert_true(a.code == 1 || a.code == 2);
		assert_int_equal(wt_int(&a, "ok"), 0);
		wt_answer_finish(&a);
		free(copy);
	}
	free(members);
	a = wt_ask("{\"op\":\"sing\"}\n");
	wt_refused(&a, 2, "unknown op");
	wt_answer_finish(&a);
	a = wt_ask("{\"op\":\"create\",\"op\":\"create\"}\n");
	wt_refused(&a, 1, "twice");
	wt_answer_finish(&a);
	a = wt_ask("garbage");
	wt_refused(&a, 1, "bad request");
	wt_answer_finish(&a);
	wt_sh("[ -d " W " ]");
}

/* An agent could make every reader wait, or use all memory. */
TEST(worktree_look__gits_files_have_limits)
{
	static const struct {
		const char *name, *make, *why;
	} cases[] = {
	    {"src/.gitignore", "mkfifo", "it is a FIFO"},
	    {"src/.gitattributes", "mkfifo", "it is a FIFO"},
	    {"src/.gitignore", "truncate -s 5M", "it is larger than"},
	    {"src/.gitattributes", "truncate -s 5M", "it is larger than"},
	};
	struct wt_answer a;

	wt_repo("r", 3);
	wt_one("");
	wt_sh("mkfifo pipe && cd " W " && echo x >> src/f1 && echo > src/new");
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char *why = mem_printf("%s: %s", cases[i].name, cases[i].why);

		wt_sh("%s " W "/%s", cases[i].make, cases[i].name);
		for (int op = 0; op < 2; op++) {
			a = wt_one_ask(op ? "diff" : "status", "");
			wt_refused(&a, 1, why);
			wt_answer_finish(&a);
		}
		wt_sh("rm " W "/%s", cases[i].name);
		free(why);
	}
	status_is(2, 1, 1, 0, 2, 0);
	/* in the index alone */
	wt_sh("cd " W " && truncate -s 5M .gitattributes && "
	      "git add .gitattributes && rm .gitattributes");
	a = wt_one_ask("diff", "");
	wt_refused(&a, 1, "larger than 4 MiB");
	wt_answer_finish(&a);
}

/*
 * As git does since 2.32, which is asked here: a link is read only if the
 * user's configuration names it, whole. (git reads it by a relative name, too:
 * that link an agent could make, and learn what is in the user's files.)
 */
TEST(worktree_look__links_are_no_pattern_files)
{
	wt_repo("r", 3);
	wt_one("");
	wt_sh("mkfifo pipe && printf '*.work\\n' > patterns && printf "
	      "'*.user\\n' > mine && ln -s mine .gitignore && git -C r config "
	      "core.excludesFile $PWD/.gitignore && cd " W " && rm .gitignore "
	      "&& git commit -qam none && ln -s $PWD/../../patterns "
	      ".gitignore && ln -s $PWD/../../pipe src/.gitattributes && "
	      "echo w > a.work && echo u > a.user && [ \"$(git status --short "
	      "2>../../said | tr -d '\\n')\" = "
	      "'?? .gitignore?? a.work?? src/.gitattributes' ]");
	status_is(3, 3, 0, 1, 2, 3);
}

/* The worktree as it was, whatever of it was committed since. */
TEST(worktree_look__a_turn_is_compared_with_its_begin)
{
	struct wt_answer a;

	wt_repo("r", 5);
	wt_one("");
	a = wt_one_ask("diff", ",\"turn\":true");
	wt_refused(&a, 1, "no checkpoint of its last turn's start");
	wt_answer_finish(&a);
	wt_sh("cd " W " && echo before >> src/f1 && echo x > new && "
	      "echo s > staged && git add staged && rm src/f2 && "
	      "yes | head -c 9000000 > big && git ls-files -s > ../index");
	a = wt_one_ask("checkpoint", ",\"kind\":\"turn-begin\"");
	assert_int_equal(a.code, 0);
	wt_answer_finish(&a);
	wt_sh("cd " W " && git ls-files -s | cmp ../index - && "
	      "git add -A . ':!big' && git commit -qm all");
	a = wt_one_ask("diff", ",\"turn\":true");
	assert_int_equal(wt_int(&a, "files"), 0);
	wt_answer_finish(&a);
	wt_sh("cd " W " && echo after >> src/f1 && rm new && echo y >> big && "
	      "git mv src/f3 src/moved && git commit -qam more && "
	      "echo last > untracked");
	a = wt_one_ask("diff", ",\"turn\":true,\"stat\":true");
	/* big, new, src/f1, src/f3, src/moved, untracked */
	assert_int_equal(wt_int(&a, "files"), 6);
	wt_answer_finish(&a);
	a = wt_one_ask("diff", ",\"turn\":true");
	assert_non_null(strstr(a.lines.data, "+after"));
	assert_null(strstr(a.lines.data, "+before"));
	wt_answer_finish(&a);
	/* git keeps its objects. */
	wt_sh("cd r && git -c gc.worktreePruneExpire=never gc -q "
	      "--prune=now");
	a = wt_one_ask("diff", ",\"turn\":true");
	assert_int_equal(wt_int(&a, "files"), 6);
	wt_answer_finish(&a);
	/* It does not prevent the removal of the worktree. */
	a = wt_one_ask("remove",
		       ",\"id\":\"0123456789abcdef0123456789abcdef\"");
	assert_int_equal(a.code, 0);
	wt_answer_finish(&a);
}
