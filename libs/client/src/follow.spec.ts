import { createClient } from './client.js';

const jest = import.meta.jest;

/** A service whose streams give these texts, one after the other, and end; tells which `Last-Event-ID` each was asked with. */
function streams(...texts: string[]): { fetch: typeof fetch; asked: (string | null)[] } {
  const asked: (string | null)[] = [];
  return {
    asked,
    fetch: async (_, init) => {
      asked.push(new Headers(init?.headers).get('last-event-id'));
      return new Response(texts[asked.length - 1] ?? 'retry: 1000\n\n');
    },
  };
}

const frame = (id: number) => `id: ${id}\nevent: run.completed\ndata: {"event":"run.completed"}\n\n`;

describe('following a team', () => {
  /** The cursors of so many events, after which it is enough. */
  async function follow(fetch: typeof globalThis.fetch, most: number): Promise<string[]> {
    const client = createClient({ baseUrl: 'http://service', teamId: 'team', fetch });
    const cursors: string[] = [];
    for await (const { cursor } of client.follow.team()) {
      cursors.push(cursor);
      if (cursors.length === most) break;
    }
    return cursors;
  }

  afterEach(() => {
    jest.useRealTimers();
  });

  it('goes on where it began if the stream ends before anything came', async () => {
    const { fetch, asked } = streams('retry: 1000\nid: 7\n\n', 'retry: 1000\nid: 7\n\n', frame(8));
    expect(await follow(fetch, 1)).toEqual(['8']);
    expect(asked).toEqual([null, '7', '7']);
  });

  it('does not come back at once to a stream that ends before anything came', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    const { fetch, asked } = streams('', '', frame(8));
    const followed = follow(fetch, 1);
    await jest.advanceTimersByTimeAsync(100);
    expect(asked).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await followed).toEqual(['8']);
  });

  it('gives up a stream that does not begin, and opens another', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    const { fetch: answering, asked } = streams('', frame(8));
    const first: typeof fetch = (input, init) => {
      void answering(input, init);
      return new Promise((_, reject) => {
        init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason as Error));
      });
    };
    const followed = follow((input, init) => (asked.length === 0 ? first : answering)(input, init), 1);
    await jest.advanceTimersByTimeAsync(99_000);
    expect(asked).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(await followed).toEqual(['8']);
  });

  it('ends when whoever made the client has enough', async () => {
    const stop = new AbortController();
    const { fetch } = streams(frame(8));
    const client = createClient({ baseUrl: 'http://service', teamId: 'team', fetch, signal: stop.signal });
    const cursors: string[] = [];
    for await (const { cursor } of client.follow.team()) {
      cursors.push(cursor);
      stop.abort(new Error('Interrupted.'));
    }
    expect(cursors).toEqual(['8']);
  });

  it('goes on behind the last event', async () => {
    const { fetch, asked } = streams(`retry: 1000\nid: 7\n\n${frame(8)}${frame(11)}`, frame(12));
    expect(await follow(fetch, 3)).toEqual(['8', '11', '12']);
    expect(asked).toEqual([null, '11']);
  });
});
