# slurm.sh - a cluster of two nodes on this machine. Sourced after lib.sh and
# podman.sh:
#
#	slurm_begins	skips all if it cannot be had. Root starts it, and runs
#			the script again as the user afwtest (share/setup
#			podman); then afw_env

# slurm_daemons DIR: starts them, with all of their files in DIR.
slurm_daemons()
{
	local dir=$1 node end=$((SECONDS + 60)) host port=$((20000 + $$ % 10000))
	host=$(hostname -s)
	mkdir -p "$dir"/{munge,state,spool}
	head -c 128 /dev/urandom >"$dir/munge/key"
	chmod 600 "$dir/munge/key"
	cat >"$dir/slurm.conf" <<-END
	ClusterName=afw
	SlurmctldHost=$host
	AuthType=auth/munge
	AuthInfo=socket=$dir/munge/socket
	CredType=cred/munge
	SlurmUser=root
	SlurmdUser=root
	SlurmctldPort=$port
	StateSaveLocation=$dir/state
	SlurmdSpoolDir=$dir/spool/%n
	SlurmctldPidFile=$dir/slurmctld.pid
	SlurmdPidFile=$dir/slurmd.%n.pid
	SlurmctldLogFile=$dir/slurmctld.log
	SlurmdLogFile=$dir/slurmd.%n.log
	ProctrackType=proctrack/cgroup
	TaskPlugin=task/none
	SelectType=select/cons_tres
	SelectTypeParameters=CR_Core
	ReturnToService=2
	SlurmdTimeout=10
	KillWait=2
	MinJobAge=60
	MailProg=/bin/true
	SchedulerParameters=sched_interval=1,sched_min_interval=0
	NodeName=n1 NodeHostname=$host Port=$((port + 1)) CPUs=1
	NodeName=n2 NodeHostname=$host Port=$((port + 2)) CPUs=1
	PartitionName=all Nodes=n1,n2 Default=YES MaxTime=UNLIMITED State=UP
	END
	cat >"$dir/cgroup.conf" <<-END
	CgroupAutomount=no
	END
	export SLURM_CONF=$dir/slurm.conf
	# Not in this terminal, and not of this script's group.
	setsid /usr/sbin/munged --force --key-file="$dir/munge/key" \
		--socket="$dir/munge/socket" --pid-file="$dir/munge/pid" \
		--log-file="$dir/munge/log" --seed-file="$dir/munge/seed" \
		>"$dir/munged.out" 2>&1 </dev/null
	slurmctld -c >"$dir/slurmctld.out" 2>&1 </dev/null
	for node in n1 n2; do
		slurmd -N $node >"$dir/slurmd.$node.out" 2>&1 </dev/null
	done
	while [ "$(sinfo --noheader --states idle --format %D 2>/dev/null)" != 2 ]; do
		[ $SECONDS -lt $end ] || return 1
		read -r -t 0.1 <> <(:)
	done
	return 0
}

slurm_ends()
{
	local dir=$1 file pid end=$((SECONDS + 20))
	SLURM_CONF=$dir/slurm.conf scancel --user afwtest >/dev/null 2>&1
	for file in "$dir"/slurm*.pid "$dir/munge/pid"; do
		pid=$(cat "$file" 2>/dev/null) && kill "$pid" 2>/dev/null
		# They write to it as they end.
		while [ "$pid" ] && ! has_ended "$pid" && [ $SECONDS -lt $end ]; do
			read -r -t 0.1 <> <(:)
		done
	done
	rm -rf --one-file-system "$dir"
}

slurm_begins()
{
	local dir log tool
	if [ "$(id -u)" = 0 ]; then
		PATH=$PATH:/usr/sbin:/sbin
		for tool in munged slurmctld slurmd sbatch sshd; do
			command -v $tool >/dev/null ||
				skip_all "no $tool (share/setup slurm)"
		done
		dir=$(mktemp -d /tmp/afws.XXXXXX) && chmod 755 "$dir"
		# shellcheck disable=SC2064 # not the dir of who exits
		trap "slurm_ends '$dir'" EXIT
		slurm_daemons "$dir" || {
			log=$(tail -qn 1 "$dir"/*.out "$dir"/*.log "$dir/munge/log")
			slurm_ends "$dir"
			skip_all "Slurm does not start: $log"
		}
		podman_as_user
	fi
	[ -n "${SLURM_CONF-}" ] || skip_all 'root starts the cluster'
	# The nodes see it, too.
	AF_TEST_IN=$HOME/.cache
	mkdir -p "$AF_TEST_IN"
	afw_env
	mkdir -p "$XDG_CONFIG_HOME/afw"
}
