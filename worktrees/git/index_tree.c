/*
 * index_tree.c - reads git's record of the index's tree, the extension TREE
 * (gitformat-index(5)). git itself compares by it; libgit2 reads it, but keeps
 * it to itself.
 */
#include "worktrees/git/index_tree.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/tree_diff.h"

#define INDEX_MAX  ((size_t)1 << 30)
#define HEADER_LEN 12
#define MODE_AT	   24
#define FLAGS_AT   60
#define EXTENDED   0x4000 /* two more bytes of flags */

static uint32_t number(const char *at)
{
	uint32_t n;

	memcpy(&n, at, sizeof n);
	return ntohl(n);
}

/* Returns what follows the entry, or NULL. */
static const char *skip_entry(const char *at, const char *end, uint32_t version)
{
	const char *name = at + FLAGS_AT + 2, *nul;

	if (end - at < FLAGS_AT + 5 || (number(at + MODE_AT) >> 12) == 0xe)
		return NULL;
	if (number(at + FLAGS_AT) >> 16 & EXTENDED)
		name += 2;
	/* Version 4 has a number of bytes in front of the name. */
	while (version == 4 && name < end && (*name++ & 0x80))
		;
	nul = memchr(name, '\0', (size_t)(end - name));
	if (!nul)
		return NULL;
	return version == 4 ? nul + 1 : at + ((nul - at) / 8 + 1) * 8;
}

/* Reads the first line of the extension: that of the top directory. */
static bool read_top(git_oid *tree, const char *at, const char *end)
{
	const char *line = memchr(at, '\n', (size_t)(end - at));

	/* An empty name, and the number of files; below 0: not up to date. */
	if (!line || *at || at[1] == '-' || end - ++line < GIT_OID_RAWSZ)
		return false;
	git_oid_fromraw(tree, (const unsigned char *)line);
	return true;
}

/* Sets *tree to the tree of the index, as it was read from its file. */
static bool find(git_oid *tree, git_index *index)
{
	const git_oid *sum = git_index_checksum(index);
	const char *path = git_index_path(index), *at, *end;
	_buf_ struct buf text = {0};
	uint32_t version;

	if (!path || file_read(AT_FDCWD, path, INDEX_MAX, &text, NULL) < 0 ||
	    text.len < HEADER_LEN + GIT_OID_RAWSZ)
		return false;
	end = text.data + text.len - GIT_OID_RAWSZ;
	/* Of the same file: it may have been replaced since. index.skipHash: it
	 * has no sum. */
	if (git_oid_is_zero(sum) || memcmp(end, sum->id, GIT_OID_RAWSZ) != 0)
		return false;
	version = number(text.data + 4);
	at = text.data + HEADER_LEN;
	for (uint32_t n = number(text.data + 8); at && n; n--)
		at = skip_entry(at, end, version);
	while (at && end - at > 8) {
		const char *data = at + 8;
		size_t len = number(at + 4);

		if (len > (size_t)(end - data))
			return false;
		if (memcmp(at, "TREE", 4) == 0)
			return read_top(tree, data, data + len);
		at = data + len;
	}
	return false;
}

bool index_tree_differs(struct strv *paths, git_repository *git,
			const git_tree *tree, git_index *index)
{
	_tree_changes_ struct tree_changes changed = {0};
	_git_tree_ git_tree *now = NULL;
	git_oid id;

	if (!find(&id, index) || git_tree_lookup(&now, git, &id) < 0 ||
	    tree_diff(&changed, git, tree, now) < 0)
		return false;
	for (size_t i = 0; i < changed.n; i++)
		strv_add(paths, changed.v[i].path);
	strv_add(paths, ".git"); /* none would be all paths */
	return true;
}
