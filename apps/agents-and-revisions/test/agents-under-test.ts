import type { Operation, OperationResponse } from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import { defineService, loadServiceConfig, startService, type RunningService } from '@aos/service-host';
import { createTestDatabase, testEnvironment, type TestDatabase } from '@aos/testing';
import { uuidv7 } from 'uuidv7';
import { service } from '../src/index.js';

const tables = defineService({ name: service.name, model: service.model, modules: [] });

/** One more replica on the same stores. */
export function startReplica(environment: Record<string, string>): Promise<RunningService> {
  return startService(service, loadServiceConfig(service.name, service.configSchema, environment));
}

export interface Answer<O extends Operation> {
  readonly status: number;
  readonly body: OperationResponse<O> & { readonly error?: string; readonly message?: string };
  readonly replayed: boolean;
}

interface CallOptions {
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly body?: unknown;
  readonly key?: string;
  readonly teamId?: string;
}

/** The service in this process on a database of its own, called over Redis as the gateway calls it. */
export interface AgentsUnderTest {
  readonly teamId: string;
  readonly database: TestDatabase;
  readonly environment: Record<string, string>;
  readonly running: RunningService;
  call<O extends Operation>(operation: O, options?: CallOptions): Promise<Answer<O>>;
  stop(): Promise<void>;
}

export async function startAgents(): Promise<AgentsUnderTest> {
  const database = await createTestDatabase([tables]);
  const environment = testEnvironment({ DATABASE_URL: database.url });
  const running = await startReplica(environment);
  const client = running.app.get(ServiceClient);
  const teamId = uuidv7();
  return {
    teamId,
    database,
    environment,
    running,
    call: async (operation, options = {}) => {
      const principal = {
        kind: 'api_key' as const,
        credentialId: uuidv7(),
        teamId: options.teamId ?? teamId,
        scopes: ['*' as const],
      };
      const { params = {}, query = {}, body, key: idempotencyKey } = options;
      const answer = await client.callOperation(operation, {
        principal,
        params,
        query,
        body,
        idempotencyKey,
      });
      const parsed = (answer.body === '' ? undefined : JSON.parse(answer.body)) as never;
      return { status: answer.status, body: parsed, replayed: answer.replayed ?? false };
    },
    stop: async () => {
      await running.close();
      await database.drop();
    },
  };
}
