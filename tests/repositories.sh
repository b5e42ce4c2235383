# repositories.sh - the kinds of repositories that tests use. Source it after
# afw_env.
#
#	make_KIND               makes one in the current directory, which is empty;
#	                        repo is the directory that afw is run in, and has
#	                        main checked out
#	make_origin FILE...     makes $T/origin, as make_repo does
#	clone NAME [OPTION...]  clones it as $T/NAME/r, and goes there

git config --global protocol.file.allow always
git config --global uploadpack.allowFilter true
git config --global uploadpack.allowAnySHA1InWant true

make_origin()
{
	make_repo "$T/origin" "$@"
}

clone()
{
	mkdir "$T/$1"
	git clone -q "${@:2}" "file://$T/origin" "$T/$1/r" 2>/dev/null
	cd "$T/$1/r" || exit 2
}

base()
{
	make_repo "$PWD/$1" README dir/a dir/b gone out/side 'dir/ä ö' &&
		repo=$PWD/$1
}

source_of_clones()
{
	base src && git -C src config gc.auto 0
}

make_plain() { base proj; }
make_dotted() { base .dotfiles; }
make_spaces() { base 'päth with späces'; }
make_module()
{
	base src && git init -q super &&
		git -C super submodule --quiet add "$PWD/src" lib/sub &&
		git -C super commit -q -m sub && repo=$PWD/super/lib/sub
}
make_dot_bare()
{
	base src && git clone -q --bare src proj/.bare &&
		echo 'gitdir: ./.bare' >proj/.git &&
		git -C proj worktree add -q main main && repo=$PWD/proj/main
}
make_bare_beside()
{
	base src && git clone -q --bare src proj.git &&
		git -C proj.git worktree add -q ../main main && repo=$PWD/main
}
make_bare_git()
{
	base src && git clone -q --bare src proj/.git &&
		git -C proj/.git worktree add -q ../main main &&
		repo=$PWD/proj/main
}
make_separate()
{
	base src && mkdir git &&
		git clone -q --separate-git-dir "$PWD/git/proj" src wt &&
		repo=$PWD/wt
}
make_core_worktree()
{
	make_separate && git -C wt config core.worktree "$PWD/wt"
}
make_shallow()
{
	base src && git -C src commit -q --allow-empty -m two &&
		git clone -q --depth 1 "file://$PWD/src" proj &&
		repo=$PWD/proj
}
make_detached() { base proj && git -C proj checkout -q --detach; }
make_inside()
{
	base proj && mkdir -p proj/build config/afw &&
		echo "worktree_location = $PWD/proj/build" >config/afw/afw.ini &&
		export XDG_CONFIG_HOME=$PWD/config
}
make_parent()
{
	git init -q . && base sub && echo sub >.gitignore &&
		git add .gitignore && git commit -q -m dotfiles
}
make_ignorecase() { base proj && git -C proj config core.ignoreCase true; }
make_autocrlf()
{
	base proj && git -C proj config core.autocrlf true &&
		rm -r proj/README proj/dir && git -C proj checkout -q .
}
make_shared()
{
	base proj && git -C proj config core.sharedRepository group
}
make_ff_false() { base proj && git -C proj config merge.ff false; }
make_ff_only() { base proj && git -C proj config merge.ff only; }
make_sparse()
{
	source_of_clones && git clone -q src proj &&
		git -C proj sparse-checkout set --cone dir && repo=$PWD/proj
}
make_partial()
{
	source_of_clones &&
		git clone -q --filter=blob:none --sparse "file://$PWD/src" proj &&
		git -C proj sparse-checkout set --cone dir && repo=$PWD/proj
}
make_bare_sparse()
{
	make_dot_bare && git -C proj/main sparse-checkout set --cone dir
}

# -- that afw cannot use ------------------------------------------------------

make_empty() { git init -q empty && repo=$PWD/empty; }
make_orphan() { base proj && git -C proj checkout -q --orphan other; }
make_not_utf8() { base $'p\xffth'; }
make_not_utf8_below() { base proj && mkdir $'proj/d\xffr' && repo+=/$'d\xffr'; }
make_sha256()
{
	git init -q --object-format=sha256 sha && repo=$PWD/sha &&
		git -C sha commit -q --allow-empty -m first
}
make_reftable()
{
	git init -q --ref-format=reftable ref 2>/dev/null ||
		{ base ref && git -C ref config core.repositoryFormatVersion 1 &&
			git -C ref config extensions.refStorage reftable; }
	repo=$PWD/ref
}
make_other_user() { base proj && chown -R 1234 proj; }
