// `npm run bench`: figures of the product in production mode, each beside a baseline from the same run. `npm run bench --
// cases billing` measures these alone; with `--profile` each process leaves a CPU profile.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measureBilling } from './billing-path.js';
import { measureCases } from './case-path.js';
import { measureConsole } from './console-path.js';
import { measureFairness } from './fair-path.js';
import { measureForms } from './forms-path.js';
import { measureMcp } from './mcp-path.js';
import { measureStart } from './product-start.js';
import { profileFolder, wantsProfiles } from './profiles.js';
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

const named = process.argv.slice(2).filter((name) => name !== wantsProfiles);
const unknown = named.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}.`);
  process.exit(64);
}
if (named.length === 0) {
  console.log('Measuring; this takes about fifteen minutes and wants the machine for itself.');
}
const figures: Figure[] = [];
for (const [name, measure] of Object.entries(parts)) {
  if (named.length === 0 || named.includes(name)) figures.push(...(await measure()));
}
printReport(figures);
if (profileFolder) console.log(`\nThe profiles are in ${profileFolder}.`);
