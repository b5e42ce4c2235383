/* cleanup.h - base/cleanup.h for libgit2's objects. */
#ifndef AFW_WORKTREES_GIT_CLEANUP_H
#define AFW_WORKTREES_GIT_CLEANUP_H

#include <git2.h>

#include "base/cleanup.h"

CLEANUP_POINTER(git_annotated_commit, git_annotated_commit_free)
CLEANUP_POINTER(git_blob, git_blob_free)
CLEANUP_POINTER(git_commit, git_commit_free)
CLEANUP_POINTER(git_config, git_config_free)
CLEANUP_POINTER(git_diff, git_diff_free)
CLEANUP_POINTER(git_index, git_index_free)
CLEANUP_POINTER(git_object, git_object_free)
CLEANUP_POINTER(git_odb, git_odb_free)
CLEANUP_POINTER(git_patch, git_patch_free)
CLEANUP_POINTER(git_rebase, git_rebase_free)
CLEANUP_POINTER(git_reference, git_reference_free)
CLEANUP_POINTER(git_repository, git_repository_free)
CLEANUP_POINTER(git_revwalk, git_revwalk_free)
CLEANUP_POINTER(git_transaction, git_transaction_free)
CLEANUP_POINTER(git_tree, git_tree_free)

#define _git_annotated_commit_ CLEANUP(git_annotated_commit_free_at)
#define _git_blob_	       CLEANUP(git_blob_free_at)
#define _git_buf_	       CLEANUP(git_buf_dispose) /* git_buf, a value */
#define _git_commit_	       CLEANUP(git_commit_free_at)
#define _git_config_	       CLEANUP(git_config_free_at)
#define _git_diff_	       CLEANUP(git_diff_free_at)
#define _git_index_	       CLEANUP(git_index_free_at)
#define _git_object_	       CLEANUP(git_object_free_at)
#define _git_odb_	       CLEANUP(git_odb_free_at)
#define _git_patch_	       CLEANUP(git_patch_free_at)
#define _git_rebase_	       CLEANUP(git_rebase_free_at)
#define _git_reference_	       CLEANUP(git_reference_free_at)
#define _git_repository_       CLEANUP(git_repository_free_at)
#define _git_revwalk_	       CLEANUP(git_revwalk_free_at)
#define _git_transaction_      CLEANUP(git_transaction_free_at)
#define _git_tree_	       CLEANUP(git_tree_free_at)

#endif
