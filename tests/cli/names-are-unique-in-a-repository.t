#!/bin/bash
# A name is unique in its repository; elsewhere it is said as repository/NAME.
. "$(dirname "$0")/../lib.sh"
afw_env
make_repo "$T/web"
make_repo "$T/api"
git clone -q --bare "$T/api" "$T/core.git"

cd "$T/web" || exit 2
exit_is 0 'a name in one repository' afw new same -- sleep 1000
cd "$T/api" || exit 2
exit_is 0 'the same in another' afw new same -- sleep 1000
exit_is 0 'and one of its own' afw new other -- sleep 1000
cd "$T/core.git" || exit 2
exit_is 0 'and in a bare one' afw new same -- sleep 1000

exit_is 0 'ls' afw ls -q
is "$out" 'web/same
api/same
api/other
core/same' 'tells whose they are'
cd "$T/api" || exit 2
of()
{
	out=$(afw status "$1" --json)
	json repository
}
is "$(of same)" "$T/api" 'in a repository a name is its own'
is "$(of web/same)" "$T/web" 'the other one is called with its repository'
is "$(of core/same)" "$T/core.git" 'a bare one without .git'
cd "$T" || exit 2
exit_is 4 'elsewhere it is not clear' afw status same
like "$err" 'repository/NAME' 'and the hint says what is'
exit_is 0 'a name that is there once is clear anywhere' afw status other
exit_is 3 'one that is nowhere' afw status none
done_testing
