// A child: drives one address with a number of connections and reports throughput and latency.
import autocannon from 'autocannon';
import { childInput } from './children.js';
import type { HttpLoad, HttpLoadResult } from './http-load.types.js';

const { url, method = 'GET', headers, body, connections, seconds } = childInput<HttpLoad>();
const result = await autocannon({ url, method, headers, body, connections, duration: seconds });
if (result.non2xx > 0 || result.errors > 0) {
  throw new Error(`${url}: ${result.non2xx} answers other than 2xx, ${result.errors} errors`);
}
const report: HttpLoadResult = {
  perSecond: result.requests.average,
  p50Ms: result.latency.p50,
  p99Ms: result.latency.p99,
};
process.send!(report);
