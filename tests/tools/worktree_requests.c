/*
 * worktree_requests.c - prints the table of requests to afw-worktree, a line
 * each, as the manual has them: "undo: place, [to], [redo]".
 */
#include <stdio.h>

#include "wire/worktree_request.h"

static void print_members(const struct member *rows, const char **before)
{
	for (const struct member *m = rows; m->name; m++) {
		bool flat = m->kind == VALUE_GROUP &&
			    m->size != sizeof(struct repo_place);

		if (flat) {
			print_members(m->rows(), before);
			continue;
		}
		printf(m->flags & MEMBER_MUST || m->kind == VALUE_GROUP
			   ? "%s%s"
			   : "%s[%s]",
		       *before, m->name);
		*before = ", ";
	}
}

static void print(const char *name, const struct member *rows)
{
	const char *before = ": ";

	printf("%s", name);
	print_members(rows, &before);
	puts("");
}

int main(void)
{
	print("place", worktree_rows[WORKTREE_import].rows()->rows());
	for (const struct worktree_row *row = worktree_rows; row->name; row++)
		print(row->name, row->rows());
	return 0;
}
