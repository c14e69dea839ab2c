import { createClient } from './client.js';
import { ConnectionError } from './errors.js';

const jest = import.meta.jest;

/** A body that comes in these pieces, up to an empty one; breaks off where there is none, or nobody waits any longer. */
function body(
  pieces: readonly string[] | 'never',
  signal: AbortSignal | null | undefined,
): ReadableStream<Uint8Array> {
  const left = [...pieces];
  return new ReadableStream({
    start: (controller) => signal?.addEventListener('abort', () => controller.error(signal.reason)),
    pull: (controller) => {
      if (pieces === 'never') return;
      const piece = left.shift();
      if (piece === undefined) controller.error(new TypeError('terminated'));
      else if (piece === '') controller.close();
      else controller.enqueue(new TextEncoder().encode(piece));
    },
  });
}

/** A service that gives these bodies, one after the other; tells which key each request had. */
function service(...bodies: (readonly string[])[]): { fetch: typeof fetch; keys: (string | null)[] } {
  const keys: (string | null)[] = [];
  return {
    keys,
    fetch: async (_, init) => {
      keys.push(new Headers(init?.headers).get('idempotency-key'));
      return new Response(body(bodies[keys.length - 1]!, init?.signal));
    },
  };
}

/** A service that never answers. */
const silent: typeof fetch = (_, init) =>
  new Promise((_resolve, reject) => {
    const signal = init!.signal!;
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });

const clientOf = (fetch: typeof globalThis.fetch, timeoutMs?: number, signal?: AbortSignal) =>
  createClient({ baseUrl: 'http://service', teamId: 'team', fetch, timeoutMs, signal });

describe('an answer', () => {
  it('that breaks off is asked for again, with the same key', async () => {
    const { fetch, keys } = service(['{"run_id"'], ['{"run_id"', ': "one"}', '']);
    expect(await clientOf(fetch).startRun({ agent_id: 'a' })).toEqual({ run_id: 'one' });
    expect(keys).toEqual([expect.any(String), keys[0]]);
  });

  it('that always breaks off is none', async () => {
    const { fetch, keys } = service(['{'], ['{']);
    await expect(clientOf(fetch).getTeam({}, { retries: 1 })).rejects.toThrow(ConnectionError);
    expect(keys).toHaveLength(2);
  });

  it('that does not come to its end in time is none', async () => {
    const fetch: typeof globalThis.fetch = async (_, init) => new Response(body('never', init?.signal));
    await expect(clientOf(fetch, 20).getTeam({}, { retries: 0 })).rejects.toThrow('said nothing in time');
  });

  it('that nobody waits for any longer gives the reason of who gave up', async () => {
    const stop = new AbortController();
    const asked = clientOf(silent).getTeam({}, { signal: stop.signal });
    stop.abort(new Error('Interrupted.'));
    await expect(asked).rejects.toThrow('Interrupted.');
  });

  it('that whoever made the client has enough of is not asked for again, with or without a signal of its own', async () => {
    const stop = new AbortController();
    const client = clientOf(silent, undefined, stop.signal);
    const asked = [client.getTeam(), client.getTeam({}, { signal: new AbortController().signal })];
    stop.abort(new Error('Interrupted.'));
    for (const one of [...asked, client.getTeam()]) await expect(one).rejects.toThrow('Interrupted.');
  });
});

describe('an upload', () => {
  const content_type = 'text/csv';

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  /** So many pieces, one every 15 seconds; without an end it stands still behind them. */
  function slowly(pieces: number, hasEnd: boolean): ReadableStream<Uint8Array> {
    let sent = 0;
    return new ReadableStream({
      pull: async (controller) => {
        if (sent === pieces) return hasEnd ? controller.close() : new Promise(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, 15_000));
        sent += 1;
        controller.enqueue(new TextEncoder().encode('Lamp\n'));
      },
    });
  }

  /** A service that tells how many bytes it was sent. */
  const counting: typeof fetch = async (input, init) => {
    const read = new Response(init!.body).arrayBuffer();
    const { byteLength } = await Promise.race([read, silent(input, init) as Promise<never>]);
    return new Response(JSON.stringify({ accepted: byteLength }));
  };

  it('is not cut off as long as it gets on', async () => {
    const body = slowly(10, true);
    const sent = clientOf(counting, 20_000).importCases({ queue_id: 'queue', body, content_type });
    await jest.advanceTimersByTimeAsync(150_000);
    expect(await sent).toEqual({ accepted: 50 });
  });

  it('that is refused before it was read leaves no timer behind', async () => {
    let read: ReadableStreamDefaultReader<Uint8Array> | undefined;
    const refusing: typeof fetch = async (_, init) => {
      read = (init!.body as ReadableStream<Uint8Array>).getReader();
      return Response.json({ error: { code: 'rate_limited', message: 'Later.' } }, { status: 429 });
    };
    const body = slowly(2, true);
    const sent = clientOf(refusing, 20_000).importCases({ queue_id: 'queue', body, content_type });
    await expect(sent).rejects.toThrow('Later.');
    await jest.advanceTimersByTimeAsync(15_000);
    await read!.read();
    await jest.advanceTimersByTimeAsync(15_000);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('that stands still is given up', async () => {
    const body = slowly(2, false);
    const sent = clientOf(counting, 20_000).importCases({ queue_id: 'queue', body, content_type });
    const outcome = expect(sent).rejects.toThrow('said nothing in time');
    await jest.advanceTimersByTimeAsync(60_000);
    await outcome;
  });

  it.each<[string, Blob | Uint8Array<ArrayBuffer> | string]>([
    ['bytes', new Uint8Array(1024 * 1024)],
    ['text', 'x'.repeat(1024 * 1024)],
    ['a file', new Blob(['x'.repeat(1024 * 1024)])],
  ])('of %s has the time that a slow line takes for them, and then that of its answer', async (_, body) => {
    const state = { isOver: false };
    const sent = clientOf(silent, 20_000)
      .importCases({ queue_id: 'queue', body, content_type }, { retries: 0 })
      .finally(() => (state.isOver = true));
    const outcome = expect(sent).rejects.toThrow('said nothing in time');
    await jest.advanceTimersByTimeAsync(80_000);
    expect(state.isOver).toBe(false);
    await jest.advanceTimersByTimeAsync(10_000);
    await outcome;
  });

  it('of a form has time for its file', async () => {
    const state = { isOver: false };
    const file = new Blob(['x'.repeat(1024 * 1024)]);
    const sent = clientOf(silent, 20_000)
      .uploadSandboxFile({ id: 'sandbox', path: 'a.txt', file }, { retries: 0 })
      .finally(() => (state.isOver = true));
    const outcome = expect(sent).rejects.toThrow('said nothing in time');
    await jest.advanceTimersByTimeAsync(80_000);
    expect(state.isOver).toBe(false);
    await jest.advanceTimersByTimeAsync(10_000);
    await outcome;
  });
});

describe('a file', () => {
  it('is read however long that takes, once it has begun', async () => {
    const { fetch } = service(['title\n', 'Lamp\n', '']);
    const response = await clientOf(fetch, 20).exportCases({ queue_id: 'queue' });
    // Began later and had as long.
    await expect(clientOf(silent, 20).getTeam({}, { retries: 0 })).rejects.toThrow('said nothing in time');
    expect(await response.text()).toBe('title\nLamp\n');
  });
});
