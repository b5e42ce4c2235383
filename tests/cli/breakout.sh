# breakout.sh - a hostile harness, and the world that it wants out to. Sourced
# after lib.sh and afw_env:
#
#	breakout_world		another session, keys, sockets, processes
#	breakout TIER ARGS...	a session TIER of these arguments of `new` runs
#				all attempts: $T/TIER has "out NAME" or
#				"in NAME" for each
#
#	breakout_links TIER	what it leaves as links, before that starts again
#	breakout_terminal TIER	what a command beside it does with the terminal
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

# breakout_files: what it is not to change.
breakout_files()
{
	(cd "$T" && find home config repo agent .af_worktrees/repo-beside \
		"$BESIDE/spec.json" -type f -exec sha256sum {} + | sort)
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
	write-configuration	mkdir -p $XDG_CONFIG_HOME/afw
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
	own-socket		./breakout reach $RUN/$id.sock
	beside-socket		./breakout reach $RUN/${BESIDE##*/}.sock
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
	change-attribute	./breakout attribute $HOME/.bashrc
	gain-privileges		./breakout gain
	kernel-keyring		./breakout keyring
	keyctl			./breakout keyctl
	lease			./breakout lease README
	io-uring		./breakout io-uring
	type-ahead		./breakout type-ahead
	write-sysctl		sh -c 'cat /proc/sys/kernel/core_pattern >/tmp/pattern && cat /tmp/pattern >/proc/sys/kernel/core_pattern'
	write-etc		touch /etc/afw-test
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

# Whoever starts it has a variable and a PATH that name paths in its worktree.
breakout_links()
{
	local tier=$1 tree=$T/.af_worktrees/repo-$1
	rm "$tree/attempts"
	exit_is 0 "links of $tier" afw exec "$tier" -- bash -c \
		"ln -s '$HOME/.ssh/id_test' named && ln -s '$HOME/.ssh' bin"
	exit_is 0 'it is stopped' afw stop "$tier"
	exit_is 0 'it is started with paths that they are in' \
		env EDITOR="$tree/named" PATH="$tree/bin:$PATH" afw start "$tier"
	exit_is 1 'a variable opens nothing' afw exec "$tier" -- cat named
	exit_is 1 'nor does PATH' afw exec "$tier" -- cat bin/id_test
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
	tmux_type "afw exec $tier -- ./breakout take-terminal stolen; echo code \$?"
	tmux_keys Enter
	tmux_wait_for 'code 0'
	tmux_type 'echo typed-$((1 + 1))'
	tmux_keys Enter
	waits_for '[ -e "$tree/stolen" ] || tmux_screen | grep -q typed-2' \
		'what is typed later arrives'
	nok_cmd 'but not where a process was left' test -e "$tree/stolen"
	is "$(pgrep -fc 'breakout take-[t]erminal stolen')" 0 'which has ended'
	tmux_stop
}
