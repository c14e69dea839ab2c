import type { BusEvent, EventDefinition, JobDefinition } from '@aos/contracts';
import { Tracing } from '@aos/platform';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { consumedBy } from './events/consumes.js';
import { handleTraced } from './events/traced-events.js';
import { processedBy } from './jobs/processes.js';

type Method = (...args: never[]) => Promise<void>;
type BatchHandle = (events: readonly BusEvent[]) => Promise<void>;

export interface DiscoveredHandlers {
  readonly events: readonly { readonly events: readonly EventDefinition[]; readonly handle: Method }[];
  readonly jobs: readonly { readonly job: JobDefinition; readonly process: Method }[];
}

/** Finds every method that `@Consumes` and `@Processes` have marked. */
export function discoverHandlers(
  discovery: DiscoveryService,
  scanner: MetadataScanner,
  tracing = Tracing.off,
): DiscoveredHandlers {
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
      if (consumed) events.push({ events: consumed, handle: traced(tracing, method.bind(object)) });
      const processed = processedBy(method);
      if (processed) jobs.push({ job: processed, process: method.bind(object) });
    }
  }
  return { events, jobs };
}

function traced(tracing: Tracing, handle: (events: never) => Promise<void>): Method {
  return (events: never) => handleTraced(tracing, 'process', events, handle as BatchHandle);
}
