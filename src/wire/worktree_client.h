/*
 * worktree_client.h - runs requests in afw-worktree(8): one request, progress,
 * one answer. afw and the supervisor do all git work this way.
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
 *   discover  {"path"}                       finds the repository
 *     -> {"repository": absolute path of the main worktree (or of the bare
 *         repository),"checkout"?: the same, or of a bare repository the
 *         worktree of path, unless afw has made it}
 *     The main worktree is the one that leads back to its git directory.
 *   create    {"path","name","branch_prefix","repository"?,"location"?,
 *              "session"?,"base"?,"branch"?,"copy":[globs],"link":[globs],
 *              "setup":[argv]?,"setup_timeout_ms","confirm"?,
 *              "confirm_timeout_ms"?,"dry_run"?,
 *              "foreign"?:[branches],"setup_inside"?:bool,
 *              "from"?:{as status, and "name","branch","number","foreign"}}
 *     -> {"repository","name","worktree","branch","base","base_commit",
 *         "worktree_id","ino","files","copied":[],"linked":[],
 *         "warnings":[],"hooks_not_run":[names],"setup_left":bool}
 *     repository: refused if path is in another one. branch: without base an
 *     existing branch, checked out nowhere; with base the new branch's name,
 *     in place of branch_prefix and name. base in the answer: the branch
 *     ("main") or the commit that it was made from. from: another worktree;
 *     the new one is made as in its checkpoint "number" (a dry run: or as it
 *     is), with its base and base_commit, and that is its first checkpoint
 *     ("new"). A warning names the files that the checkpoint lacks.
 *     foreign: branches of sandboxed agents; if only these have the commit, or
 *     if that of from is set, setup is not run here: with setup_inside it is
 *     left to the caller, else create is refused (code 9).
 *     Everything is rolled back on failure, on a signal, and when the reader
 *     of its standard output exits before the answer. With confirm also if no
 *     newline follows on its standard input after the answer (within 60 s).
 *     The next run rolls back what a killed run has left, unless session, a
 *     directory, has a spec.json with that worktree_id. dry_run: makes nothing;
 *     the answer is what it would be.
 *   status    {"repository","worktree","worktree_id","branch"?,"base"?,
 *              "base_commit","ino"?,"list"?:bool,"only"?:[paths]}
 *     -> {"files_changed","untracked","uncommitted","ahead","lines_added",
 *         "lines_removed","merged":bool,"changed"?:[paths]}
 *     lines and files_changed: everything since base_commit, committed or
 *     not, untracked included (binary files and files over 1 MiB count 0
 *     lines). untracked: not ignored, not copied or linked by create.
 *     uncommitted: paths that differ from HEAD, staged or not. ahead: commits
 *     of HEAD that base_commit lacks. If a limit stops the count, lines are a
 *     lower bound. list: changed lists the paths that are counted in any of
 *     these, if there are at most 256 in 8 KB. only: looks at these relative
 *     paths and what is below them, as if all others were unchanged. merged:
 *     commits were made on branch, no file is uncommitted, and base has all of
 *     them.
 *   diff      as status, and {"stat","colour","uncommitted","staged","turn":
 *              bool,"from"?:number,"to"?:number,"other"?:{as status}}
 *     -> before the answer, {"diff":"..."} chunks of text that is safe for a
 *        terminal; the answer has "files" and "truncated". from, to: numbers
 *        of checkpoints; without to, and with turn: the worktree as it is now.
 *        turn: from the newest turn-begin. other: from the worktree as it is
 *        now to the other one of the same repository as that is now, without
 *        ignored files
 *   checkpoint as status, and {"kind":"turn-begin"|"turn-end"|"merge"|"stop"|
 *              "check"|"new"|"user","text"?,"keep"?:N,"file_max"?:bytes,
 *              "touched"?:[paths]}
 *     -> {"number","files"?,"left_out":[paths]}
 *     keeps the worktree as it is, without ignored files, with git's index and
 *     HEAD. text: its first line is kept. keep: how many are kept, the oldest
 *     are dropped (50). If the newest has the same state, an automatic kind
 *     adds none and answers its number; turn-begin replaces a turn-begin or
 *     turn-end. touched: all files but these, and those below them, are as in
 *     the newest one; they are not read, unless the index, HEAD or a .gitignore
 *     was changed. files: how many differ from the one before, if kind is user.
 *     left_out: larger than file_max (64 MiB) or not readable, and nested
 *     repositories ("a/").
 *   checkpoints as status
 *     -> {"checkpoints":[{"number","at": ms,"kind","text"?,"branch"?,"head"?:
 *         commit,"files","lines_added","lines_removed","left_out"?:[paths]}]}
 *     oldest first. files and lines: what differs from the one before.
 *   undo      as status, and {"branch","to"?:number,"redo"?:bool,
 *              "files"?:[paths],"keep_commits"?:bool,"dry_run"?:bool,
 *              "keep"?:N,"file_max"?:bytes,"confirm"?:bool}
 *     -> {"to":number,"at":ms,"nothing":bool,"saved"?:number,
 *         "restored":[paths],"removed":[paths],
 *         "commits"?:[{"commit","subject"}],"verified":files,
 *         "left_alone":[paths]}
 *     restores files, index and branch as in checkpoint "to"; without it, as at
 *     the start of the last turn that has changed something. redo: as they
 *     were before the last undo that was not reversed yet. The present state
 *     is kept first (saved; absent if there is nothing to change, and in a dry
 *     run). files: only these, and those below these directories; with it, and
 *     with keep_commits, index and branch stay. commits: that leave the branch,
 *     at most 1000; refused (code 4) if another branch, remote branch or tag
 *     has one, or if a merge or the like is unfinished. verified: the files
 *     that were changed, when all of the tree was read back and is as it must
 *     be. left_alone: left_out of one of the two states, ignored then, or made
 *     meanwhile. confirm: first comes the answer of a dry run with "confirm",
 *     and a newline on standard input is awaited, with nothing locked. If it
 *     would be another one by then, that comes, with "differs", and so on.
 *     If it is refused or fails, nothing is changed (code 4: a file
 *     that was changed meanwhile or is in the way is named); what a killed one
 *     has left, the next undo, commit or checkpoint puts back first.
 *   commit    as status, and {"branch","head"?:commit,"sign"?:bool,
 *              "sign_key"?,"to_push"?:bool}
 *     -> {"branch","files":[paths],"files_committed","git_dir"?,"head"?,
 *         "add"?:file,"gone"?:file,"commit"?}
 *     Without head: lists what status counts as uncommitted, for git to commit.
 *     add, gone: files that the caller removes, with the paths that git must
 *     add to the index, or remove, each with a NUL after it. to_push: only
 *     lists; code 4 if a submodule's commit is nowhere else.
 *     head, after git's commit: where the branch was before it. With "private"
 *     git has committed there, and the commit is signed if it is to be; if that
 *     fails, the branch there is at head again.
 *   conflicts {"repository","into":branch or commit,
 *              "sessions":[{"name", and as status, "branch"}]}
 *     -> {"into","sessions":[{"name"}],"left_out":[{"name","why"}],
 *         "pairs":[{"a","b","base":bool,"files":[paths],"conflicts":[as of
 *         merge]}],"order":[names],"in_the_way":[names]}
 *     pairs: sessions that change the same paths, uncommitted work included;
 *     base: b is into. order: in which they merge into it without conflicts;
 *     in_the_way: sessions that then do not merge.
 *   merge     as status, and {"branch","into":branch,
 *              "how":"merge"|"squash"|"rebase","message"?,"dry_run"?}
 *     -> {"branch","into","from","to"?,"how":"up-to-date"|"fast-forward"|
 *         "merge"|"squash"|"rebase","ahead","commits":[{"commit","subject",
 *         "author"}],"worktree"?: that is updated,"message"?: of the new
 *         commit,"hooks_not_run"?:[names]: that git would run,"refused"?:
 *         "uncommitted"|"conflicts"|"modified","files":[paths],
 *         "conflicts":[{"path","what","lines":[{"from","to"}]}],"at":[commit]}
 *     refused: nothing is changed. uncommitted: uncommitted files of the
 *     worktree; modified: changed files of the worktree that has into checked
 *     out; lines: of into's file; at: the commit at which a rebase has the
 *     conflicts. from and to: the old and the new commit of into.
 *   import    as status, and {"branch","private"} -> {}; see private
 *   remove    {"repository","worktree","worktree_id","branch","ino",
 *              "id": 32 hex digits,
 *              "delete_branch":"merged"|"always"|"never","branch_given"?}
 *     -> {"trash"?: directory,"entry":bool,"branch_deleted":bool,
 *         "kept":why or null,"missing":bool,"elsewhere"?}
 *     moves it to the trash by renames: the directory to trash
 *     (.af_worktrees/.trash/<id>), git's entry for it (entry: there is one)
 *     to .git/worktrees/afw-trash-<id>, locked, with HEAD detached. missing:
 *     the directory was gone; elsewhere: git's entry names another one by now,
 *     so it is left alone. branch_given: create did not make the branch, and
 *     it stays. Repeated, it finishes what a killed run has begun.
 *   restore   as remove
 *     -> {"worktree","missing":bool,"detached"?}
 *     restores worktree, git's entry and HEAD, and makes the branch again if
 *     it is gone. detached: why HEAD is not on it. Code 4 if something is in
 *     their place.
 *   purge     as remove, without ino, which is "was_ino" here
 *     -> {"purged":bool}; deletes it from the trash. Code 4 if a killed
 *     restore had restored the worktree.
 *   sweep     as purge, and {"delete_ignored"?:bool,"only_look"?:bool}
 *     -> {"purged"?:bool,"why"?}; the same, but only if it has no unsaved
 *     work (why: the first found); with delete_ignored ignored files are not
 *     work. With "in_place" (and ino) one that is not in the trash: `new` rolls
 *     back in this way, with the branch, if that is merged.
 *   reconcile {"path","branch_prefix","keep_ids":[],"keep_branches":[],
 *              "apply":bool}
 *     -> {"entries":[{"id","worktree"}],
 *         "branches":[{"branch","merged"}],
 *         "half_made":[{"id","cleared"?}],"half_removed"}
 *     git's entries of afw's worktrees whose directory is gone, and branches
 *     that no worktree has, except those to keep. apply removes what killed
 *     runs have left of worktrees that they were making or removing
 *     (half_removed: how many there were).
 *
 *   private   as status, and {"branch","private":directory,
 *              "inside"?,"objects"?}
 *     -> {}; makes the git directory that a session in a sandbox commits in,
 *     unless it exists, and <private>.file, which is mounted over the
 *     worktree's .git: inside is the directory's path in the sandbox, objects
 *     that of the repository's objects; without them, as outside.
 *
 * Where checkpoint, commit, diff, import, merge, remove, status or undo have
 * "private" and "branch", that branch's commits are first copied from there
 * into the repository, and its branch is moved; "harvest"? in the answer says
 * why not.
 * sweep keeps a worktree with a reference there, or an entry in HEAD's log,
 * that the repository lacks.
 *
 * The git directory is always that of "repository" and "worktree_id" as they
 * were at creation; the .git file in a worktree is never trusted, since the
 * harness can write it. With ino the directory must have that inode.
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

/* The hint if there is no repository where a session was made. */
#define REPOSITORY_MOVED                                                       \
	"put it back; if it was moved, go there: `git worktree repair`, then " \
	"`afw reconcile --apply`"

