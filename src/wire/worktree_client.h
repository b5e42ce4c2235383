/*
 * worktree_client.h - asks afw-worktree(8) for git work: one request in, one
 * answer out, progress between. The only way from afw and the supervisor to
 * git.
 *
 * The child is found by program_find() (wire/program.h). It reads one JSON
 * object on one line from its standard input and writes JSON lines:
 *
 *   {"progress":"checkout","done":120,"total":5000}       any number
 *   {"output":"npm install\n..."}        what a setup command prints
 *   {"ok":true, ...}  or
 *   {"ok":false,"code":4,"error":"...","hint":"..."}      exactly one, last
 *
 * Requests ("op"), members and answers:
 *
 *   discover  {"path"}                       where is the repository
 *     -> {"repository": absolute path of the main worktree (or of the bare
 *         repository),"checkout"?: the same, or of a bare repository the
 *         worktree that path lies in, unless afw has made it}
 *     A main worktree is one that leads back to its git directory.
 *   create    {"path","name","branch_prefix","repository"?,"location"?,
 *              "session"?,"base"?,"branch"?,"copy":[globs],"link":[globs],
 *              "setup":[argv]?,"setup_timeout_ms","confirm"?,
 *              "confirm_timeout_ms"?,"dry_run"?}
 *     -> {"repository","name","worktree","branch","base","base_commit",
 *         "worktree_id","ino","files","copied":[],"linked":[],
 *         "warnings":[],"hooks_not_run":[names]}
 *     repository: refused where path lies in another one. branch: without
 *     base one that is there, and checked out nowhere; with base the new one's
 *     name, in place of branch_prefix and name.
 *     base is the branch's name it came from ("main"), or the commit.
 *     Everything is rolled back on failure, on a signal, and when the reader
 *     of its standard output goes away before the answer. With confirm also
 *     if no newline follows on its standard input after the answer (within
 *     60 s). What a killed run has left, the next one rolls back, unless
 *     session, a directory, has a spec.json with that worktree_id. dry_run:
 *     nothing is made, and the answer is what it would be.
 *   status    {"repository","worktree","worktree_id","branch"?,"base"?,
 *              "base_commit","ino"?}
 *     -> {"files_changed","untracked","uncommitted","ahead","lines_added",
 *         "lines_removed","merged":bool}
 *     lines and files_changed: everything since base_commit, committed or
 *     not, untracked included (binary files and files over 1 MiB count 0
 *     lines). untracked: not ignored, and not what create copied or linked.
 *     uncommitted: paths that differ from HEAD, staged or not. ahead: commits
 *     of HEAD that base_commit has not. Where the work is cut short at a
 *     limit, lines are a lower bound. merged: commits were made on branch, no
 *     file is uncommitted, and base has all of it.
 *   diff      as status, and {"stat","colour","uncommitted","staged","turn":
 *              bool}
 *     -> before the answer, {"diff":"..."} chunks of text that is safe for a
 *        terminal; the answer has "files" and "truncated"
 *   turn      as status
 *     -> {}; the worktree as it is now is what diff with turn compares with
 *   commit    as status, and {"branch","message"?,"comments"?,"stage"?:bool,
 *              "staged"?:bool,"head"?:commit}
 *     -> {"branch","files":[paths],"files_committed","commit"?}
 *     what status counts as uncommitted, in one commit; without message it is
 *     only listed. comments: lines of it that begin with '#' are none of it.
 *     With "private" the commit is made there, and comes home. Without message
 *     and stage also -> {"template"?,"hooks":[names],"hooks_dir",
 *     "hooks_ignored"?:[paths]}: hooks that git would run, and those that it
 *     reports as not executable.
 *     stage: only makes an index for hooks, and adds to the answer "staged",
 *     its path beside git's own, "head", "author_name" and "author_email".
 *     staged: commits what is in that index, if the branch is still at head.
 *   conflicts {"repository","into":branch or commit,
 *              "sessions":[{"name", and as status, "branch"}]}
 *     -> {"into","sessions":[{"name"}],"left_out":[{"name","why"}],
 *         "pairs":[{"a","b","base":bool,"files":[paths],"conflicts":[as of
 *         merge]}],"order":[names],"in_the_way":[names]}
 *     pairs: who change the same paths, uncommitted work included; base: b is
 *     into. order: so they merge into it; in_the_way: those that do not then.
 *   merge     as status, and {"branch","into":branch,
 *              "how":"merge"|"squash"|"rebase","message"?,"dry_run"?}
 *     -> {"branch","into","from","to"?,"how":"up-to-date"|"fast-forward"|
 *         "merge"|"squash"|"rebase","ahead","commits":[{"commit","subject",
 *         "author"}],"worktree"?: whose files follow,"message"?: of the new
 *         commit,"hooks_not_run"?:[names]: what git would run,"refused"?:
 *         "uncommitted"|"conflicts"|"modified","files":[paths],
 *         "conflicts":[{"path","what","lines":[{"from","to"}]}],"at":[commit]}
 *     refused: nothing is changed. uncommitted: files of the worktree that no
 *     commit has; modified: files of the worktree that has into checked out;
 *     lines are those of into's file; at: the commit that a rebase met them
 *     at. from and to: what into was and is at, or would be.
 *   import    as status, and {"branch","private"} -> {}; see private
 *   remove    {"repository","worktree","worktree_id","branch","ino",
 *              "id": 32 hex digits,
 *              "delete_branch":"merged"|"always"|"never","branch_given"?}
 *     -> {"trash"?: directory,"entry":bool,"branch_deleted":bool,
 *         "kept":why or null,"missing":bool,"elsewhere"?}
 *     puts it into the trash by renames alone: the directory to trash
 *     (.af_worktrees/.trash/<id>), git's entry for it (entry: there is one)
 *     to .git/worktrees/afw-trash-<id>, locked, with HEAD detached. missing:
 *     the directory was gone; elsewhere: git's entry names another one by now,
 *     so it is left alone. branch_given: the branch is not create's own, and
 *     stays.
 *     Done again it finishes what a run that was killed has begun.
 *   restore   as remove
 *     -> {"worktree","missing":bool,"detached"?}
 *     worktree, git's entry and HEAD are back, its branch is made anew where
 *     it is gone. detached: why HEAD is not on it. Code 4 where something is
 *     in their place.
 *   purge     as remove, without ino, which is "was_ino" here
 *     -> {"purged":bool}; deletes what is in the trash. Code 4 where a
 *     restore that died had put the worktree back.
 *   sweep     as purge, and {"delete_ignored"?:bool,"only_look"?:bool}
 *     -> {"purged"?:bool,"why"?}; the same, but only where nothing is there
 *     that is nowhere else (why: what is); with delete_ignored ignored files
 *     do not count. With "in_place" (and ino) one that is not in the trash:
 *     `new` takes back so what it made, with its branch, if that is merged.
 *   reconcile {"path","branch_prefix","keep_ids":[],"keep_branches":[],
 *              "apply":bool}
 *     -> {"entries":[{"id","worktree"}],
 *         "branches":[{"branch","merged"}],
 *         "half_made":[{"id","cleared"?}],"half_removed"}
 *     git's entries of afw's worktrees whose directory is gone, and branches
 *     that no worktree has, but for those to keep. apply takes back what runs
 *     that were killed have left of worktrees that they were making or
 *     removing (for half_removed: how many there were).
 *
 *   private   as status, and {"branch","private":directory,
 *              "inside"?,"objects"?}
 *     -> {}; makes the git directory that a session in a sandbox commits in,
 *     unless it is there, and <private>.file, which is to lie over the
 *     worktree's .git: inside is where the directory is in the sandbox,
 *     objects where the repository's are; without them, as outside.
 *
 * Where commit, diff, import, merge, remove, status or turn have "private"
 * and "branch", that branch's commits are first copied from there into the
 * repository, whose branch follows; "harvest"? in the answer says where it
 * could not. sweep keeps what has a reference there, or in HEAD's log, that the
 * repository has not.
 *
 * The git directory is always that of "repository" and "worktree_id" as they
 * were at creation; the .git file in a worktree is never believed, since the
 * harness can write it. With ino the directory must be that one.
 *
 * Paths are absolute. Codes are enum err_kind. ino is decimal text
 * (json_set_u64()).
 */
