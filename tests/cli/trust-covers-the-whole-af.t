#!/bin/bash
# All files in a repository's .af/ are trusted together, or none.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir -p .af/templates/role/home .af/context
printf 'setup = make\nci_command = ci {branch}\n' >.af/afw.ini
echo 'Does it.' >.af/templates/role/prompt.md
printf 'check = make check\n[mcp.it]\nurl = http://localhost/\n' \
	>.af/templates/role/template.ini
echo x >.af/templates/role/home/.rc
echo 'read me' >.af/context/README
trust() { afw trust --yes >"$T/.null" || fail "trust: $*"; }

# left_out WHAT: nothing of .af/ is used, and that is reported, with the file.
left_out()
{
	exit_is 0 "$1" afw config setup
	is "$out" '' "$1: nothing counts"
	like "$err" "/repo/.af/$2 is not trusted \(or was changed since\).*\`afw trust\`" \
		"$1: the file is named"
}

exit_is 0 'trust' afw trust --yes --json
is "$(for i in 0 1 2 3 4; do _json files.$i.name; done)" 'afw.ini
templates/role/home/.rc
templates/role/prompt.md
templates/role/template.ini' 'it is of every file but those in context/'
is "$(json files.1.sha256)" \
	"$(sha256sum <.af/templates/role/home/.rc | cut -c 1-64)" 'by its hash'
exit_is 0 'then' afw config setup
is "$out$err" make 'all counts, without a word'
echo 'read me now' >.af/context/README
ln -s /etc/passwd .af/context/link
exit_is 0 'a change in context/' afw config setup
is "$out$err" make 'is text for agents, and no matter'

echo y >>.af/templates/role/home/.rc
left_out 'a file that was changed' 'templates/role/home/.rc'
tmux_start 120 40 bash -c 'afw trust; echo "code $?"; read -r'
ok_cmd 'on a terminal all are shown' tmux_wait_for '[y/N]'
screen=$(tmux_screen)
for f in afw.ini templates/role/prompt.md templates/role/template.ini; do
	like "$screen" "$(sha256sum ".af/$f" | cut -c 1-64)  $f"$'\n' \
		"$f as sha256sum has it"
done
like "$screen" '  templates/role/home/.rc \(changed\)' 'and what was changed'
like "$screen" '    Does it.' 'the texts of those that configure'
like "$screen" 'do not ask whether to trust its' 'it explains trust'
like "$screen" 'addresses that your data is sent to:
    setup = make
    ci_command = ci \{branch\}
    templates/role/template.ini: check = make check
    templates/role/template.ini: \[mcp.it\] url = http://localhost/
Trust this' 'and last what they run'
tmux_keys y Enter
ok_cmd 'yes' tmux_wait_for 'code 0'
tmux_stop
exit_is 0 'and all' afw config setup
is "$out" make 'counts again'

cp -r "$DATA/trust" "$T/trust"
echo broken >"$(echo "$DATA"/trust/*.json)"
left_out 'a broken file of what is trusted' 'afw.ini'
exit_is 0 'and it does not hide the sessions' afw ls
cp "$T/trust/"* "$DATA/trust"

mkdir .af/templates/new
echo 'New.' >.af/templates/new/prompt.md
left_out 'a file that came' 'templates/new/prompt.md'
refused 9 'new/prompt.md is not trusted.*afw trust' 'afw new says the same' \
	afw new one -- cat
rm -r .af/templates/new
exit_is 0 'a file that was added and removed' afw config setup
is "$err" '' 'is no matter'
mv .af/templates/role/prompt.md "$T"
left_out 'a file that went' 'templates/role/prompt.md'
mv "$T/prompt.md" .af/templates/role

# -- what cannot be trusted -------------------------------------------------

home=.af/templates/role/home
ln -s /etc/passwd $home/link
refused 1 'read .*/role/home/link: it is a symbolic link' 'a link' \
	afw trust --yes
exit_is 0 'and it is not used' afw config setup
like "$err" '/repo/.af is not trusted' 'which is reported'
rm $home/link
mkfifo $home/fifo
refused 1 'read .*/role/home/fifo: it is a FIFO' 'a FIFO, without a wait' \
	timeout 10 afw trust --yes
rm $home/fifo
mkdir $home/many
touch $home/many/{1..1000}
refused 5 'read .*/repo/.af: more than 1000 files' 'too many files' \
	afw trust --yes
rm -r $home/many
truncate -s 17M $home/big
refused 5 'read .*/repo/.af: more than 16 MiB' 'too large ones' afw trust --yes
rm $home/big
echo 'sandbox = none' >.af/templates/role/template.ini
refused 1 "role/template.ini:1: 'sandbox' is for the user" \
	'a template with what only the user may set' afw trust --yes
rm -r .af
exit_is 0 'if nothing is left' afw config setup
is "$out$err" '' 'there is nothing to trust'
ln -s "$T/elsewhere" .af
refused 1 '/repo/.af: it is a symbolic link' '.af itself is no link' \
	afw trust --yes
done_testing
