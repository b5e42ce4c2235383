/*
 * limits.js - what the services answer at a usage limit that ends at a time (ms
 * since 1970): the status, the headers and the body that the agents read.
 */
function refuse(res, headers, body)
{
	res.writeHead(429, { 'content-type': 'application/json', ...headers });
	res.end(JSON.stringify(body));
}

const services = {
	/* A subscription's five hours. */
	anthropic: (reset, seconds, res) => refuse(res, {
		'retry-after': `${seconds}`, 'x-should-retry': 'false',
		'anthropic-ratelimit-unified-status': 'rejected',
		'anthropic-ratelimit-unified-reset': `${reset}`,
		'anthropic-ratelimit-unified-representative-claim': 'five_hour',
		'anthropic-ratelimit-unified-5h-status': 'rejected',
		'anthropic-ratelimit-unified-5h-reset': `${reset}`,
		'anthropic-ratelimit-unified-5h-utilization': '1.0',
		'anthropic-ratelimit-unified-7d-status': 'allowed',
		'anthropic-ratelimit-unified-7d-reset': `${reset + 259200}`,
		'anthropic-ratelimit-unified-7d-utilization': '0.4',
		'anthropic-ratelimit-unified-overage-status': 'rejected',
		'anthropic-ratelimit-unified-overage-disabled-reason':
			'org_level_disabled',
	}, { type: 'error', error: { type: 'rate_limit_error', message:
		"This request would exceed your account's rate limit." } }),
	responses: (reset, seconds, res) => refuse(res, {
		'x-codex-primary-used-percent': '100',
		'x-codex-primary-window-minutes': '300',
		'x-codex-primary-reset-after-seconds': `${seconds}`,
		'x-codex-primary-reset-at': `${reset}`,
		'x-codex-secondary-used-percent': '40',
		'x-codex-secondary-window-minutes': '10080',
		'x-codex-secondary-reset-after-seconds': '300000',
		'x-codex-secondary-reset-at': `${reset + 300000}`,
	}, { error: { type: 'usage_limit_reached', plan_type: 'plus',
		message: 'The usage limit has been reached',
		resets_at: reset, resets_in_seconds: seconds } }),
	chat: (reset, seconds, res) => refuse(res,
		{ 'retry-after': `${seconds}` }, { error: {
			type: 'rate_limit_error',
			message: `Usage limit reached. Resets in ${seconds}s.` } }),
};

module.exports = (format, end, res) => services[format](Math.ceil(end / 1000),
	Math.ceil((end - Date.now()) / 1000), res);
