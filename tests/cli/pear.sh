# pear.sh - a session of the fake agent pear-agent, which the user's afw.ini
# describes as afw-adapters(5) does, with its limits.
afw_env
make_repo "$T/repo"
cd "$T/repo" || exit 2
mkdir -p "$T/bin" "$XDG_CONFIG_HOME/afw"
ln -s "$ROOT/tests/cli/pear-agent" "$T/bin/pear"
export PATH="$T/bin:$PATH" PEAR_LOG=$T/log
sed -n '/^\[harness\.pear\]$/,/^\.Ed/{/^\.Ed/!p}' "$ROOT/man/afw-adapters.5" \
	>"$XDG_CONFIG_HOME/afw/afw.ini"
cat >>"$XDG_CONFIG_HOME/afw/afw.ini" <<'END'
limited = ^! (.*)$
limited_option = ^\(([1-9])\) Keep the model$
waiting = ^(Which model\?)$
approval = ^(.*[?]) [(]y/n[)]$
prompt = ^You:
END

limit_of() { afw status "$1" --json >"$T/.status" && json "$2" "$T/.status"; }
sent_on() { grep -cx 'Please go on where you stopped\.' "$T/log"; }
