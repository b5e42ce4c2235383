#!/bin/bash
# completion: what the shells themselves make of it.
. "$(dirname "$0")/../lib.sh"
afw_env
. "$ROOT/tests/fake.sh"
fake_session fix-login stopped
fake_session other stopped

# complete WORD...: what bash offers for the last one.
complete_bash()
{
	bash -c 'source <(afw completion bash); COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1)); _afw; echo "${COMPREPLY[*]}"' bash "$@"
}
is "$(complete_bash afw sta)" 'start status' 'bash: commands'
is "$(complete_bash afw logs '')" 'fix-login other' 'bash: sessions'
is "$(complete_bash afw logs --fo)" '--follow' 'bash: options'
is "$(complete_bash afw new -a cl)" claude 'bash: harnesses'
is "$(complete_bash afw wait --for com)" completed 'bash: activities'
is "$(complete_bash afw rm --branch n)" never 'bash: words'
is "$(complete_bash afw config --ex)" --example 'bash: options of others'
is "$(complete_bash afw completion f)" fish 'bash: arguments'
if command -v fish >/dev/null; then
	fish_offers()
	{
		fish -c 'afw completion fish | source; complete -C "'"$1"'"' |
			cut -f1 | tr '\n' ' '
	}
	is "$(fish_offers 'afw sta')" 'start status ' 'fish: commands'
	is "$(fish_offers 'afw logs ')" 'fix-login other ' 'fish: sessions'
	is "$(fish_offers 'afw logs --fo')" '--follow ' 'fish: options'
else
	skip 3 'no fish'
fi
if command -v zsh >/dev/null; then
	afw completion zsh >"$T/_afw"
	ok_cmd 'zsh: reads it' zsh -n "$T/_afw"
	tmux_start 80 20 env ZDOTDIR="$T" zsh -f
	tmux_type "PS1='ready> '; fpath=($T \$fpath); autoload -U compinit; compinit -u -d $T/dump"
	tmux_keys Enter
	wait_for 10 'test -s "$T/dump"'
	tmux_type 'afw logs fix'
	tmux_keys Tab
	tmux_wait_for 'afw logs fix-login'
	ok $? 'zsh: sessions'
	tmux_stop
else
	skip 2 'no zsh'
fi
for shell in bash zsh fish; do
	exit_is 0 "$shell: is printed" afw completion "$shell"
	echo "$out" >"$T/script"
	! command -v "$shell" >/dev/null ||
		exit_is 0 "$shell: can be read" "$shell" -n "$T/script"
done
for name in $(afw --help | sed -nE 's/^  ([a-z]+) .*/\1/p'); do
	for shell in bash zsh fish; do
		afw completion $shell | grep -q "[ '(	]${name}[ :')]" ||
			fail "$shell knows $name"
	done
done
refused 2 'csh' 'another shell' afw completion csh
refused 2 'did you mean bash' 'misspelt' afw completion bsh
refused 2 'something is missing' 'none' afw completion
done_testing
