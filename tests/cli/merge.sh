# merge.sh - what a merge may change, as text. Sourced after lib.sh.

# world: every file of the worktree we are in, with kind, mode and contents.
world()
{
	find . -path ./.git -prune -o -type d -empty -o -printf '%p %y %#m %l\n' | sort
	find . -path ./.git -prune -o -type f -print0 | sort -z | xargs -0r sha1sum
}
