#!/bin/bash
# completion, as the shells themselves use it.
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
(
	make_repo "$T/mine"
	make_repo "$T/theirs"
	for name in mine theirs; do
		repo=$T/$name
		fake_session fix stopped
	done
	cd "$T/mine" && complete_bash afw attach f
) >"$T/offered"
is "$(<"$T/offered")" fix 'bash: bare names of this repository'
rm -r "$DATA"
fake_session fix-login stopped
fake_session other stopped
is "$(complete_bash afw logs --fo)" '--follow' 'bash: options'
mkdir -p "$XDG_CONFIG_HOME/afw"
printf '%s\n' '[harness.clerk]' 'command = cat' >"$XDG_CONFIG_HOME/afw/afw.ini"
is "$(complete_bash afw new -a cl)" 'claude cline clerk' \
	'bash: agents, and those of the configuration'
is "$(complete_bash afw new x -a dem)" demo 'bash: and the demonstration'
is "$(complete_bash afw wait --for wa)" waiting 'bash: states'
is "$(complete_bash afw rm --branch n)" never 'bash: words'
is "$(complete_bash afw config --ex)" --example 'bash: options of others'
is "$(complete_bash afw completion f)" fish 'bash: arguments'
is "$(complete_bash afw image '')" 'ls build' 'bash: words of a command'
is "$(complete_bash afw image build cl)" 'claude cline clerk' 'bash: and after them'
cp "$XDG_CONFIG_HOME/afw/afw.ini" "$T/ini"
printf '[host.gpu]\nurl = ssh://gpu\n' >>"$XDG_CONFIG_HOME/afw/afw.ini"
is "$(complete_bash afw logs '')" 'fix-login other gpu:' \
	'bash: hosts, which are not asked'
mv "$T/ini" "$XDG_CONFIG_HOME/afw/afw.ini"
# The entries of the trash: two of one name are offered by their ids.
mkdir -p "$DATA/trash"
for name in 1gone 2twice 3twice; do
	fake_session "${name#?}" stopped
	sed -i "s/$id/${name%${name#?}}${id#?}/" "$dir/spec.json"
	echo '{"v":1,"removed_at":"2026-01-01T00:00:00Z"}' >"$dir/trash.json"
	mv "$dir" "$DATA/trash/${name%${name#?}}${id#?}"
done
ids=$(afw trash ls --json | grep -oE '"id":"[0-9a-f]{8}' | cut -d'"' -f4 |
	tr '\n' ' ')
is "$(complete_bash afw trash '')" 'ls restore purge' 'bash: of a command'
names=$(complete_bash afw trash restore '')
is "$(wc -w <<<"$names") ${names%% *}" '3 gone' 'bash: what is in the trash'
for name in ${names#* }; do
	like "$ids" "$name " 'bash: by its id where several have the name'
done
is "$(complete_bash afw trash purge gone t)" '' 'bash: but not by that name'
is "$(complete_bash afw trash -y purge go)" gone 'bash: after an option'
is "$(complete_bash afw trash ls '')" '' 'bash: ls takes no name'
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
	wait_for 'test -s "$T/dump"'
	tmux_type 'afw logs fix'
	tmux_keys Tab
	tmux_wait_for 'afw logs fix-login' 'zsh: sessions'
	tmux_keys C-u
	tmux_type 'afw logs --fol'
	tmux_keys Tab
	tmux_wait_for 'afw logs --follow' 'zsh: options'
	tmux_stop
else
	skip 2 'no zsh'
fi
# Names that a shell would run or split, on a terminal. Before the line is
# run, printf takes afw's place: it shows the words.
bad='$(touch${IFS}RAN)'
make_repo "$T/dirs/zz$bad"
repo="$T/dirs/zz$bad" fake_session one stopped
git -C "$T/dirs/zz$bad" branch "zz$bad"
git -C "$T/dirs/zz$bad" branch "yy\`touch\${IFS}RAN\`;'x"
cat >>"$XDG_CONFIG_HOME/afw/afw.ini" <<'END'
[harness.zz$(touch${IFS}RAN)]
command = cat
END
# offers TYPED WANT: Tab after TYPED completes it to WANT.
offers()
{
	tmux_keys C-l
	tmux_type "afw $1"
	tmux_keys Tab
	wait_for 'tmux_screen | grep -q "ready>.*RAN"'
	tmux_keys C-a
	tmux_type 'printf "<%s>" '
	tmux_keys Enter
	tmux_wait_for "<$2>" "$shell: afw $1"
	tmux_keys C-u
}
for shell in bash zsh fish; do
	if ! command -v "$shell" >/dev/null; then
		skip 4 "no $shell"
		continue
	fi
	cd "$T/dirs/zz$bad" || exit 2
	case $shell in
	bash)
		{ echo 'PS1="ready> "' && afw completion bash; } >"$T/bashrc"
		tmux_start 200 20 bash --rcfile "$T/bashrc" -i
		;;
	zsh)
		{ echo "PS1='ready> '; bindkey -e; fpath=($T \$fpath)"
			echo "autoload -U compinit; compinit -u -d $T/dump"
		} >"$T/.zshrc"
		tmux_start 200 20 env ZDOTDIR="$T" zsh -d
		;;
	fish)
		afw completion fish >"$T/afw.fish"
		tmux_start 200 20 fish --no-config -C "source $T/afw.fish
			function fish_prompt; echo 'ready> '; end"
		;;
	esac
	tmux_wait_for 'ready>'
	offers 'new y -b zz' "zz$bad"
	offers 'new y -b yy' "yy\`touch\${IFS}RAN\`;'x"
	tmux_type 'cd /'
	tmux_keys Enter
	offers 'logs zz' "zz$bad/one"
	tmux_stop
	is "$(find / "$T" -maxdepth 1 -name RAN; find "$T/dirs" -name RAN)" '' \
		"$shell: nothing ran"
done
cd "$T" || exit 2
for shell in bash zsh fish; do
	exit_is 0 "$shell: is printed" afw completion "$shell"
	echo "$out" >"$T/script"
	! command -v "$shell" >/dev/null ||
		exit_is 0 "$shell: can be read" "$shell" -n "$T/script"
done
is "$(afw completion words -- '' | cut -f1 | grep -v -e --)" \
	"$(afw help --all | sed -nE 's/^  ([a-z]+) .*/\1/p')" 'all commands'
refused 2 'csh' 'another shell' afw completion csh
refused 2 'did you mean bash' 'misspelt' afw completion bsh
refused 2 'bash.zsh.fish is missing' 'none' afw completion
done_testing
