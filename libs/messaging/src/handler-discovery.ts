import type { BusEvent, JobDefinition } from '@aos/contracts';
import { noteActivity, Tracing, type Histogram, type Metrics } from '@aos/platform';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { consumedBy, type Consumed, type EventStatement } from './events/consumes.js';
import { handleTraced } from './events/traced-events.js';
import { processedBy } from './jobs/processes.js';

type Method = (...args: never[]) => unknown;
type Work = (...args: never[]) => Promise<void>;
type BatchHandle = (events: readonly BusEvent[]) => Promise<void>;
/** Makes a statement; resolves when it is made. */
type Perform = (statement: EventStatement) => Promise<void>;

export interface DiscoveredHandlers {
  /** One that only tells what is to be done has it done by what it is given besides the events. */
  readonly events: readonly (Consumed & {
    readonly handle: (events: never, perform: Perform) => Promise<void>;
  })[];
  readonly jobs: readonly { readonly job: JobDefinition; readonly process: Work }[];
}

/** What is told of batches of events. */
export interface HandlerWatch {
  readonly tracing?: Tracing;
  readonly metrics?: Metrics;
}

/** Finds every method that `@Consumes` and its like and `@Processes` have marked. */
export function discoverHandlers(
  discovery: DiscoveryService,
  scanner: MetadataScanner,
  { tracing = Tracing.off, metrics }: HandlerWatch = {},
): DiscoveredHandlers {
  const lag = lagOf(metrics);
  const events: DiscoveredHandlers['events'][number][] = [];
  const jobs: DiscoveredHandlers['jobs'][number][] = [];
  const wrappers = [...discovery.getProviders(), ...discovery.getControllers()];
  // One object can be provided under several names.
  for (const instance of new Set(wrappers.map((wrapper) => wrapper.instance as unknown))) {
    if (typeof instance !== 'object' || instance === null) continue;
    const object = instance as Record<string, Method>;
    for (const name of scanner.getAllMethodNames(Object.getPrototypeOf(object) as object)) {
      const method = object[name]!;
      const consumed = consumedBy(method);
      if (consumed)
        events.push({ ...consumed, handle: watched(tracing, lag, handling(consumed, method.bind(object))) });
      const processed = processedBy(method);
      if (processed) jobs.push({ job: processed, process: method.bind(object) as Work });
    }
  }
  return { events, jobs };
}

/** Most methods do what is to be done; what others give is a statement, and done when that is made. */
function handling({ isStatement }: Consumed, method: Method): (perform: Perform) => BatchHandle {
  const handle = method as (events: readonly BusEvent[]) => unknown;
  return (perform) => async (events) => {
    const given = await handle(events);
    if (isStatement && given) await perform(given as EventStatement);
  };
}

function watched(
  tracing: Tracing,
  lag: Histogram<'source'> | undefined,
  handle: (perform: Perform) => BatchHandle,
): DiscoveredHandlers['events'][number]['handle'] {
  return async (events: readonly BusEvent[], perform) => {
    noteActivity();
    await handleTraced(tracing, 'process', events, handle(perform));
    const [oldest] = events;
    if (oldest) lag?.observe({ source: oldest.meta.source }, ageSeconds(oldest.created_at));
  };
}

/** From a few milliseconds to the hours of a consumer that was away. */
const lagBuckets = [0.05, 0.25, 1, 5, 30, 300, 3_600];

function lagOf(metrics: Metrics | undefined): Histogram<'source'> | undefined {
  return metrics?.histogram({
    name: 'aos_event_lag_seconds',
    help: 'Age of the oldest event of a batch when it was handled, by the service it came from',
    labelNames: ['source'],
    buckets: lagBuckets,
  });
}

function ageSeconds(at: string): number {
  return Math.max(0, (Date.now() - Date.parse(at)) / 1_000);
}