/* Called for each line before the answer ("progress", "output", "diff");
 * borrowed. */
typedef void (*worktree_client_fn)(void *ctx, const cJSON *line);

/* Decides about a line with "confirm", for which the child waits, such as the
 * answer of create, which is recorded here. -1 with err: no. The child keeps
 * *held open until it ends, too; -1: none. */
typedef int (*worktree_client_confirm_fn)(void *ctx, const cJSON *line,
					  int *held, struct err *err);

/*
 * Runs one request. fn may be NULL. Returns the answer (ok is true in it), to
 * be freed with cJSON_Delete(), or NULL with err filled from the child's error.
 * Blocks until the child is done; timeout_ms 0: no limit here (the child limits
 * every wait). SIGINT and SIGTERM to the process group reach the child too,
 * which then rolls back and reports that; this function still waits for its
 * answer.
 */
cJSON *worktree_client_run(const cJSON *request, worktree_client_fn fn,
			   void *ctx, int64_t timeout_ms, struct err *err);

/*
 * As worktree_client_run(), for a caller that handles signals: once *stop is
 * not 0 the child is told to stop and roll back (a `kill` of afw alone does not
 * reach it), and this waits for its answer. confirm (or NULL) is for a request
 * with "confirm": the child rolls back unless it returns 0, also if we are
 * killed before. The child keeps lock_fd (or -1) open too: if we are killed, a
 * lock on it is released only when the child has rolled back.
 */
cJSON *worktree_client_run_until(const cJSON *request, worktree_client_fn fn,
				 worktree_client_confirm_fn confirm, void *ctx,
				 int lock_fd, int64_t timeout_ms,
				 const volatile sig_atomic_t *stop,
				 struct err *err);

#endif
