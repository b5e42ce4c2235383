#!/bin/bash
# on_limit = wait with each kind of limit that has an end: its supervisor is killed,
# or the machine restarted, and each is sent on once. A limit without a time waits
# for the user.
. "$(dirname "$0")/../lib.sh"
. "$ROOT/tests/cli/pear.sh"
sed -i '1i on_limit = wait' "$XDG_CONFIG_HOME/afw/afw.ini"
sent_in() { afw logs "$1" | grep -c 'You: Please go on where you stopped'; }

declare -A words=(
	[usage]="You've hit your 5-hour limit. Resets in 9s"
	[week]="You've hit your weekly limit. Resets in 9s"
	[model]="You've hit your Opus limit. Resets in 9s"
	[rate]="Rate limit reached for model. Please try again in 9s"
	[busy]="529 Overloaded. Retrying in 9s"
)
declare -A names=([usage]='usage limit' [week]='weekly limit'
	[model]='limit of the model' [rate]='too many requests'
	[busy]='server overloaded')
for kind in "${!words[@]}"; do
	afw new "$kind" -a pear -m "error ${words[$kind]}" >/dev/null
done
afw new never -a pear -m 'error You have hit your usage limit. Try again later.' >/dev/null
for kind in "${!words[@]}"; do
	exit_is 0 "$kind" afw wait "$kind" --for limited -t 60s
	is "$(limit_of "$kind" limited)" "${names[$kind]}" 'is what it is'
	kill -KILL "$(state_of "$kind" supervisor_pid)"
done
for kind in "${!words[@]}"; do
	waits_for "afw status $kind | grep -q lost:" 'its supervisor is killed'
	# As after a restart of the machine.
	case $kind in
	usage | week)
		perl -pi -e 's/("boot_id":")[0-9a-f]{8}/${1}ffffffff/' \
			"$XDG_DATA_HOME/afw/sessions/$(limit_of $kind id)/state.json"
		;;
	esac
done
exit_is 0 'all are resumed' afw resume --all
for kind in "${!words[@]}"; do
	waits_for "[ \"\$(limit_of $kind limited)\" = null ]" "$kind goes on"
	is "$(sent_in $kind)" 1 'by one message'
done
is "$(sent_on)" 5 'each was sent on once'
is "$(limit_of never limited_by)" you 'without a time the user continues'
is "$(limit_of never limited_until)" null 'as it says'
is "$(sent_in never)" 0 'and nothing was sent'
done_testing
