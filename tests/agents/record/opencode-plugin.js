/* opencode-plugin.js - what OpenCode's events know, for the truth of a
 * recording (truth.js). Nothing to do with afw's own ears. Whatever is
 * exported here is taken for a plugin. */
import { appendFileSync } from 'fs';

export const truth = async () => ({
	event: async ({ event }) => {
		if (!/^(session\.(status|idle|error)|permission\.|question\.)/
			.test(event.type))
			return;
		appendFileSync(process.env.TRUTH, `${Date.now()} hook ${
			event.type} ${JSON.stringify(event.properties || {})}\n`);
	},
});
