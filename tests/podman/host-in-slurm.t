#!/bin/bash
# afw -H with the engine slurm: a real Slurm of two nodes on this machine.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/podman.sh"
. "$(dirname "$0")/slurm.sh"
slurm_begins

printf '[host.slurm]\nengine = slurm\noptions = --time=10\n' >"$XDG_CONFIG_HOME/afw/afw.ini"
# The nodes have the same home; here it is not the one of the user database.
cp -r "$ROOT/share" "$T/share"
export AF_SHARE_DIR=$T/share
sed -i "s|JOB_ID\" &\$|JOB_ID HOME=$T/home PATH=$BUILD:/usr/bin:/bin AF_SHARE_DIR=$ROOT/share AF_TEST_ID=$T GIT_CONFIG_GLOBAL=$T/gitconfig LC_ALL=C.UTF-8\" \&|" \
	"$T/share/hosts/slurm-job"
mkdir -p "$T/bin"
make_repo "$T/proj"
cd "$T/proj" || exit 2
dir=$XDG_DATA_HOME/afw/hosts/slurm

# ends JOB: waits until Slurm says that it has ended.
ends()
{
	wait_for "! squeue --noheader --states RUNNING,COMPLETING --jobs $1 | grep -q ."
}

export AFW_TEST_SECRET=topsecret
exit_is 0 'new submits a job' afw -H slurm new one -- sh -c 'echo "job <$SLURM_JOB_ID>"; cat'
job=$(cat "$dir/place")
waits_for "afw -H slurm logs one | grep -q 'job <$job>'" 'and the session runs in it'
exit_is 0 'host' afw host --json
is "$(json_of slurm state):$(json_of slurm place):$(json_of slurm sessions)" \
	"running:$job:1" 'shows it'
pid=$(afw -H slurm status --json one >"$T/s"; json supervisor_pid "$T/s")
like "$(cat "/proc/$pid/cgroup")" "job_$job" 'in its allocation'
scontrol write batch_script "$job" - >"$T/script"
unlike "$(cat "$T/script"; scontrol show job "$job")$(afw -H slurm exec one -- env)" \
	topsecret 'your variables do not go there'
afw -H slurm exec one -- sh -c 'echo x >file; git add file; git commit -qm work'

scancel "$job"
ends "$job"
waits_for "! [ -e /proc/$pid ]" 'a job that is cancelled ends its sessions'
refused 6 "host slurm is lost: slurm $job: CANCELLED" 'and is lost, with the reason' \
	afw -H slurm ls
exit_is 0 'start submits another' afw -H slurm start one
isnt "$(cat "$dir/place")" "$job" 'which is a new job'
waits_for "afw -H slurm logs one | grep -q 'job <$(cat "$dir/place")>'" \
	'and the session continues there'
wait_for "afw -H slurm status --json one >'$T/s'; json activity '$T/s' | grep -q idle"
exit_is 0 'merge' afw -H slurm merge one
is "$(cat file)" x 'brings its work here'
job=$(cat "$dir/place")
exit_is 0 'host down' afw host down --yes slurm
ends "$job"

# A job that cannot begin yet.
sed -i 's/^options.*/options = --exclusive --begin=now+1hour\nup_timeout = 2s/' \
	"$XDG_CONFIG_HOME/afw/afw.ini"
run afw host up slurm
is "$code" 7 'a job that does not begin: up_timeout'
like "$err" 'queued in slurm: [0-9]+ PENDING BeginTime' 'with the reason'
exit_is 0 'host down' afw host down --yes slurm
is "$(squeue --noheader --user afwtest --states PENDING,RUNNING)" '' 'cancels it'

sed -i 's/^options.*/options = --partition=none/' "$XDG_CONFIG_HOME/afw/afw.ini"
refused 1 'slurm refuses: sbatch: error: .*[Ii]nvalid partition' 'a cluster that refuses' \
	afw host up slurm
for tool in sh dirname cut cat ssh-keygen; do
	ln -s "$(command -v $tool)" "$T/bin/"
done
refused 1 'slurm refuses: .*sbatch: .*not found' 'no sbatch' \
	env PATH="$T/bin" "$BUILD/afw" host up slurm
done_testing
