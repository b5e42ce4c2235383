# breakout.sh - a hostile harness, and the world that it wants out to. Sourced
# after lib.sh and afw_env:
#
#	breakout_world		another session, keys, sockets, processes
#	breakout TIER ARGS...	a session TIER of these arguments of `new` runs
#				all attempts: $T/TIER has "out NAME" or
#				"in NAME" for each
#
#	breakout_links TIER	what it leaves as links, before that starts again
#	breakout_library	makes a library in the repository
#	breakout_loads NAME ARGS...	a session that loads it
#	breakout_swaps DIR NAME TRIES ARGS...	a worktree below DIR, below /tmp
#	breakout_terminal TIER	what a command beside it does with the terminal
#	breakout_ends TIER	processes that are left when that is stopped
#
# An attempt is a line: NAME, then the command that ends with 0 where it got
# out. In tier none it is seen that they are real.

breakout_world()
{
	local tool=$BUILD/tests/tools/breakout
	make_repo "$T/repo" README
	cp "$tool" "$T/repo/breakout"
	cp "$ROOT/tests/cli/breakout-runs" "$T/repo/runs"
	git -C "$T/repo" add -A && git -C "$T/repo" commit -q -m tools
	git -C "$T/repo" branch other
	make_repo "$T/another"
	cd "$T/repo" || exit 2
	echo password >secret.env
	mkdir -p "$HOME/.ssh" "$T/agent" .af
	echo key >"$HOME/.ssh/id_test"
	echo : >"$HOME/.bashrc"
	exit_is 0 'another session' afw new beside -- sleep 600
	BESIDE=$(session_dir beside)
	"$tool" listen "$T/port" "$T/agent/ssh" "$XDG_RUNTIME_DIR/bus" \
		"@afw-test-$$" &
	LISTENER=$!
	tmux_start 80 24 sleep 600
	wait_for '[ -s "$T/port" ]'
}

# breakout_files: what it is not to change. afw may add a checkpoint meanwhile.
breakout_files()
{
	(cd "$T" && find home config repo agent .af_worktrees/repo-beside \
		"$BESIDE/spec.json" -type f ! -path '*/.git/objects/??/*' \
		! -path '*/logs/refs/worktree/*' -exec sha256sum {} + | sort)
	git -C "$T/repo" fsck --no-dangling 2>&1
}

