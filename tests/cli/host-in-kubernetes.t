#!/bin/bash
# afw -H with the engine kubernetes, with a stand-in for kubectl: it has one pod,
# whose sshd is a real one of this machine, and keeps to the words that kubectl
# 1.32 accepts.
. "$(dirname "$0")/../lib.sh"
afw_env
. "$ROOT/tests/box.sh"

real=$(command -v kubectl)
mkdir -p "$XDG_CONFIG_HOME/afw"
config=$XDG_CONFIG_HOME/afw/afw.ini
cat >"$T/bin/kubectl" <<END
#!/bin/bash
echo "\$*" >>"$T/calls"
[ "\$1 \$2" = '--namespace agents' ] || exit 1
[ ! -e "$T/refuse" ] || { cat "$T/refuse" >&2; exit 1; }
shift 2
case "\$*" in
*\$'\n'*) echo 'error: several lines' >&2; exit 1 ;;
'delete pod afw-'*' --ignore-not-found --wait=true') rm -f "$T/pod" "$T/status" ;;
'delete --ignore-not-found --wait=false pod/afw-'*' pvc/afw-'*)
	rm -f "$T/pod" "$T/status" "$T/volume" ;;
'apply --filename -') tee "$T/pod" >"$T/volume"; echo Running >"$T/status" ;;
'get pod afw-'*' --ignore-not-found --output jsonpath='*)
	[ ! -e "$T/status" ] || cat "$T/status" ;;
'exec --quiet --stdin afw-'*' -- afw-sshd '*)
	echo "ssh-ed25519 \${*: -1}" >"$T/box/pod-key"
	exec env AF_TEST_ID=$T $sshd -i -f "$T/box/sshd-pod" ;;
*) echo "error: unknown: \$*" >&2; exit 1 ;;
esac
END
chmod +x "$T/bin/kubectl"
# The user of the pod is not one of this machine.
cp -r "$ROOT/share/hosts" "$T/hosts"
sed "s|^user = agent||; s|{share}|$T/hosts|g" "$ROOT/share/hosts/kubernetes.ini" \
	>"$T/kubernetes.ini"
mkdir "$XDG_CONFIG_HOME/afw/hosts"
cp "$T/kubernetes.ini" "$XDG_CONFIG_HOME/afw/hosts/"
sed "s|^AuthorizedKeysFile.*|AuthorizedKeysFile $T/box/pod-key|" "$T/box/sshd" \
	>"$T/box/sshd-pod"
printf '[host.k8s]\nengine = kubernetes\nimage = registry.example/afw-host:1\noptions = --namespace agents\n' \
	>"$config"
make_repo "$T/proj"
cd "$T/proj" || exit 2

export AFW_TEST_SECRET=topsecret
exit_is 0 'new' afw -H k8s new one -e KEY=hidden -- sh -c 'echo "<$KEY>"; cat'
waits_for 'afw -H k8s logs one | grep -q "<hidden>"' 'makes a pod, with the session in it'
like "$(cat "$T/pod")" 'image: "registry.example/afw-host:1"' 'of the image'
like "$(cat "$T/pod")" 'automountServiceAccountToken: false' 'without a token'
unlike "$(cat "$T/pod" "$T/calls")" 'hidden|topsecret|@[A-Z]' 'and no secret in it'
if [ -n "$real" ]; then
	exit_is 0 'kubectl can read it' "$real" label --local --filename "$T/pod" \
		--output name a=b
	is "$out" $'persistentvolumeclaim/afw-k8s\npod/afw-k8s' 'as a volume and a pod'
	# What the recipe asks for, of an object in a file.
	said()
	{
		local path
		path=$(sed -n 's/.*"\(jsonpath=.*\)"$/\1/p' "$T/kubernetes.ini")
		{
			sed '1,/^---/d' "$T/pod"
			printf 'status:\n%s\n' "$1"
		} >"$T/status.yaml"
		"$real" label --local --filename "$T/status.yaml" --output "$path" a=b
	}
	like "$(said '  phase: Running')" '^Running *$' 'the state of a pod'
	like "$(said '  {phase: Failed, reason: Evicted, message: The node was low}')" \
		'^Failed Evicted The node was low *$' 'of an evicted one'
	like "$(said '  phase: Pending
  conditions: [{type: PodScheduled, status: "False", reason: Unschedulable, message: no nodes}]')" \
		'^Pending +no nodes$' 'of one that cannot be placed'
	like "$(said '  phase: Pending
  containerStatuses: [{name: afw, state: {waiting: {reason: ImagePullBackOff}}}]')" \
		'^Pending +ImagePullBackOff *$' 'and of one without an image'
else
	skip 6 'no kubectl here'
fi
exit_is 0 'exec' afw -H k8s exec one -- \
	sh -c 'echo x >file; git add file; git commit -qm work'
exit_is 0 'fetch' afw -H k8s fetch one
is "$(git log -1 --format=%s af/one)" work 'brings its work here'

hang_up
for socket in "$XDG_RUNTIME_DIR"/afw/ssh-*; do
	[ ! -S "$socket" ] || ssh -oControlPath="$socket" -O exit k8s 2>"$T/null"
done
echo 'Failed Evicted The node was low on resource: memory.' >"$T/status"
refused 6 'host k8s is lost: kubernetes afw-k8s: Failed Evicted The node was low' \
	'an evicted pod' afw -H k8s ls
echo 'Pending   0/3 nodes are available: 3 Insufficient cpu.' >"$T/status"
refused 6 'k8s is queued: Pending +0/3 nodes are available' 'a pod that cannot be placed' \
	afw -H k8s ls
rm "$T/status"
exit_is 0 'resume makes another' afw -H k8s start one
exit_is 0 'host down' afw host down --yes k8s
is "$(ls "$T/volume" 2>&1 | grep -c 'No such')" 1 'deletes the pod and its volume'

echo 'Error from server (Forbidden): pods is forbidden: User "x" cannot create' >"$T/refuse"
refused 1 'kubernetes refuses: Error from server \(Forbidden\)' 'a cluster that refuses' \
	afw host up k8s
sed -i 's|^image.*|image = x"; touch y|' "$config"
rm "$T/refuse"
refused 1 'not a name' 'an image that is no name' afw host up k8s
sed -i 's|^image.*|image = x|' "$config"
mkdir "$T/few"
for tool in sh cat sed ssh-keygen; do
	ln -s "$(command -v $tool)" "$T/few/"
done
refused 1 'kubernetes refuses: .*kubectl.*not found' 'no kubectl' \
	env PATH="$T/few" "$BUILD/afw" host up k8s
box_end
done_testing
