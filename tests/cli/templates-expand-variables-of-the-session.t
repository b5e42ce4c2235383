#!/bin/bash
# ${AFW_ROLE} and the like in a template are replaced by the session's values.
. "$(dirname "$0")/../lib.sh"
afw_env
export PATH="$ROOT/share:$PATH" DEMO_SPEED=20
make_repo "$T/a repo"
cd "$T/a repo" || exit 2
dir=$DATA/templates/role
mkdir -p "$dir"
spec() { json "$1" "$(session_dir "$2")/spec.json"; }

cat >"$dir/prompt.md" <<'END'
You are ${AFW_ROLE} in ${AFW_WORKSPACE} (${AFW_SESSION}),
on ${AFW_BRANCH} of ${AFW_REPOSITORY}. ${HOME} $AFW_ROLE `id` stay.
END
cat >"$dir/template.ini" <<'END'
harness = demo
branch_prefix = ${AFW_ROLE}/
check = ${AFW_REPOSITORY}/check --branch ${AFW_BRANCH}
idle_timeout = 1h
[service.env]
command = sh -c 'printf "%s\n" "$AFW_WORKSPACE $AFW_SESSION $AFW_ROLE $AFW_BRANCH $AFW_REPOSITORY" >"$0"; exec sleep 600' "${AFW_REPOSITORY}/${AFW_WORKSPACE}.env"
env = WHERE=${AFW_REPOSITORY}
END
exit_is 0 'new' afw new one -t role
id=$(spec id one)
is "$(spec branch one)" role/one 'in its configuration'
is "$(spec system_prompt one)" \
	"You are role in one ($id),
on role/one of $T/a repo. \${HOME} \$AFW_ROLE \`id\` stay." \
	'and its prompt all are what they are, and nothing else is'
is "$(spec check.0 one)|$(spec check.2 one)" "$T/a repo/check|role/one" \
	'a blank in one makes no word'
is "$(spec services.0.env.0 one)" "WHERE=$T/a repo" 'and not in a section'
waits_for '[ -s one.env ]' 'its service'
is "$(cat one.env)" "one $id role role/one $T/a repo" \
	'has the same in its environment'
exit_is 0 'stop' afw stop one
echo 'check = at ${AFW_SESSION} ${AFW_BRANCH}' >>"$dir/template.ini"
sed -i '/service/,/env =/d' "$dir/template.ini"
exit_is 0 'a later start' afw start one
is "$(spec check.1 one)|$(spec check.2 one)" "$id|role/one" 'finds them as they were'
git branch -q af/x
exit_is 0 'a branch of the user' afw new two -t role --branch af/x --no-start
is "$(spec check.2 two)" af/x 'is named as it is'

# -- mistakes ---------------------------------------------------------------

echo 'check = ${AFW_WORKSPCE}' >"$dir/template.ini"
refused 1 'role/template.ini:1: unknown \$\{AFW_WORKSPCE\} .*\$\{AFW_WORKSPACE\}' \
	'a missing one' afw new bad -t role -a demo
echo 'stop_timeout = ${AFW_ROLE}' >"$dir/template.ini"
refused 1 "template.ini:1: stop_timeout: 'role' is not a duration" \
	'the expanded value is checked' afw new bad -t role -a demo
printf 'base = ${AFW_BRANCH}\nbranch_prefix = x/\n' >"$dir/template.ini"
refused 1 'template.ini:2: branch_prefix must come before' \
	'the prefix comes before the branch' afw new bad -t role -a demo
rm "$dir/template.ini"
printf 'Fine.\n\n${AFW_BRANC}\n' >"$dir/prompt.md"
refused 1 'role/prompt.md:3: unknown .*\$\{AFW_BRANCH\}' 'in the prompt' \
	afw new bad -t role -a demo
mkdir -p .af/templates
cp -r "$dir" .af/templates/mine
refused 1 '.af/templates/mine/prompt.md:3: unknown' 'and neither is that of the repository' \
	afw trust --yes
exit_is 3 'nothing was made' afw status bad
done_testing