# breakout_attempts TIER: its list.
breakout_attempts()
{
	local tree=$T/.af_worktrees/repo-$1 dir id git=$T/repo/.git pid tty
	dir=$(session_dir "$1")
	id=${dir##*/}
	pid=$(state_of "$1" supervisor_pid)
	tty=$(tm display -p -t =t: '#{pane_tty}')
	cat <<-END
	read-key		cat $HOME/.ssh/id_test
	list-home		ls $HOME/.ssh
	write-bashrc		echo x >>$HOME/.bashrc
	new-file-at-home	touch $HOME/new
	read-main-tree		cat $T/repo/secret.env
	write-main-tree		echo x >>$T/repo/README
	read-beside		cat $T/.af_worktrees/repo-beside/README
	write-beside		touch $T/.af_worktrees/repo-beside/new
	read-beside-session	cat $BESIDE/spec.json
	forge-state		cp /etc/hostname $dir/new
	read-own-spec		cat $dir/spec.json
	read-own-transcript	cat $dir/transcript
	read-data		ls $BESIDE
	read-another		cat $T/another/README
	forge-spec		sh -c 'echo >>$dir/spec.json'
	write-configuration	mkdir $XDG_CONFIG_HOME/by-$1
	trust-repository	cp -r $DATA $T/copied
	plant-hook		cp /bin/true $git/hooks/post-checkout
	plant-fsmonitor		printf '[core]\n\tfsmonitor = x\n' >>$git/config
	plant-attributes	echo '* filter=x' >>$git/info/attributes
	plant-in-entry		echo x >>$git/worktrees/repo-$1/HEAD
	change-commondir	echo /tmp >$git/worktrees/repo-$1/commondir
	move-branch		cp $git/refs/heads/main $git/refs/heads/other2
	delete-objects		rm -r $git/objects/pack/../info
	replace-git-file	sh -c 'echo "gitdir: /tmp" >$tree/.git2; mv $tree/.git2 $tree/.git'
	remove-git-file		sh -c 'cp $tree/.git /tmp/kept.$1 && rm $tree/.git && cp /tmp/kept.$1 $tree/.git'
	write-git-file		sh -c 'cat $tree/.git >/tmp/kept.$1 && cat /tmp/kept.$1 >$tree/.git'
	swap-tree		sh -c 'mv $tree $tree.2 && mv $tree.2 $tree'
	swap-its-tmp		sh -c 'mkdir -p $dir/tmp; for at in $dir/tmp $dir/home/tmp; do mv \$at \$at.2 && mv \$at.2 \$at && exit; done; exit 1'
	swap-by-symlink		sh -c 'ln -s $HOME $tree/link && touch $tree/link/by-link'
	hard-link		ln $HOME/.bashrc $tree/hard
	command-afw		afw status beside
	own-socket		./breakout reach $dir/control
	beside-socket		./breakout reach $BESIDE/control
	tmux-socket		./breakout reach $T/tmux/own
	ssh-agent-socket	./breakout reach $T/agent/ssh
	socket-of-wide-family	./breakout reach-wide $T/agent/ssh
	bus-socket		./breakout reach $XDG_RUNTIME_DIR/bus
	datagram		./breakout reach-datagram $T/agent/ssh.datagram
	raw-datagram		./breakout reach-raw $T/agent/ssh.datagram
	abstract-socket		./breakout reach @afw-test-$$
	type-in-tmux		tmux -S $T/tmux/own send-keys -t t x
	signal-supervisor	./breakout signal $pid
	signal-other		./breakout signal $LISTENER
	limit-other		./breakout limit $LISTENER
	shared-memory		./breakout shared-memory $(cat "$T/port.shared")
	trace-supervisor	./breakout trace $pid
	read-memory		./breakout peek $pid
	take-descriptor		./breakout take-fd $LISTENER
	read-environment	cat /proc/$LISTENER/environ
	through-proc-root	cat /proc/$LISTENER/root$HOME/.ssh/id_test
	through-proc-cwd	ls /proc/$LISTENER/cwd/
	user-s-terminal		sh -c 'echo x >$tty'
	mount-over		./breakout mount /mnt
	mount-in-namespace	./breakout mount-in-namespace /mnt
	uncover-git		./breakout unmount $tree/.git
	uncover-tmp		./breakout unmount /tmp
	change-root		./breakout chroot $HOME/.bashrc
	make-device		./breakout device ./device
	change-mode		./breakout mode $HOME/.bashrc
	change-time		./breakout time $HOME/.bashrc
	change-owner		./breakout owner $HOME/.bashrc
	change-attribute	./breakout attribute $HOME/.bashrc
	gain-privileges		./breakout gain
	kernel-keyring		./breakout keyring
	keyctl			./breakout keyctl
	lease			./breakout lease README
	io-uring		./breakout io-uring
	watch-all		./breakout watch-all $HOME
	watch			./breakout watch $HOME
	look-at-file		stat $HOME/.ssh/id_test
	look-at-command		cat /proc/$LISTENER/cmdline
	schedule-other		./breakout schedule $LISTENER
	stay			./breakout stay stays-$$-$1
	type-ahead		./breakout type-ahead
	write-sysctl		sh -c 'cat /proc/sys/kernel/core_pattern >/tmp/pattern && cat /tmp/pattern >/proc/sys/kernel/core_pattern'
	write-etc		touch /etc/afw-test.$$
	END
}

breakout()
{
	local tier=$1 tree=$T/.af_worktrees/repo-$1
	shift
	exit_is 0 "a session in $tier" afw new "$tier" "$@" -- ./runs
	breakout_attempts "$tier" >"$T/attempts"
	breakout_files >"$T/before"
	# It waits for its list.
	cp "$T/attempts" "$tree/.attempts" && mv "$tree/.attempts" "$tree/attempts"
	waits_for "[ -e '$tree/results' ]" 'all was tried'
	cp "$tree/results" "$T/$tier"
}

# Whoever starts it has variables and a PATH that name paths in its worktree,
# also through a link above it.
breakout_links()
{
	local tier=$1 tree=$T/.af_worktrees/repo-$1
	local alias=$HOME/src/.af_worktrees/repo-$1
	rm "$tree/attempts"
	ln -sfn "$T" "$HOME/src"
	exit_is 0 "links of $tier" afw exec "$tier" -- bash -c \
		"ln -s '$HOME/.ssh/id_test' named && ln -s '$HOME/.ssh' bin"
	exit_is 0 'it is stopped' afw stop "$tier"
	exit_is 0 'it is started with paths that they are in' \
		env EDITOR="$tree/named" VISUAL="$alias/named" \
		PATH="$tree/bin:$alias/bin:$PATH" afw start "$tier"
	exit_is 1 'a variable opens nothing' afw exec "$tier" -- cat named
	exit_is 1 'nor by another name' afw exec "$tier" -- cat "$alias/named"
	exit_is 1 'nor does PATH' afw exec "$tier" -- cat bin/id_test
}

# The loader runs a library of the agent in every program that gets the
# agent's environment: in none that runs outside of the sandbox.
breakout_library()
{
	cat >"$T/repo/library.c" <<-'END'
	#include <fcntl.h>
	#include <stdlib.h>
	__attribute__((constructor)) static void loaded(void)
	{
		creat(getenv("LOADED_IN"), 0600);
		creat(getenv("LOADED_OUT"), 0600);
	}
	END
	exit_is 0 'a library of the agent' ${CC:-cc} -shared -fPIC \
		-o "$T/repo/library.so" "$T/repo/library.c"
	git -C "$T/repo" add -f library.so
	git -C "$T/repo" commit -q -m library
}

breakout_loads()
{
	local name=$1 tree=$T/.af_worktrees/repo-$1
	shift
	breakout_config "[service.web]
command = sleep 600
env = LD_PRELOAD=$tree/library.so LOADED_IN=$tree/service
  LOADED_OUT=$HOME/by-service"
	exit_is 0 "an agent that is to load it: $name" afw new "$name" "$@" \
		-e "LD_PRELOAD=$tree/library.so" -e "LOADED_IN=$tree/agent" \
		-e "LOADED_OUT=$HOME/by-agent" -- sleep 600
	waits_for "[ -e '$tree/agent' ]" 'the agent loads it'
	waits_for "[ -e '$tree/service' ]" 'and so does its service'
	is "$(ls "$HOME" | grep ^by-)" '' 'nothing outside does'
	rm -f "$HOME"/by-*
}

# The agent exchanges directories of its /tmp, so that the path of its worktree
# leads to the user's keys now and then, while commands are run beside it.
breakout_swaps()
{
	local top=$1 name=$2 most=$3 tries got=0 tree=$1/.af_worktrees/repo-$2
	shift 3
	make_repo "$top/repo"
	cp "$BUILD/tests/tools/breakout" "$top/repo/"
	git -C "$top/repo" add -A && git -C "$top/repo" commit -q -m tools
	cd "$top/repo" || exit 2
	exit_is 0 "a session below /tmp" afw new "$name" "$@" -- bash -c \
		"until [ -e go ]; do read -rt 0.05 <> <(:); done
		mkdir -p /tmp/other/.af_worktrees
		ln -s '$HOME/.ssh' /tmp/other/.af_worktrees/repo-$name
		touch ready
		exec ./breakout swap '$top' /tmp/other '$tree/done'"
	exit_is 0 'its worktree is there' afw exec "$name" -- bash -c \
		'echo new >file && git add file && git commit -qm file && pwd'
	like "$out $(<"$tree/file")" "^($tree|/workspace) new$" 'at its path'
	exit_is 1 'nothing else of /tmp is' \
		afw exec "$name" -- cat "$PWD/README"
	exit_is 1 'its .git stays' \
		afw exec "$name" -- bash -c 'mv .git .git2 || rm .git'
	touch "$tree/go"
	waits_for "[ -e '$tree/ready' ]" 'the agent exchanges directories'
	for ((tries = 0; tries < most && got == 0; tries++)); do
		run afw exec "$name" -- cat "$HOME/.ssh/id_test"
		[ "$out" != key ] || got=1
	done
	is "$got" 0 "no command beside it reads a key (try $tries)"
	touch "$tree/done"
}

# breakout_ends TIER: with it, processes that have detached and ignore signals.
breakout_ends()
{
	exit_is 0 "$1 ends" afw stop "$1"
	is "$(pgrep -fc "^stays-$$-$1 ")" 0 'with the processes that are left'
}

# clipboard = never is the user's configuration.
breakout_terminal()
{
	local tier=$1 tree=$T/.af_worktrees/repo-$1
	run bash -c 'printf "" | "$@" | tr "\033" E' - "$BUILD/tests/tools/onpty" \
		afw exec "$tier" -- bash -c 'printf "\033]52;c;aGk=\a<>"'
	like "$out" '<>' 'a command prints to the terminal'
	unlike "$out" 'E]' 'and does not set its clipboard'
	tmux_stop
	tmux_start 80 24 bash --norc -i
	tmux_type "afw exec $tier -- ./breakout take-terminal stolen-$tier; echo code \$?"
	tmux_keys Enter
	tmux_wait_for 'code 0'
	tmux_type 'echo typed-$((1 + 1))'
	tmux_keys Enter
	waits_for '[ -e "$tree/stolen-$tier" ] || tmux_screen | grep -q typed-2' \
		'what is typed later arrives'
	nok_cmd 'but not where a process was left' test -e "$tree/stolen-$tier"
	is "$(pgrep -fc 'breakout take-[t]erminal stolen-'"$tier")" 0 'which has ended'
	tmux_stop
}
