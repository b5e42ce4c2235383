# harnesses.sh - each agent as the recorder starts it. Sourced by record.
#
# harness_NAME makes its world and sets
#	ARGS	what it is started with so that it asks for permission
#	FREE	the same, but nothing is asked for
#	READY	what it prints when it can take a message (a JavaScript
#		pattern on the text without sequences)
#	AGAIN	the same when it is resumed, where that is not READY
#	ASKED	what is on its screen while it asks for permission
#	DIALOG	what it prints when it asks for trust; "": it does not
#	QUESTION	a tool call that asks the user something; "": it has none
#	QUEUES	it takes messages while it works
#	INTERRUPT	keys
#	harness_knew	a function that prints lines for $TRUTH, after the end
#	APPROVE, DENY	keys that answer a permission, where not Enter and Escape
# Its hooks (of the user's, not afw's) write to $TRUTH.

hook_json()
{
	local event sep=''
	printf '{'
	for event; do
		printf '%s"%s": [{"hooks": [{"type": "command", "command": "%s %s %s"}]}]' \
			"$sep" "$event" "$here/hook" "$TRUTH" "$event"
		sep=', '
	done
	printf '}'
}

harness_claude()
{
	. "$here/../claude.sh"
	claude_env
	make_repo "$T/repo"
	[ "$scenario" = first-run ] || claude_trusts "$T/repo"
	[ "$scenario" != limits ] || claude_subscriber
	mkdir -p "$HOME/.claude"
	printf '{"hooks": %s}' "$(hook_json SessionStart UserPromptSubmit \
		PreToolUse PermissionRequest PostToolUse Stop StopFailure)" \
		>"$HOME/.claude/settings.json"
	ARGS=("${ASKS[@]}")
	FREE=(--allowedTools Bash)
	READY='\? for shortcuts|manual mode|shift\+tab'
	ASKED='Do you want'
	DIALOG='trust'
	QUESTION='[[tool=AskUserQuestion:{"questions":[{"question":"Which colour?","header":"Colour","multiSelect":false,"options":[{"label":"Red","description":"warm"},{"label":"Blue","description":"cold"}]}]}]]'
	QUESTION_TEXT='Which colour'
	QUEUES=1
	INTERRUPT=Escape
}

harness_codex()
{
	. "$here/../codex.sh"
	codex_local
	echo 'request_max_retries = 1' >>"$HOME/.codex/config.toml"
	make_repo "$T/repo"
	[ "$scenario" = first-run ] || (cd "$T/repo" && afw trust -y >/dev/null)
	# Not on the command line: there they would replace afw's own.
	local event
	echo '[hooks]' >>"$HOME/.codex/config.toml"
	for event in UserPromptSubmit PreToolUse PermissionRequest PostToolUse Stop; do
		printf '%s = [{hooks=[{type="command",command="%s"}]}]\n' \
			"$event" "$here/hook $TRUTH $event"
	done >>"$HOME/.codex/config.toml"
	ARGS=("${ASKS[@]}" --dangerously-bypass-hook-trust)
	FREE=(-a never -s danger-full-access --dangerously-bypass-hook-trust)
	# It asks in its plan mode; or, with this, always.
	[ "$scenario" != question ] ||
		ARGS+=(--enable default_mode_request_user_input)
	# In its sandbox's place: what asks for more is refused with -a never.
	TOOL='exec_command:{"cmd":"%s"}'
	READY='Ask\s*Codex\s*to\s*do\s*anything'
	ASKED='Would you like to'
	DIALOG='Trust\s*this\s*folder'
	QUESTION='[[tool=request_user_input:{"questions":[{"id":"colour","header":"Colour","question":"Which colour?","options":[{"label":"Red","description":"warm"},{"label":"Blue","description":"cold"}]}]}]]'
	QUESTION_TEXT='Which colour'
	QUEUES=1
	INTERRUPT=Escape
}

