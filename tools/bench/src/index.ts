// `npm run bench`: figures of the product in production mode, each beside a baseline from the same run. `npm run bench --
// cases billing` measures these alone, `-- --peers` the product beside others; with `--profile` each process of the
// product leaves a CPU profile.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchWish } from './bench-wish.js';
import { measureBilling } from './billing-path.js';
import { measureCases } from './case-path.js';
import { measureConsole } from './console-path.js';
import { measureFairness } from './fair-path.js';
import { measureForms } from './forms-path.js';
import { measureMcp } from './mcp-path.js';
import { measureBesidePeers } from './peers/beside-peers.js';
import { measureStart } from './product-start.js';
import { profileFolder } from './profiles.js';
import { measureRequests } from './read-path.js';
import { printReport, type Figure } from './report.js';
import { measureRuns } from './run-path.js';
import { measureTools } from './tool-path.js';
import { measureWebhooks } from './webhook-path.js';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const parts: Readonly<Record<string, () => Promise<Figure[]>>> = {
  requests: measureRequests,
  mcp: measureMcp,
  runs: measureRuns,
  forms: measureForms,
  tools: measureTools,
  fairness: measureFairness,
  webhooks: measureWebhooks,
  cases: measureCases,
  billing: measureBilling,
  console: measureConsole,
  start: () => measureStart(root),
};

const wish = benchWish(process.argv.slice(2), Object.keys(parts));
if (typeof wish === 'string') {
  console.error(wish);
  process.exit(64);
}
if (wish.peers) process.exit(await measureBesidePeers(root, { isQuick: wish.quick }));
if (wish.parts.length === Object.keys(parts).length) {
  console.log('Measuring; this takes about fifteen minutes and wants the machine for itself.');
}
const figures: Figure[] = [];
for (const name of wish.parts) figures.push(...(await parts[name]!()));
printReport(figures);
if (profileFolder) console.log(`\nThe profiles are in ${profileFolder}.`);
