import { contractTable } from '@aos/contracts';
import { Outbox, type NewEvent } from '@aos/events';
import { Transactions } from '@aos/persistence';
import { loadServiceConfig, serviceConfigSchema, startService, type ServiceDefinition } from '@aos/service';

/** The log of a service without the service: what it records goes the way of all events. */
export interface EventLog {
  /** Each call is a transaction; gives the ids of the events. `beforeCommit` may hold it open. */
  record(events: readonly NewEvent[], beforeCommit?: () => Promise<void>): Promise<string[]>;
  stop(): Promise<void>;
}

/** Stands where another service would record events, with the real outbox and relay under its name. */
export async function startEventLog(name: string, environment: Record<string, string>): Promise<EventLog> {
  const definition: ServiceDefinition = {
    name,
    configSchema: serviceConfigSchema,
    model: { entities: [], tables: [] },
    modules: () => [],
    table: {
      operations: [],
      jobs: [],
      internalCalls: contractTable.internalCalls.filter(({ owner }) => owner === undefined),
      events: contractTable.events.map((event) => ({ ...event, consumers: [] })),
    },
  };
  const running = await startService(definition, loadServiceConfig(name, serviceConfigSchema, environment));
  const transactions = running.app.get(Transactions);
  const outbox = running.app.get(Outbox);
  return {
    record: (events, beforeCommit) =>
      transactions.run(async () => {
        const ids = await outbox.record(...events);
        await beforeCommit?.();
        return ids;
      }),
    stop: () => running.close(),
  };
}