harness_gemini()
{
	agent_env gemini 'Gemini CLI'
	mkdir "$HOME/.gemini"
	cat >"$HOME/.gemini/settings.json" <<-END
	{"security": {"auth": {"selectedType": "gemini-api-key"}},
	 "general": {"enableAutoUpdate": false},
	 "hooks": $(hook_json BeforeAgent AfterAgent BeforeTool AfterTool Notification)}
	END
	export GEMINI_API_KEY=k GOOGLE_GEMINI_BASE_URL=$MODEL
	make_repo "$T/repo"
	[ "$scenario" = first-run ] || (cd "$T/repo" && afw trust -y >/dev/null)
	ARGS=(--approval-mode=default)
	FREE=(--approval-mode=yolo)
	READY='Type\s*your\s*message'
	ASKED='Allow execution'
	DIALOG='trust\s*the\s*files'
	QUESTION='[[tool=ask_user:{"questions":[{"question":"Which colour?","header":"Colour","type":"choice","options":[{"label":"Red","description":"warm"},{"label":"Blue","description":"cold"}]}]}]]'
	QUESTION_TEXT='Which colour'
	QUEUES=1
	INTERRUPT=Escape
}

harness_opencode()
{
	agent_env opencode OpenCode
	cat >"$T/opencode.json" <<-END
	{"autoupdate": false, "share": "disabled",
	 "plugin": ["file://$here/opencode-plugin.js"],
	 "model": "local/model", "small_model": "local/model",
	 "permission": {"bash": "$([[ $scenario = tool-running ]] && echo allow || echo ask)", "edit": "ask"},
	 "provider": {"local": {"npm": "@ai-sdk/openai-compatible", "name": "Local",
	  "options": {"baseURL": "$MODEL/v1", "apiKey": "k"},
	  "models": {"model": {"name": "model",
	   "limit": {"context": 200000, "output": 8000}}}}}}
	END
	export OPENCODE_CONFIG=$T/opencode.json
	make_repo "$T/repo"
	ARGS=() FREE=()
	READY='Ask\s*anything'
	AGAIN='ctrl\+p\s*commands'
	ASKED='Permission required'
	DIALOG=''
	QUESTION='[[tool=question:{"questions":[{"question":"Which colour?","header":"Colour","options":[{"label":"Red","description":"warm"},{"label":"Blue","description":"cold"}]}]}]]'
	QUESTION_TEXT='Type your own answer'
	QUEUES=1
	INTERRUPT='Escape Escape'
}

# _section NAME READY ASKED: one that only a section describes (sections.sh).
_section()
{
	. "$here/../sections.sh"
	section_env "$1"
	make_repo "$T/repo"
	(cd "$T/repo" && afw trust -y >/dev/null)
	ARGS=("${ASKS[@]}") FREE=("${ASKS[@]}")
	READY=$2 ASKED=$3 DIALOG='' QUESTION='' QUEUES=1 INTERRUPT=Escape
}

harness_pi()
{
	_section pi '%/100k' ''
}

harness_copilot()
{
	_section copilot '/\s*commands' 'Do you want to run'
	FREE+=(--allow-all-tools)
	INTERRUPT='Escape Escape'
	# What its own record of the conversation says.
	harness_knew()
	{
		cat "$HOME"/.copilot/session-state/*/events.jsonl | node -e '
			for (const line of require("fs").readFileSync(0, "utf8")
				.split("\n").filter((l) => l)) {
				const { type, timestamp } = JSON.parse(line);
				if (/^(user\.message|permission\.requested|assistant\.turn_end|session\.error|abort)$/.test(type))
					console.log(`${Date.parse(timestamp)} journal ${type} {}`);
			}'
	}
}

harness_qwen()
{
	_section qwen 'Type\s*your\s*message' 'Allow execution of'
	FREE+=(--approval-mode=yolo)
}

harness_kilo()
{
	_section kilo 'Ask\s*anything' 'Permission required'
	[ "$scenario" != tool-running ] ||
		sed -i 's/"bash": "ask"/"bash": "allow"/' "$KILO_CONFIG"
	AGAIN='ctrl\+p\s*commands'
	INTERRUPT='Escape Escape'
	# It asks for a reason.
	DENY='Escape Enter'
}

harness_cline()
{
	_section cline 'What\s*can\s*I\s*do\s*for\s*you' 'Cline needs permission'
	FREE+=(--auto-approve true)
	AGAIN='Ask\s*anything'
	APPROVE=y DENY=n
}

harness_letta()
{
	_section letta 'Letta\s*Code\s*\[model\]' 'Run this command'
	FREE=(--backend 'local' -m lmstudio/model --permission-mode unrestricted)
}
