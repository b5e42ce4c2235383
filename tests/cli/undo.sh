# undo.sh - for tests of afw undo and afw checkpoints. Sourced after afw_env:
#
#	$undo_agent		for `bash -c`: each line that it reads is a turn,
#				run as commands
#	number_of KIND TEXT	the last checkpoint of one of that kind, whose
#				message or files have TEXT
#	all_of DIR		everything that an undo restores: HEAD, the index,
#				the files and their modes

undo_agent='printf "\033]7501;state=idle\007"
while read -r line; do
	printf "\033]7501;state=working\007"
	eval "$line"
	printf "\033]7501;state=done\007"
done'

number_of()
{
	afw checkpoints one | grep " $1 .*$2" | tail -1 | awk '{ print $1 }'
}

all_of()
{
	(
		cd "$1" || exit
		git symbolic-ref HEAD
		git rev-parse HEAD
		git ls-files -s
		git status --porcelain
		find . -name .git -prune -o -printf '%P %y %m %l\n' | sort
		find . -name .git -prune -o -type f -print0 | sort -z |
			xargs -0r sha256sum
	)
}
