import { createClient } from './client.js';
import { ConnectionError } from './errors.js';

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

const clientOf = (fetch: typeof globalThis.fetch, timeoutMs?: number) =>
  createClient({ baseUrl: 'http://service', teamId: 'team', fetch, timeoutMs });

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
