import { pullEvents } from '@aos/contracts';
import { RpcClient, ServiceClient } from '@aos/messaging';
import { KeyRing } from '@aos/secrets';
import { startService, type RunningService } from '@aos/service';
import {
  createTestDatabase,
  createWidget,
  eventually,
  fixtureService,
  startTestClient,
  tallyWidgets,
  testConfig,
  testEnvironment,
  type TestClient,
  type TestDatabase,
} from '../src/index.js';
import { principal } from './fixture-calls.js';

/** A service that consumes events of `fixture`, and may therefore pull them. */
const role = 'fixture-consumer';

describe('requests of a role that is not the gateway', () => {
  let database: TestDatabase;
  let environment: Record<string, string>;
  let service: RunningService;
  let client: TestClient;
  let rpc: RpcClient;
  let stream: string;

  beforeAll(async () => {
    database = await createTestDatabase([fixtureService]);
    environment = testEnvironment({ DATABASE_URL: database.url, RPC_TIMEOUT_MS: '2000' });
    service = await startService(fixtureService, testConfig(environment));
    client = startTestClient(environment);
    rpc = rpcOf(role);
    stream = client.connections.key('rpc', 'fixture', role);
  });

  afterAll(async () => {
    rpc?.close();
    client?.close();
    await service?.close();
    await database?.drop();
  });

  function rpcOf(caller: string): RpcClient {
    return new RpcClient({
      connections: client.connections,
      keyRing: KeyRing.parse(environment['SECRETS_KEYS']!),
      role: caller,
      timeoutMs: 2_000,
    });
  }

  /** Puts a request into the stream of the role, as a process that was broken into could, and waits until it is gone. */
  async function forge(name: string, body: object, replyTo: string): Promise<void> {
    const { shared } = client.connections;
    const head = { id: 1, replyTo, name, waitMs: 10_000 };
    await shared.xadd(stream, '*', 'h', JSON.stringify(head), 'b', JSON.stringify(body));
    await eventually(async () => expect(await shared.xlen(stream)).toBe(0));
  }

  const ownChannel = () => client.connections.key('rpc-reply', 'fixture', role, 'process');

  async function widgets(): Promise<number> {
    return (await client.services.call(tallyWidgets, {})).widgets;
  }

  it('are answered if their contract names the role', async () => {
    const answer = await new ServiceClient(rpc).call(
      pullEvents,
      { after: 0, limit: 1 },
      { service: 'fixture' },
    );
    expect(answer.events).toEqual([]);
  });

  it('are dropped if it does not', async () => {
    await expect(new ServiceClient(rpc).call(tallyWidgets, {})).rejects.toThrow(
      'The fixture service did not answer in time.',
    );
  });

  it('are dropped if they are operations, whatever principal they bring', async () => {
    const envelope = { principal, params: {}, query: {}, body: { name: 'forged' } };
    await forge(createWidget.operationId, envelope, ownChannel());
    expect(await widgets()).toBe(0);
    // In the stream of clients the same request is done.
    const { shared } = client.connections;
    const ofClients = client.connections.key('rpc', 'fixture');
    const head = { id: 1, replyTo: ownChannel(), name: createWidget.operationId, waitMs: 10_000 };
    await shared.xadd(ofClients, '*', 'h', JSON.stringify(head), 'b', JSON.stringify(envelope));
    await eventually(async () => expect(await widgets()).toBe(1));
  });

  it('are dropped if their answer would go to another', async () => {
    const heard: string[] = [];
    const subscriber = client.connections.connect('listener');
    const channel = client.connections.key('rpc-reply', 'fixture', 'gateway', 'process');
    subscriber.on('message', (_, message: string) => heard.push(message));
    await subscriber.subscribe(channel);
    await forge(pullEvents.name, { after: 0, limit: 1 }, channel);
    await client.connections.shared.publish(channel, 'the last');
    await eventually(() => expect(heard).toEqual(['the last']));
    subscriber.disconnect();
  });

  it('refuse an answer in the clear where whoever has the keys would have sealed it', async () => {
    const { shared } = client.connections;
    const asked = client.connections.key('rpc', 'silent');
    const forged = async (id: number, isAnswerSealed: boolean) => {
      const call = rpc.request({ service: 'silent', name: 'late', payload: {}, isAnswerSealed });
      const outcome = call.then(
        ({ body }) => body,
        (error: Error) => error.message,
      );
      await eventually(async () => expect(await shared.xlen(asked)).toBe(id));
      const [, fields] = (await shared.xrevrange(asked, '+', '-', 'COUNT', 1))[0]!;
      const head = JSON.parse(fields[1]!) as { id: number; replyTo: string };
      await shared.publish(head.replyTo, `${JSON.stringify([[{ id: head.id }, 6]])}\n"mine"`);
      return outcome;
    };
    expect(await forged(1, false)).toBe('"mine"');
    expect(await forged(2, true)).toBe('An answer of the silent service was not sealed.');
  });

  it('are answered by nobody but the service that was asked', async () => {
    const { shared } = client.connections;
    const asked = client.connections.key('rpc', 'patient');
    const call = rpc.request({ service: 'patient', name: 'late', payload: {} });
    await eventually(async () => expect(await shared.xlen(asked)).toBe(1));
    const [, fields] = (await shared.xrange(asked, '-', '+'))[0]!;
    const head = JSON.parse(fields[1]!) as { id: number; replyTo: string };
    // The channels of other services, on which they may publish.
    await new ServiceClient(rpc).call(pullEvents, { after: 0, limit: 1 }, { service: 'fixture' });
    const ofFixture = head.replyTo.replace(':patient:', ':fixture:');
    const answerOn = (channel: string, text: string) =>
      shared.publish(channel, `${JSON.stringify([[{ id: head.id }, text.length]])}\n${text}`);
    const waitsAt = `${ofFixture.replace(':rpc-reply:', ':rpc-answer:')}:1`;
    await shared.set(waitsAt, 'forged', 'EX', 600);
    expect(await answerOn(ofFixture, 'forged')).toBe(1);
    await shared.publish(ofFixture, `${JSON.stringify([[{ id: head.id, waitsAt }, 0]])}\n`);
    await eventually(async () => expect(await shared.exists(waitsAt)).toBe(0));
    expect(await answerOn(head.replyTo, 'true')).toBe(1);
    expect((await call).body).toBe('true');
  });

  it('go where replicas of the version before look while no other has made their stream', async () => {
    const { shared } = client.connections;
    const call = rpc.request({ service: 'nobody', name: 'late', payload: {} }).catch(() => undefined);
    const former = client.connections.key('rpc', 'nobody');
    await eventually(async () => expect(await shared.xlen(former)).toBe(1));
    expect(await shared.exists(client.connections.key('rpc', 'nobody', role))).toBe(0);
    await call;
    // A caller takes back what it no longer waits for, there as well.
    await eventually(async () => expect(await shared.xlen(former)).toBe(0));
  });
});
