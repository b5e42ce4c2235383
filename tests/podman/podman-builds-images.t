#!/bin/bash
# afw image: an agent's image is built, listed and found by its sessions. A
# base of this machine's programs, with stand-ins for apt-get and npm.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/podman.sh"
podman_needed
afw_env
mkdir "$T/stand-ins"
cat >"$T/stand-ins/apt-get" <<'END'
#!/bin/sh
echo "apt-get $*"
END
# It installs a program of the package's name.
cat >"$T/stand-ins/npm" <<'END'
#!/bin/sh
[ "$1" = install ] || exit 0
for package; do :; done
case $package in
slow) sleep 7411 ;;
@*) package=claude ;;
broken) echo "no package $package" >&2; exit 1 ;;
esac
printf '#!/bin/sh\necho "I am %s"; [ "$1" = --version ] || exec cat\n' \
	"$package" >"/usr/bin/$package"
[ "$package" != claude ] || echo 'exit 3' >>"/usr/bin/$package"
chmod 755 "/usr/bin/$package"
END
chmod 755 "$T"/stand-ins/*
PODMAN_PROGRAMS="$T/stand-ins/apt-get $T/stand-ins/npm cp"
podman_prepared
base=localhost/afw-test
printf '%s\n' '[harness.clerk]' 'command = clerk' \
	'[harness.My_Clerk]' 'command = clerk' >"$T/clerk"
# config LINE...: afw's configuration, with no image.
config()
{
	printf '%s\n' 'network = none' 'sandbox = podman' \
		'allow_degraded = yes' "$@" "$(<"$T/clerk")" \
		>"$XDG_CONFIG_HOME/afw/afw.ini"
}
config ''
make_repo "$T/repo" README
cd "$T/repo" || exit 2
# What is not afw's, and must stay: containers, images with and without names.
podman create -q --name mine "$base" true >/dev/null
tar -C "$T/image" -c . | podman import -q - localhost/mine >/dev/null 2>&1
tar -C "$T" -c stand-ins | podman import -q - >/dev/null 2>&1
all() { podman ps -a --external --format '{{.ID}}'; podman images -qa; }
before=$(all)

is "$(sed -n 's/^ARG BASE=//p' "$ROOT/share/image/Containerfile")" \
	"$(afw image --help | sed -n 's/.*from this one, not //p')" \
	'the base in the help is the Containerfile'\''s'
exit_is 0 'ls' afw image
like "$out" $'NAMES +AGENT +SIZE +AGE +USED BY\n' 'a table'
like "$out" 'localhost/mine +- +[0-9]+[KM] ' 'images that afw did not build'
unlike "$out" '\(none\)' 'with a name'
refused 1 'there is no image localhost/afw-clerk' 'a session without one' \
	afw new x -a clerk
like "$err" 'afw image build clerk.*podman pull' 'which says what makes it'
refused 2 'there is no agent .nosuch' 'no such harness' \
	afw image build nosuch
refused 1 'there is no image localhost/nosuch' 'a base that is not here' \
	afw image build clerk --base localhost/nosuch
like "$err" 'hint: --base' 'which has a hint'
refused 2 "'make' is not one of ls, build" 'another word' afw image make
refused 2 "image ls: too many arguments: 'clerk'" 'a name for ls' afw image ls clerk
refused 1 'there is no image localhost/afw-my_clerk' 'a name in small letters' \
	afw new x -a My_Clerk
exit_is 1 'a package that is not there' \
	afw image build clerk --base "$base" -- --build-arg=PACKAGE=broken
like "$err" 'no package broken.*podman could not build it' 'which is reported'
exit_is 1 "an option that podman does not have" \
	afw image build clerk --base "$base" -- --no-such-option
like "$err" 'no-such-option.*podman could not build it' 'as well'
exit_is 1 'an agent that does not start' afw image build claude --base "$base"
like "$out$err" 'I am claude.*podman could not build it' 'too'
is "$(all)" "$before" 'nothing is left of them'

exit_is 0 'a build' afw image build clerk --base "$base" -- \
	--build-arg=PACKAGE=clerk
is "$out" 'localhost/afw-clerk is built' 'says so'
like "$err" 'STEP 1.*apt-get -q update' 'and shows its progress'
exit_is 0 'ls --json' afw image ls --json
is "$(json 0.name <<<"$out") $(json 0.harness <<<"$out")" \
	'localhost/afw-clerk clerk' 'lists it'
ok_cmd 'with its size' test "$(json 0.bytes <<<"$out")" -gt 1000000
like "$(json 0.created_at <<<"$out")" '^20..-' 'and its age'
like "$(afw image)" 'localhost/afw-clerk +clerk +[0-9]+[KM]' 'as a table'
is "$(podman images --filter label=afw.managed=1 -q | wc -l)" 1 'by its label'
podman tag localhost/afw-clerk localhost/second
is "$(afw image ls | grep -c second)" 1 'an image with two names is one line'
like "$(afw image ls)" 'localhost/afw-clerk,? localhost/second +clerk' \
	'with both of them'
podman untag localhost/afw-clerk localhost/second
exit_is 0 'a session in it' afw new x -a clerk
waits_for 'afw capture x | grep -q "I am clerk"' 'runs its program'
exit_is 0 'rm' afw rm -s x

exit_is 0 'another build' afw image build clerk --base "$base" -- \
	--build-arg=PACKAGE=clerk
is "$(afw image ls --json | grep -o '"harness":"clerk"' | wc -l)" 2 \
	'the one before is not removed'
is "$(afw image ls --json | grep -o '"name":null' | wc -l)" 1 \
	'but without a name'

podman tag "$base" localhost/afw-claude
refused 4 'localhost/afw-claude, and afw did not make it' "a user's own name" \
	afw image build claude --base "$base"
podman untag localhost/afw-claude localhost/afw-claude

# -- ended by a key, and by a signal
before=$(all)
tmux_start 80 24 bash --norc
# cut_off SIGNAL CODE HOW...
cut_off()
{
	tmux_type "clear; afw image build clerk --base $base -- --build-arg=PACKAGE=slow"
	tmux_keys Enter
	wait_for 'pgrep -U "$(id -u)" -f "^sleep 7411" >/dev/null'
	"${@:3}"
	wait_for 'tmux_screen | grep -q "afw: interrupted"'
	tmux_type 'echo rc=$?'
	tmux_keys Enter
	waits_for "tmux_screen | grep -q '^rc=$2'" "$1 ends it"
	is "$(all)" "$before" "$1 leaves nothing"
	is "$(pgrep -U "$(id -u)" -f '^sleep 7411')" '' "$1: nothing runs on"
}
cut_off SIGINT 130 tmux_keys C-c
cut_off SIGTERM 143 pkill -TERM -U "$(id -u)" -f "^afw image build"
tmux_stop

# -- which one a session gets
config 'image = localhost/mine'
exit_is 0 'image is before it' afw new y -- bash
like "$(afw image)" 'localhost/mine +- +[0-9]+M +[0-9]+[sm] +y' 'ls shows which session uses it'
is "$(afw image --json | tr '}' '\n' | grep -o '"localhost/mine"],.*"used_by":.*' |
	grep -o '"used_by":.*')" '"used_by":["y"]' 'and as JSON'
runs_in() { podman ps --format '{{.Image}}' | grep -q "^$1"; }
waits_for 'runs_in localhost/mine' 'as it says'
config 'allow_images = docker.io/* localhost/afw-*'
exit_is 0 'stop' afw stop y
exit_is 0 'an allowed image' afw new z -a clerk
exit_is 0 'stop' afw stop z
config 'allow_images = docker.io/* localhost/afw-*' 'image = localhost/mine'
refused 9 'localhost/mine is not allowed' 'an image that is not allowed' afw new w -- bash
like "$err" 'hint: .*afw.ini:4: allow_images' 'by that line'
refused 9 'localhost/mine is not allowed' 'and not at a start' afw start y
config 'image = localhost/afw-clerk'
exit_is 0 'a start takes the image that is configured now' afw start y
waits_for 'runs_in localhost/afw-clerk' 'and runs in it'
exit_is 0 'rm' afw rm -s y
# -- that of a harness, where no other is set
config '' "$(<"$T/clerk")" 'image = localhost/mine'
exit_is 0 'image of the harness' afw new u -a My_Clerk --dry-run
like "$out" 'image +localhost/mine.*image_from +.harness' 'is the last before the default'
config 'image = localhost/afw-test' "$(<"$T/clerk")" 'image = localhost/mine'
exit_is 0 'image of the user' afw new u -a My_Clerk --dry-run
like "$out" 'image +localhost/afw-test.*image_from +.*afw.ini:4' 'is before it'
exit_is 0 'an image of the command line' afw new u -a My_Clerk --dry-run --image localhost/mine
like "$out" 'image +localhost/mine.*image_from +command line' 'is before all'
# -- the command line counts more
config 'allow_images = localhost/*'
exit_is 0 'new with options' afw new v --image localhost/mine --network none \
	--cpus 0.5 -- bash
waits_for 'runs_in localhost/mine' 'runs in that image'
network_of_v()
{
	podman inspect --format '{{.HostConfig.NetworkMode}}' "afw-$(state_of v id)"
}
# What podman is told needs a cgroup that may be absent here.
limit_of_v() { json sandbox_millicpus "$(session_dir v)/spec.json"; }
is "$(network_of_v)" none 'without a network'
is "$(limit_of_v)" 500 'and with that limit'
exit_is 0 'stop' afw stop v
exit_is 0 'a later start' afw start v --cpus 0.4
waits_for 'runs_in localhost/mine' 'keeps the image'
is "$(network_of_v) $(limit_of_v)" 'none 400' \
	'and the network, and has the new limit'
exit_is 0 'rm' afw rm -s v
config 'allow_images = localhost/afw-*'
refused 9 'localhost/mine is not allowed' 'no option gets around allow_images' \
	afw new v --image localhost/mine -- bash
refused 2 '-o allow_images: it is not an option of one session' \
	'which is not of one session' afw new v -o allow_images= -- bash
config ''
exit_is 0 'a dry run' afw new w --dry-run --image localhost/mine --cpus 0.5 -- bash
for words in 'network +none' 'sandbox_memory +2G' 'sandbox_cpus +0.5'; do
	like "$out" "$words" "says $words"
done
config 'image = 127.0.0.1:9/none'
refused 1 'there is no image 127.0.0.1:9/none' 'an image that is not here' \
	afw new w -- bash
unlike "$err" 'Trying' 'is not pulled'
done_testing