#ifndef AFW_WIRE_WORKTREE_CLIENT_H
#define AFW_WIRE_WORKTREE_CLIENT_H

#include <cjson/cJSON.h>
#include <signal.h>
#include <stdint.h>

#include "base/err.h"

/* Each line before the answer ("progress", "output", "diff"); borrowed. */
typedef void (*worktree_client_fn)(void *ctx, const cJSON *line);

/* The answer (ok is true in it), to be recorded before it is kept. */
typedef int (*worktree_client_keep_fn)(void *ctx, const cJSON *answer,
				       struct err *err);

/*
 * Runs one request. fn may be NULL. Returns the answer (ok is true in it),
 * to be freed with cJSON_Delete(), or NULL with err filled from the child's
 * words. Blocks until the child is done; timeout_ms 0 is without a limit of
 * its own (the child has its own for every wait). SIGINT and SIGTERM to the
 * process group reach the child too, which then rolls back and says so;
 * this function goes on waiting for its answer.
 */
cJSON *worktree_client_run(const cJSON *request, worktree_client_fn fn,
			   void *ctx, int64_t timeout_ms, struct err *err);

/*
 * As worktree_client_run, for a caller that handles signals: once *stop is
 * not 0 the child is told to stop and roll back, however the signal came (a
 * `kill` of afw alone does not reach it), and its answer waited for. keep
 * (or NULL) is for a request with "confirm": what was made is taken back
 * unless it returns 0, and where we are killed before. The child holds
 * lock_fd (or -1) open too: where we are killed, a lock on it is free only
 * when the child has taken back what it had to.
 */
cJSON *worktree_client_run_until(const cJSON *request, worktree_client_fn fn,
				 worktree_client_keep_fn keep, void *ctx,
				 int lock_fd, int64_t timeout_ms,
				 const volatile sig_atomic_t *stop,
				 struct err *err);

#endif
