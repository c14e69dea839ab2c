import { eventually, startReceiver, type ReceiverAnswer, type WebhookReceiver } from '../src/index.js';

describe('the receiver of webhooks', () => {
  let receiver: WebhookReceiver;

  beforeEach(async () => {
    receiver = await startReceiver();
  });

  afterEach(() => receiver.close());

  const send = (id: string, body = '{}', path = '/') =>
    fetch(receiver.url(path), {
      method: 'POST',
      headers: { 'X-Service-Delivery': id, 'X-Service-Event': 'run.started', 'X-Extra': 'kept' },
      body,
    });

  const faultOf = (work: Promise<unknown>) =>
    work.then(
      () => 'answered',
      (error: { cause?: { code?: string } }) => error.cause?.code ?? 'unknown',
    );

  it('keeps what it is sent, byte for byte, and answers 200', async () => {
    const body = '{"b": 1,\n "a": "ä€"}';
    expect((await send('first', body, '/hooks?team=7')).status).toBe(200);
    expect(receiver.received).toEqual([
      {
        id: 'first',
        event: 'run.started',
        headers: expect.objectContaining({ 'x-extra': 'kept', 'x-service-delivery': 'first' }),
        rawBody: Buffer.from(body),
        receivedAt: expect.any(Date),
        path: '/hooks?team=7',
      },
    ]);
  });

  it('answers as it is told, by what came and how often', async () => {
    receiver.behave(({ id }, timesSeen) =>
      id === 'slow down' && timesSeen < 3
        ? { status: 503, headers: { 'retry-after': '7' }, body: `no. ${timesSeen}` }
        : { status: 204 },
    );
    const refused = await send('slow down');
    expect([refused.status, refused.headers.get('retry-after'), await refused.text()]).toEqual([
      503,
      '7',
      'no. 1',
    ]);
    expect(await (await send('slow down')).text()).toBe('no. 2');
    expect((await send('slow down')).status).toBe(204);
    expect((await send('another')).status).toBe(204);
    expect(receiver.received.map(({ id }) => id)).toEqual(['slow down', 'slow down', 'slow down', 'another']);
    expect(receiver.ids()).toEqual(new Set(['slow down', 'another']));
  });

  it('answers late', async () => {
    receiver.behave(() => ({ status: 202, body: 'at last', delayMs: 30 }));
    const late = await send('late');
    expect([late.status, await late.text()]).toEqual([202, 'at last']);
  });

  it('holds its answer until then', async () => {
    let answer!: () => void;
    const until = new Promise<void>((resolve) => (answer = resolve));
    receiver.behave(({ id }) => ({ status: 200, ...(id === 'held' && { until }) }));
    const order: string[] = [];
    const held = send('held').then(() => order.push('held'));
    await send('other').then(() => order.push('other'));
    answer();
    await held;
    expect(order).toEqual(['other', 'held']);
  });

  const silences: [string, ReceiverAnswer][] = [
    ['hangs', 'hang'],
    ['waits', { status: 200, delayMs: 3_600_000 }],
  ];

  it.each(silences)('%s while others are served, until it is closed', async (_, silence) => {
    receiver.behave(({ id }) => (id === 'silent' ? silence : { status: 200 }));
    let answered = false;
    const fault = faultOf(send('silent').finally(() => (answered = true)));
    await eventually(() => expect(receiver.ids()).toContain('silent'));
    expect((await send('other')).status).toBe(200);
    expect(answered).toBe(false);
    await receiver.close();
    expect(await fault).toBe('UND_ERR_SOCKET');
  });

  it.each([
    ['reset', 'ECONNRESET'],
    ['garbage', 'HPE_INVALID_CONSTANT'],
  ] as const)('breaks with %s, having kept the delivery', async (way, code) => {
    receiver.behave(() => way);
    expect(await faultOf(send('broken'))).toBe(code);
    expect(receiver.ids()).toEqual(new Set(['broken']));
  });

  it('goes down and comes back at the same address, with what it had', async () => {
    const address = receiver.url();
    expect((await send('before')).status).toBe(200);
    await receiver.down();
    await eventually(async () => expect(await faultOf(send('meanwhile'))).toBe('ECONNREFUSED'));
    await receiver.up();
    expect(receiver.url()).toBe(address);
    expect((await send('after')).status).toBe(200);
    expect([...receiver.ids()]).toEqual(['before', 'after']);
  });

  it('breaks what hangs when it goes down', async () => {
    receiver.behave(() => 'hang');
    const fault = faultOf(send('hanging'));
    await eventually(() => expect(receiver.ids()).toContain('hanging'));
    await receiver.down();
    expect(await fault).toBe('UND_ERR_SOCKET');
  });
});
