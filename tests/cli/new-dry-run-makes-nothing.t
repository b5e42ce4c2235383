#!/bin/bash
# afw new --dry-run: everything is checked and printed, and nothing is made.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo" README
cd "$T/repo" || exit 2
mkdir -p "$XDG_CONFIG_HOME/afw" "$T/bin" .af
ini=$XDG_CONFIG_HOME/afw/afw.ini
cat >"$ini" <<'END'
copy = .env
setup = make deps
[service.db]
command = sleep 9
[profile.light]
check = make test
END
git branch taken
git branch af/taken
# all: every file and directory, and what git has.
all()
{
	find "$T" -mindepth 1 ! -path "$T/.???" -printf '%p %T@ %s\n' | sort
	git for-each-ref
}
before=$(all)
dry() { afw new --dry-run "$@"; }

exit_is 0 'a dry run' dry x -p light -o stop_timeout=9s -g team -e SECRET=value \
	-m 'do it' -- cat -n
is "$(all)" "$before" 'makes nothing'
for words in 'name +x' "worktree +$T/.af_worktrees/repo-x" 'branch +af/x' \
	'base +main' "base_commit +$(git rev-parse HEAD)" 'copy +.env' \
	'setup +make deps' 'harness +generic' 'command +cat -n' \
	'sandbox +none' 'profile +light' 'overrides +stop_timeout=9s' \
	'services +db' 'env +SECRET' 'groups +team' 'check +make test' \
	'task +do it'; do
	like "$out" "$words" "says $words"
done
unlike "$out$err" 'value|image' 'no value of a variable, nor what is not there'
exit_is 0 'as JSON' dry x -a demo --json
like "$(json branch) $(json harness) $(json command.0)" \
	'^af/x demo /.*/demo-agent$' 'an object'
exit_is 0 'from elsewhere' dry y -b af/taken --branch given -a demo
like "$out" 'branch +given.*base +af/taken' 'with the names that were given'

while IFS='|' read -r code words args; do
	# shellcheck disable=SC2086 # several arguments
	refused "$code" "$words" "$args" dry $args
done <<'END'
4|the branch af/taken exists already|taken -a demo
4|the branch main is checked out elsewhere|x -a demo --branch main
4|another branch is in the way of the branch af/taken/z|z -a demo -o branch_prefix=af/taken/
1|there is no branch "nosuch"|x -a demo --branch nosuch
2|there is no agent 'nosuch'|x -a nosuch
2|there is no template 'nosuch'|x -p nosuch
2|sandbox: 'nosuch' is not one of|x --sandbox nosuch
2|--dry-run cannot be combined with --attach|x --attach
END
is "$(all)" "$before" 'all of them made nothing'

# What is there counts as it will.
exit_is 0 'a session' afw new one -a demo -o setup= --no-start
refused 4 'has a session of that name' 'its name' dry one -a demo
mkdir "$T/.af_worktrees/repo-two"
refused 4 "the directory $T/.af_worktrees/repo-two exists already" 'a directory' \
	dry two -a demo
echo 'check = true' >.af/afw.ini
refused 9 'not trusted' 'a file that is not trusted' dry three -a demo
exit_is 0 'rm' afw rm one
done_testing
