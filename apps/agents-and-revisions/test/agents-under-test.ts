import { ServiceClient } from '@aos/messaging';
import { defineService, loadServiceConfig, startService, type RunningService } from '@aos/service';
import { createTestDatabase, TeamCaller, testEnvironment, type TestDatabase } from '@aos/testing';
import { service } from '../src/index.js';

const tables = defineService({ name: service.name, model: service.model, modules: [] });

/** One more replica on the same stores. */
export function startReplica(environment: Record<string, string>): Promise<RunningService> {
  return startService(service, loadServiceConfig(service.name, service.configSchema, environment));
}

/** The service in this process on a database of its own, called over Redis as the gateway calls it. */
export interface AgentsUnderTest {
  readonly teamId: string;
  readonly database: TestDatabase;
  readonly environment: Record<string, string>;
  readonly running: RunningService;
  readonly services: ServiceClient;
  readonly call: TeamCaller['call'];
  stop(): Promise<void>;
}

export async function startAgents(): Promise<AgentsUnderTest> {
  const database = await createTestDatabase([tables]);
  const environment = testEnvironment({ DATABASE_URL: database.url });
  const running = await startReplica(environment);
  const services = running.app.get(ServiceClient);
  const { teamId, call } = new TeamCaller(services);
  return {
    teamId,
    services,
    call,
    database,
    environment,
    running,
    stop: async () => {
      await running.close();
      await database.drop();
    },
  };
}
