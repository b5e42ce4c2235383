/*
 * tree_list.c - all files of a git tree in the order of git's index.
 *
 * A tree sorts a directory as if its name ended in a slash, so that walking
 * it depth first gives the paths in the order of their bytes.
 */
#include "worktrees/tree_list.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "worktrees/repo.h"

#define MAX_DEPTH 256
#define MAX_PATH  4096

struct walk {
	struct tree_list *list;
	git_repository *git;
	size_t cap;
	struct err *err;
};

static bool component_ok(const char *s, size_t len)
{
	if (len == 0 || (len == 1 && s[0] == '.') ||
	    (len == 2 && s[0] == '.' && s[1] == '.'))
		return false;
	/* what some file system or other takes for .git */
	return !(len == 4 && strncasecmp(s, ".git", 4) == 0) &&
	       !(len == 5 && strncasecmp(s, "git~1", 5) == 0);
}

bool tree_list_path_ok(const char *path)
{
	for (;;) {
		size_t len = strcspn(path, "/");

		if (!component_ok(path, len))
			return false;
		if (!path[len])
			return true;
		path += len + 1;
	}
}

static void add(struct walk *w, const char *prefix, const git_tree_entry *te)
{
	struct tree_list *list = w->list;
	struct index_entry *e;

	if (list->n == w->cap) {
		w->cap = w->cap ? w->cap * 2 : 256;
		list->entries =
		    mem_realloc(list->entries, w->cap * sizeof *list->entries);
	}
	e = &list->entries[list->n++];
	memset(e, 0, sizeof *e);
	e->mode = (uint32_t)git_tree_entry_filemode(te);
	memcpy(e->oid, git_tree_entry_id(te)->id, INDEX_OID_SIZE);
	/* an offset until the arena has stopped moving */
	e->path = (const char *)(uintptr_t)list->paths.len;
	buf_adds(&list->paths, prefix);
	buf_adds(&list->paths, git_tree_entry_name(te));
	buf_addc(&list->paths, '\0');
}

static int walk_tree(struct walk *w, const git_oid *oid, const char *prefix,
		     const char *name, int depth, struct buf *ext)
{
	struct buf children = {0};
	size_t first = w->list->n, subtrees = 0;
	git_tree *tree = NULL;
	int r = 0;

	if (depth > MAX_DEPTH || strlen(prefix) > MAX_PATH)
		return err_set(w->err, ERR_FAILED,
			       "the tree is nested too deep at %.200s", prefix);
	if (git_tree_lookup(&tree, w->git, oid) < 0)
		return repo_err(w->err, ERR_FAILED, "read the tree of \"%s\"",
				prefix);
	for (size_t i = 0; r == 0 && i < git_tree_entrycount(tree); i++) {
		const git_tree_entry *te = git_tree_entry_byindex(tree, i);
		const char *base = git_tree_entry_name(te);
		char *sub;

		if (!tree_list_path_ok(base) || strchr(base, '/')) {
			r = err_set(w->err, ERR_FAILED,
				    "the tree has a file that must not be "
				    "made: %s%s",
				    prefix, base);
			break;
		}
		if (git_tree_entry_filemode(te) != GIT_FILEMODE_TREE) {
			add(w, prefix, te);
			continue;
		}
		subtrees++;
		sub = mem_printf("%s%s/", prefix, base);
		r = walk_tree(w, git_tree_entry_id(te), sub, base, depth + 1,
			      &children);
		free(sub);
	}
	git_tree_free(tree);
	buf_add(ext, name, strlen(name) + 1);
	buf_addf(ext, "%zu %zu\n", w->list->n - first, subtrees);
	buf_add(ext, oid->id, INDEX_OID_SIZE);
	if (children.len)
		buf_add(ext, children.data, children.len);
	buf_finish(&children);
	return r;
}

/* The index of a worktree that holds exactly this tree. */
static int from_index(struct tree_list *list, const struct index_file *known,
		      struct err *err)
{
	list->n = known->n;
	list->entries = mem_alloc((list->n + 1) * sizeof *list->entries);
	for (size_t i = 0; i < list->n; i++) {
		const struct index_entry *from = &known->entries[i];

		if (!tree_list_path_ok(from->path))
			return err_set(err, ERR_FAILED,
				       "the tree has a file that must not be "
				       "made: %s",
				       from->path);
		list->entries[i] = (struct index_entry){.mode = from->mode,
							.path = from->path};
		memcpy(list->entries[i].oid, from->oid, INDEX_OID_SIZE);
	}
	buf_add(&list->ext, known->tree.data, known->tree.len);
	return 0;
}

int tree_list_read(struct tree_list *list, git_repository *git,
		   const git_oid *tree, const struct index_file *known,
		   struct err *err)
{
	struct walk w = {.list = list, .git = git, .err = err};

	memset(list, 0, sizeof *list);
	if (known && known->has_root &&
	    memcmp(known->root, tree->id, INDEX_OID_SIZE) == 0)
		return from_index(list, known, err);
	if (walk_tree(&w, tree, "", "", 0, &list->ext) < 0)
		return -1;
	for (size_t i = 0; i < list->n; i++)
		list->entries[i].path =
		    list->paths.data + (uintptr_t)list->entries[i].path;
	return 0;
}

void tree_list_finish(struct tree_list *list)
{
	if (!list)
		return;
	free(list->entries);
	buf_finish(&list->ext);
	buf_finish(&list->paths);
	memset(list, 0, sizeof *list);
}
