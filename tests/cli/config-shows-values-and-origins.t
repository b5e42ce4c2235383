#!/bin/bash
# afw config shows the values in force, their origins, and mistakes.
. "$(dirname "$0")/../lib.sh"
afw_env
mkdir "$T/elsewhere"
cd "$T/elsewhere" || exit 2
ini=$XDG_CONFIG_HOME/afw/afw.ini
mkdir -p "${ini%/*}"

exit_is 0 'without any file' afw config
like "$out" 'harness +claude +default' 'defaults are listed'
exit_is 0 'one value' afw config detach_key
is "$out" 'C-\' 'alone, for scripts'

exit_is 0 'the example' afw config --example
is "$(grep -v '^#' <<<"$out" | grep .)" $'[dashboard]\n[keys]\n[notify]' \
	'has sections and comments only'
afw config --example >"$ini"
exit_is 0 'and can be used as it is' afw config

printf 'copy = .env\nstop_timeout = 2m\ncopy = "a b"\n' >"$ini"
exit_is 0 'values of a file' afw config
like "$out" "stop_timeout +2m +$ini:2" 'come with file and line'
exit_is 0 'as JSON' afw config --json copy
is "$(json value.1)" 'a b' 'a list is an array'
is "$(json origin)" "$ini:3" 'with its origin'
printf 'sandbox_cpus = 0.5\npull = missing\n' >>"$ini"
exit_is 0 'a decimal number as JSON' afw config --json sandbox_cpus
is "$(json value)" 0.5 'is a number'
exit_is 0 'a duration as JSON' afw config --json stop_timeout
is "$(json value_ms)" 120000 'is in milliseconds'

refused 1 'detach_ky.*did you mean .detach_key' 'an unknown option' \
	afw config detach_ky

# The image of a container: all that can choose it, in their order.
chain() { afw config -v image | sed -n '/^FROM/,$p' | tr -s ' ' | sed 's/ $//'; }
is "$(chain | tail -1)" 'default localhost/afw-claude afw image build yes' \
	'the image of a harness is the default'
printf '%s\n' '[harness.claude]' 'image = localhost/h' '[harness.other]' \
	'command = cat' 'image = localhost/o' >"$ini"
is "$(chain | grep yes)" 'harness claude localhost/h [harness.claude] yes' \
	'before it is that of [harness.NAME]'
sed -i '1i image = localhost/mine' "$ini"
is "$(chain | grep yes)" "you localhost/mine $ini:1 yes" 'before it the user'\''s'
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir .af
echo 'image = localhost/theirs' >.af/afw.ini
is "$(chain 2>"$T/null" | grep yes)" "you localhost/mine $ini:1 yes" \
	'a file that is not trusted is not used'
exit_is 0 'trust' afw trust --yes
printf '%s\n' '[profile.p]' 'image = localhost/p' >>"$ini"
mkdir -p "$DATA/templates/t"
echo 'image = localhost/t' >"$DATA/templates/t/template.ini"
is "$(chain)" "FROM IMAGE ORIGIN APPLIES
command line as given --image, -o image=
template p localhost/p $ini:8
template t localhost/t $DATA/templates/t/template.ini:1
repository localhost/theirs $T/repo/.af/afw.ini:1 yes
you localhost/mine $ini:1
harness claude localhost/h [harness.claude]
harness other localhost/o [harness.other]
default localhost/afw-claude afw image build" 'the whole chain'
exit_is 0 'as JSON' afw config image --json
is "$(json chain.3.from) $(json chain.3.image) $(json chain.3.applies)" \
	'repository localhost/theirs here' 'too'
cd "$T/elsewhere" || exit 2

# Mistakes: one line, with file and line.
mistake()
{
	printf %b "$2" >"$ini"
	refused 1 "$3" "$1" afw config
}
mistake 'an unknown key' '# x\nsetpu = make\n' \
	"$ini:2: unknown key 'setpu' \\(did you mean 'setup'"
mistake 'an unknown key of a harness' '[harness.x]\ncomand = x\n' \
	"$ini:2: unknown key 'comand'.*'command'"
mistake 'a pattern that does not compile' '[harness.x]\nwaiting = a(b\n' \
	"$ini:2: .*a\\(b"
mistake 'a line of 300 characters' "$(printf 'base = %0300d' 1)\n" \
	"$ini:1: the line is too long"
done_testing
