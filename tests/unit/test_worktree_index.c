/* test_worktree_index.c - git's index file read and written. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "support_unit.h"
#include "support_worktree.h"
#include "worktrees/index_file.h"
#include "worktrees/sha1.h"
#include "worktrees/tree_list.h"

static int load(const char *name, struct index_file *ix)
{
	char path[128];
	struct err err;

	snprintf(path, sizeof path, "%s/%s", scratch, name);
	return index_file_read(path, ix, &err);
}

static void save(const char *name, const void *data, size_t len)
{
	char path[128];
	int fd;

	snprintf(path, sizeof path, "%s/%s", scratch, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(file_write_all(fd, data, len), 0);
	close(fd);
}

static void hex_is(const char *text, size_t len, const char *hex)
{
	unsigned char sum[SHA1_SIZE];
	char got[41];

	sha1(text, len, sum);
	for (int i = 0; i < SHA1_SIZE; i++)
		snprintf(got + 2 * i, 3, "%02x", sum[i]);
	assert_string_equal(got, hex);
}

TEST(worktree_index__sha1_is_sha1)
{
	char many[200];

	memset(many, 'a', sizeof many);
	hex_is("", 0, "da39a3ee5e6b4b0d3255bfef95601890afd80709");
	hex_is("abc", 3, "a9993e364706816aba3e25717850c26c9cd0d89d");
	hex_is(many, 55, "c1c8bbdc22796e28c0e15163d20899b65621d65a");
	hex_is(many, 56, "c2db330f6083854c99d4b5bfb6e8f29f201be699");
	hex_is(many, 64, "0098ba824b5c16427bd7a1122a5a442a25ec644d");
	hex_is(many, 119, "ee971065aaa017e0632a8ca6c77bb3bf8b1dfc56");
	hex_is(many, 200, "e61cfffe0d9195a525fc6cf06ca2d77119c24a40");
}

FIXTURE(wt_setup, wt_teardown)

TEST(worktree_index__reads_all_versions)
{
	struct index_file v2, other;

	wt_repo("r", 120);
	wt_sh("cp r/.git/index v2; cd r && git update-index --index-version 4 "
	      "&& cp .git/index ../v4 && git update-index --index-version 2 && "
	      "git update-index --skip-worktree src/f3 && cp .git/index ../v3");
	assert_int_equal(load("v2", &v2), 0);
	assert_int_equal(v2.n, 125);
	assert_true(v2.has_root);
	assert_string_equal(v2.entries[0].path, ".gitignore");
	assert_true(v2.entries[0].plain);
	assert_int_equal(load("v4", &other), 0);
	assert_int_equal(other.n, v2.n);
	for (size_t i = 0; i < v2.n; i++) {
		const struct index_entry *a = &v2.entries[i];
		const struct index_entry *b = &other.entries[i];

		assert_string_equal(a->path, b->path);
		assert_memory_equal(a->oid, b->oid, INDEX_OID_SIZE);
		assert_int_equal(a->mtime_ns, b->mtime_ns);
	}
	index_file_finish(&other);
	assert_int_equal(load("v3", &other), 0);
	assert_int_equal(other.n, v2.n);
	for (size_t i = 0; i < v2.n; i++)
		assert_int_equal(other.entries[i].plain,
				 strcmp(other.entries[i].path, "src/f3") != 0);
	index_file_finish(&other);
	index_file_finish(&v2);
}

TEST(worktree_index__writes_what_git_reads)
{
	struct index_file ix;
	struct buf out = {0};

	wt_repo("r", 120);
	wt_sh("cp r/.git/index old && cd r && git ls-files --debug -s > ../a");
	assert_int_equal(load("old", &ix), 0);
	index_file_format(ix.entries, ix.n, ix.tree.data, ix.tree.len, &out);
	save("r/.git/index", out.data, out.len);
	/* git checks the sum here */
	wt_sh("cd r && git fsck && git ls-files --debug -s | cmp - ../a && "
	      "cmp .git/index ../old && git diff-files --exit-code");
	buf_finish(&out);
	index_file_finish(&ix);
}

TEST(worktree_index__leaves_what_it_does_not_know)
{
	struct index_file ix;

	wt_repo("r", 20);
	wt_sh(
	    "cd r && git update-index --split-index && cp .git/index ../split "
	    "&& git update-index --no-split-index && mkfifo ../pipe && : > "
	    "../empty && ln -s r/.git/index ../link");
	assert_int_equal(load("split", &ix), -1);
	assert_int_equal(load("pipe", &ix), -1);
	assert_int_equal(load("empty", &ix), -1);
	assert_int_equal(load("link", &ix), -1);
	assert_int_equal(load("none", &ix), -1);
}

/* Any byte wrong, any length: an error or entries, never a bad access. */
TEST(worktree_index__survives_damage)
{
	struct buf good = {0};
	struct index_file ix;
	struct err err;
	char path[128];

	wt_repo("r", 2);
	wt_sh("cd r && git update-index --index-version 4");
	snprintf(path, sizeof path, "%s/r/.git/index", scratch);
	assert_int_equal(file_read(AT_FDCWD, path, 1 << 20, &good, &err), 0);
	for (size_t i = 0; i < good.len; i++) {
		for (int bits = 1; bits < 256; bits = bits * 3 + 1) {
			good.data[i] = (char)(good.data[i] ^ bits);
			save("bad", good.data, good.len);
			good.data[i] = (char)(good.data[i] ^ bits);
			if (load("bad", &ix) == 0)
				index_file_finish(&ix);
		}
		save("bad", good.data, i);
		/* cut behind the entries it can look whole: no sum is checked
		 */
		if (load("bad", &ix) == 0) {
			assert_int_equal(ix.n, 7);
			index_file_finish(&ix);
		}
	}
	buf_finish(&good);
}

FIXTURE(NULL, NULL)

TEST(worktree_index__knows_paths_that_must_not_be)
{
	static const char *const bad[] = {
	    "",	    ".",  "..",	      ".git",	 "a/.git/b", "a/../b",
	    "a//b", "/a", "a/.GiT/x", "GIT~1/x", "./a",	     "a/",
	};
	static const char *const good[] = {
	    "a",     ".gitignore", "a/.gitmodules", "...",
	    "git~2", "a b",	   "\377",	    "-"};

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(tree_list_path_ok(bad[i]));
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		assert_true(tree_list_path_ok(good[i]));
}
