import type { EventDefinition } from '../declarations/event.js';
import { events } from '../events/index.js';
import type { InternalCall } from '../declarations/internal-call.js';
import { internalCalls } from '../internal-calls/index.js';
import type { JobDefinition } from '../declarations/job.js';
import { jobs } from '../jobs/index.js';
import type { Operation } from '../declarations/operation.js';
import { operations } from '../operations/index.js';

/** Everything that is declared, in one value, so that tests can add a service of their own to it. */
export interface ContractTable {
  readonly operations: readonly Operation[];
  readonly internalCalls: readonly InternalCall[];
  readonly events: readonly EventDefinition[];
  readonly jobs: readonly JobDefinition[];
}

export const contractTable: ContractTable = { operations, internalCalls, events, jobs };

/** The operations, events and jobs of one service: start-up fails unless each has exactly one handler. */
export function obligationsOf(service: string, table: ContractTable) {
  return {
    // Protocols that the gateway answers itself have no handler.
    operations: table.operations.filter(({ owner, kind }) => owner === service && kind !== 'rpc'),
    internalCalls: table.internalCalls.filter((call) => call.owner === undefined || call.owner === service),
    events: table.events.filter((event) => event.consumers.includes(service)),
    jobs: table.jobs.filter((job) => job.owner === service),
  };
}
