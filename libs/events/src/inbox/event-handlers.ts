import type { BusEvent } from '@aos/contracts';
import { markedMethods } from '@aos/messaging';
import { noteActivity, type Metrics, type Tracing } from '@aos/platform';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { handleTraced } from '../streams/traced-events.js';
import { consumedBy, type EventStatement } from './consumes.js';
import type { EventHandler } from './event-dispatch.js';

/** From a few milliseconds to the hours of a consumer that was away. */
const lagBuckets = [0.05, 0.25, 1, 5, 30, 300, 3_600];

/** Finds the methods that `@Consumes` and its like have marked; each batch gets its spans and is observed. */
export function findEventHandlers(
  discovery: DiscoveryService,
  scanner: MetadataScanner,
  { tracing, metrics }: { readonly tracing: Tracing; readonly metrics: Metrics },
): EventHandler[] {
  const lag = metrics.histogram({
    name: 'aos_event_lag_seconds',
    help: 'Age of the oldest event of a batch when it was handled, by the service it came from',
    labelNames: ['source'],
    buckets: lagBuckets,
  });
  return markedMethods(discovery, scanner, consumedBy).map(({ mark, method }): EventHandler => {
    const handle = method as (events: readonly BusEvent[]) => unknown;
    return {
      ...mark,
      handle: async (events: readonly BusEvent[], perform) => {
        noteActivity();
        await handleTraced(tracing, 'process', events, async (traced) => {
          const given = await handle(traced);
          if (mark.isStatement && given) await perform(given as EventStatement);
        });
        const [oldest] = events;
        if (oldest) lag.observe({ source: oldest.meta.source }, ageSeconds(oldest.created_at));
      },
    };
  });
}

function ageSeconds(at: string): number {
  return Math.max(0, (Date.now() - Date.parse(at)) / 1_000);
}
