/*
 * limits.js - what the services answer at a limit that ends at a time (ms since
 * 1970): the status, the headers and the body that the agents read.
 *
 *	usage, week, model	of a subscription, and of one of its models
 *	rate			requests per minute
 *	busy			the server has too much to do
 *	credit			nothing left that is paid for
 *	login			the token is not valid any more
 */
function refuse(res, status, headers, body)
{
	res.writeHead(status, { 'content-type': 'application/json', ...headers });
	res.end(JSON.stringify(body));
}

const claims = { usage: 'five_hour', week: 'seven_day', model: 'seven_day_opus' };

function anthropic(kind, reset, seconds, res)
{
	const error = (status, type, message, headers = {}) => refuse(res, status,
		headers, { type: 'error', error: { type, message } });

	switch (kind) {
	case 'rate':
		return error(429, 'rate_limit_error', "This request would exceed " +
			"your organization's rate limit of 50 requests per minute.",
			{ 'retry-after': `${seconds}` });
	case 'busy':
		return error(529, 'overloaded_error', 'Overloaded');
	case 'credit':
		return error(400, 'invalid_request_error', 'Your credit balance ' +
			'is too low to access the Anthropic API. Please go to ' +
			'Plans & Billing to upgrade or purchase credits.');
	case 'login':
		return error(401, 'authentication_error', 'OAuth token has ' +
			'expired. Please obtain a new token or refresh your ' +
			'existing token.');
	}
	return error(429, 'rate_limit_error',
		"This request would exceed your account's rate limit.", {
		'retry-after': `${seconds}`, 'x-should-retry': 'false',
		'anthropic-ratelimit-unified-status': 'rejected',
		'anthropic-ratelimit-unified-reset': `${reset}`,
		'anthropic-ratelimit-unified-representative-claim': claims[kind],
		'anthropic-ratelimit-unified-5h-status':
			kind === 'usage' ? 'rejected' : 'allowed',
		'anthropic-ratelimit-unified-5h-reset': `${reset}`,
		'anthropic-ratelimit-unified-5h-utilization':
			kind === 'usage' ? '1.0' : '0.3',
		'anthropic-ratelimit-unified-7d-status':
			kind === 'usage' ? 'allowed' : 'rejected',
		'anthropic-ratelimit-unified-7d-reset': `${reset + 259200}`,
		'anthropic-ratelimit-unified-7d-utilization': '0.4',
		'anthropic-ratelimit-unified-overage-status': 'rejected',
		'anthropic-ratelimit-unified-overage-disabled-reason':
			'org_level_disabled',
	});
}

/* How much of a subscription's five hours is used. */
const used = (percent, reset, seconds) => ({
	'x-codex-primary-used-percent': `${percent}`,
	'x-codex-primary-window-minutes': '300',
	'x-codex-primary-reset-after-seconds': `${seconds}`,
	'x-codex-primary-reset-at': `${reset}`,
	'x-codex-secondary-used-percent': '40',
	'x-codex-secondary-window-minutes': '10080',
	'x-codex-secondary-reset-after-seconds': '300000',
	'x-codex-secondary-reset-at': `${reset + 300000}`,
});

function openai(kind, res)
{
	const error = (status, error) => refuse(res, status, {}, { error });

	switch (kind) {
	case 'busy':
		return error(503, { code: 'server_is_overloaded',
			type: 'server_error', message:
			'Our servers are currently overloaded. Please try again later.' });
	case 'credit':
		return error(429, { code: 'insufficient_quota',
			type: 'insufficient_quota', message: 'You exceeded your ' +
			'current quota, please check your plan and billing details.' });
	default:
		return error(401, { code: 'invalid_api_key',
			type: 'invalid_request_error', message:
			'Incorrect API key provided: k.' });
	}
}

function responses(kind, reset, seconds, res)
{
	if (kind !== 'usage')
		return openai(kind, res);
	return refuse(res, 429, used(100, reset, seconds),
		{ error: { type: 'usage_limit_reached', plan_type: 'plus',
			message: 'The usage limit has been reached',
			resets_at: reset, resets_in_seconds: seconds } });
}

function chat(kind, reset, seconds, res)
{
	if (kind !== 'usage' && kind !== 'rate')
		return openai(kind, res);
	return refuse(res, 429, { 'retry-after': `${seconds}` }, { error:
		kind === 'usage' ? { type: 'rate_limit_error', message:
			`Usage limit reached. Resets in ${seconds}s.` } :
		{ type: 'requests', code: 'rate_limit_exceeded', message:
			'Rate limit reached for model. Please try again in ' +
			`${seconds}s.` } });
}

function gemini(kind, reset, seconds, res)
{
	const error = (code, status, message, details = []) => refuse(res, code,
		{}, { error: { code, status, message, details } });
	/* For more than five minutes it would take another model. */
	const per = kind === 'rate' ? 'Minute' : 'Day', type =
		'type.googleapis.com/google.rpc.';

	if (kind === 'login')
		return error(401, 'UNAUTHENTICATED', 'Request had invalid ' +
			'authentication credentials.');
	if (kind === 'busy')
		return error(503, 'UNAVAILABLE', 'The model is overloaded.');
	return error(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.', [
		{ '@type': `${type}QuotaFailure`, violations: [{
			quotaMetric: 'generativelanguage.googleapis.com/' +
				'generate_content_free_tier_requests',
			quotaId: `GenerateRequestsPer${per}PerProjectPerModel-FreeTier`,
			quotaValue: '10' }] },
		{ '@type': `${type}RetryInfo`, retryDelay: `${Math.min(seconds, 34)}s` }]);
}

const services = { anthropic, responses, chat, gemini };

module.exports = {
	refuse: (format, kind, end, res) => services[format](kind,
		Math.ceil(end / 1000), Math.ceil((end - Date.now()) / 1000), res),
	/* The headers of an answer when that much is used (Codex). */
	near: (percent) => used(percent, Math.ceil(Date.now() / 1000) + 3600, 3600),
};
