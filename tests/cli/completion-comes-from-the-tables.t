#!/bin/bash
# Completion: scripts that their shells can read, with every command.
. "$(dirname "$0")/../lib.sh"
afw_env
cd "$T" || exit 2
commands=$(afw --help | sed -n 's/^  \([a-z]*\) .*/\1/p')
isnt "$commands" '' 'there are commands'
for shell in bash zsh fish; do
	exit_is 0 "$shell" afw completion "$shell"
	echo "$out" >"$T/$shell"
	missing=''
	for c in $commands; do
		grep -qw -- "$c" "$T/$shell" || missing+="$c "
	done
	is "$missing" '' "$shell: has every command"
	if command -v "$shell" >/dev/null; then
		exit_is 0 "$shell can read it" "$shell" -n "$T/$shell"
	fi
done
refused 2 'csh' 'another shell' afw completion csh

# As bash asks.
. "$T/bash"
complete -p afw >/dev/null
ok $? 'bash is told'
COMP_WORDS=(afw conf) COMP_CWORD=1
_afw
is "${COMPREPLY[*]}" config 'bash completes a command'
COMP_WORDS=(afw config --ex) COMP_CWORD=2
_afw
is "${COMPREPLY[*]}" --example 'bash completes an option'
COMP_WORDS=(afw completion f) COMP_CWORD=2
_afw
is "${COMPREPLY[*]}" fish 'bash completes an argument'
done_testing
