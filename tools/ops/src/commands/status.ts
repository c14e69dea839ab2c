import { ping, serviceNames } from '@aos/contracts';
import type { Command } from '../command.js';
import type { Product } from '../product.js';

const patienceMs = 3_000;
/** Longer than any of it takes while all is well. */
const lateSeconds = 30;

export const status: Command = {
  usage: 'status',
  help: 'Of each service: whether it answers, how late its events are, how many are dead; ends with 1 if one is not well',
  async run(product) {
    const rows = await Promise.all(serviceNames.map((service) => statusOf(product, service)));
    const failed = rows.some(({ answers, lag, dead }) => answers !== 'yes' || lag > lateSeconds || dead > 0);
    return { rows, failed };
  },
};

async function statusOf(product: Product, service: string) {
  const began = performance.now();
  const answers = await product
    .client()
    .call(ping, {}, { service, timeoutMs: patienceMs })
    .then(
      () => 'yes',
      () => 'NO',
    );
  const ms = Math.round(performance.now() - began);
  const [found] = await product.query<{ lag: number; dead: number; behind: string | null }>(
    service,
    `SELECT coalesce(round(extract(epoch FROM now() -
              (SELECT created_at FROM outbox_batch WHERE after IS NULL ORDER BY id LIMIT 1)))::int, 0) AS lag,
            (SELECT count(*)::int FROM dead_event) AS dead,
            (SELECT string_agg(source, ', ' ORDER BY source) FROM event_position
              WHERE lease_until IS NULL OR lease_until < now()) AS behind`,
  );
  const { lag, dead, behind } = found!;
  return { service, answers, ms: answers === 'yes' ? ms : null, lag, dead, 'logs nobody follows': behind };
}
