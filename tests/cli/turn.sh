# turn.sh - an agent in a sandbox whose turns commit. Sourced after lib.sh:
#
#	$turn_agent		it, for `bash -c`: each line that it reads is a
#				turn, whose last act is a commit, when go is there
#	turns_are_home NAME N	N turns; each is merged by git as soon as afw
#				says that it has ended, and its commit is there

turn_agent='printf "\033]7501;state=idle\007"
while read -r line; do
	printf "\033]7501;state=working\007"
	until [ -e go ]; do sleep 0.02; done
	rm go
	git commit -q --allow-empty -m "$line"
	printf "\033]7501;state=done\007"
done'

turns_are_home()
{
	local i late=0 tree=$T/.af_worktrees/repo-$1
	for ((i = 1; i <= $2; i++)); do
		if ((i % 2)); then
			run afw send "$1" -- "turn $i"
			[ "$code" = 0 ] || { fail "send: $err"; return; }
			afw wait "$1" --for working -t 240s >"$T/waited" 2>&1
			touch "$tree/go"
			afw wait "$1" --for completed -t 240s >"$T/waited" 2>&1
		else
			touch "$tree/go"
			run afw send "$1" --wait -- "turn $i"
		fi
		git merge -q --ff-only "af/$1"
		[ "$(git log -1 --format=%s)" = "turn $i" ] && continue
		late=$((late + 1))
		diag "turn $i: send: $code $err; wait: $(<"$T/waited")"
		# So that the next begins from there.
		within 30 '[ "$(git log -1 --format=%s "af/'"$1"'")" = "turn '"$i"'" ]'
		git merge -q --ff-only "af/$1"
	done
	is "$late" 0 "each of $2 turns has its commit here when it has ended"
}
