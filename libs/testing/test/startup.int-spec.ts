import {
  defineEvent,
  defineInternalCall,
  defineJob,
  defineOperation,
  type ContractTable,
  type ServiceName,
  type TypedBusEvent,
} from '@aos/contracts';
import { Consumes } from '@aos/events';
import { Handles, HandlesInternal, Processes } from '@aos/messaging';
import { defineService, startService } from '@aos/service';
import { Controller, Injectable, Module, type Type } from '@nestjs/common';
import { z } from 'zod';
import { createTestDatabase, eventually, fixtureTable, testConfig, type TestDatabase } from '../src/index.js';

const owner = 'probe' as ServiceName;

const operation = defineOperation({
  operationId: 'probeThing',
  method: 'POST',
  path: '/v2/things',
  tag: 'Teams',
  summary: 'Probe',
  owner,
  scope: 'agents:write',
  status: 200,
  response: z.object({}),
});
const call = defineInternalCall({
  name: 'probe.call',
  owner,
  callers: [],
  request: z.object({}),
  response: z.object({}),
});
const event = defineEvent({
  name: 'probe.happened',
  source: 'fixture',
  visibility: 'internal',
  data: z.object({}),
  consumers: [owner],
});
const job = defineJob({
  name: 'probe-job',
  owner,
  payload: z.object({}),
  attempts: 1,
  backoff: { firstMs: 1, maxMs: 1 },
  concurrency: 1,
});

@Controller()
class OperationHandler {
  @Handles(operation)
  async handle(): Promise<Record<string, never>> {
    return {};
  }
}

@Controller()
class SecondOperationHandler extends OperationHandler {}

@Controller()
class CallHandler {
  @HandlesInternal(call)
  async handle(): Promise<Record<string, never>> {
    return {};
  }
}

@Controller()
class SecondCallHandler extends CallHandler {}

@Injectable()
class EventHandler {
  @Consumes(event)
  async handle(_events: readonly TypedBusEvent<typeof event>[]): Promise<void> {}
}

@Injectable()
class SecondEventHandler extends EventHandler {}

@Injectable()
class JobHandler {
  @Processes(job)
  async handle(): Promise<void> {}
}

@Injectable()
class SecondJobHandler extends JobHandler {}

interface Case {
  readonly what: string;
  readonly name: string;
  readonly declared: Partial<ContractTable>;
  readonly handler: Type;
  readonly second: Type;
  readonly kind: 'controllers' | 'providers';
}

const cases: Case[] = [
  {
    what: 'operation',
    name: operation.operationId,
    declared: { operations: [...fixtureTable.operations, operation] },
    handler: OperationHandler,
    second: SecondOperationHandler,
    kind: 'controllers',
  },
  {
    what: 'internal call',
    name: call.name,
    declared: { internalCalls: [...fixtureTable.internalCalls, call] },
    handler: CallHandler,
    second: SecondCallHandler,
    kind: 'controllers',
  },
  {
    what: 'event consumer',
    name: event.name,
    declared: { events: [...fixtureTable.events, event] },
    handler: EventHandler,
    second: SecondEventHandler,
    kind: 'providers',
  },
  {
    what: 'job',
    name: job.name,
    declared: { jobs: [...fixtureTable.jobs, job] },
    handler: JobHandler,
    second: SecondJobHandler,
    kind: 'providers',
  },
];

describe.each(cases)('the start of a service whose $what', ({ name, declared, handler, second, kind }) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase([]);
  });

  afterAll(async () => {
    await database?.drop();
  });

  const start = async (table: Partial<ContractTable>, handlers: readonly Type[]) => {
    @Module({ [kind]: handlers })
    class ProbeModule {}
    const definition = defineService({
      name: 'probe',
      table: { ...fixtureTable, ...table },
      model: { entities: [], tables: [] },
      modules: [ProbeModule],
    });
    const service = await startService(definition, testConfig({ DATABASE_URL: database.url }));
    await service.close();
  };

  it('has one handler succeeds', async () => {
    await expect(start(declared, [handler])).resolves.toBeUndefined();
  });

  it('has no handler fails and names it', async () => {
    await expect(start(declared, [])).rejects.toThrow(
      `probe needs exactly one handler: ${name} has no handler`,
    );
  });

  it('has two handlers fails and names it', async () => {
    await expect(start(declared, [handler, second])).rejects.toThrow(`${name} has two handlers`);
  });

  it('is not declared fails and names it', async () => {
    await expect(start({}, [handler])).rejects.toThrow(`${name} is not declared`);
  });

  it('leaves no connection behind when it fails', async () => {
    await expect(start(declared, [])).rejects.toThrow();
    // Postgres takes a moment to end a session that was closed.
    await eventually(async () => {
      const sessions = await database.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'probe'`,
      );
      expect(sessions).toEqual([]);
    });
  });
});
