// `npm run bench`: figures of the product in production mode, each beside a baseline from the same run.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measureFairness } from './fair-path.js';
import { measureMcp } from './mcp-path.js';
import { measureStart } from './product-start.js';
import { measureRequests } from './read-path.js';
import { printReport } from './report.js';
import { measureRuns } from './run-path.js';
import { measureWebhooks } from './webhook-path.js';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
console.log('Measuring; this takes about seven minutes and wants the machine for itself.');
printReport([
  ...(await measureRequests()),
  ...(await measureMcp()),
  ...(await measureRuns()),
  ...(await measureFairness()),
  ...(await measureWebhooks()),
  ...(await measureStart(root)),
]);
