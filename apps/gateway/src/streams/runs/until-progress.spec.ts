import { AppError } from '@aos/contracts';
import type { NumberedEvent } from '../event-frames.js';
import { followPages, type EventPage } from '../follow-pages.js';
import { RunProgressFeed } from './run-progress-feed.js';
import { untilProgress } from './until-progress.js';

const event = (seq: number): NumberedEvent => ({
  seq,
  id: `00000000-0000-7000-8000-${String(seq).padStart(12, '0')}`,
  event: 'run.message.created',
  created_at: '2026-11-15T04:30:42.123Z',
  data: {},
});

/** A page behind which there is more, unless it is empty or the last. */
const page = (seqs: number[], ended = false): EventPage => ({
  events: seqs.map(event),
  complete: ended || seqs.length === 0,
  ended,
});

describe('the events of a run, followed', () => {
  let feed: RunProgressFeed;
  let client: AbortController;
  let asked: number[];

  beforeEach(() => {
    feed = new RunProgressFeed();
    client = new AbortController();
    asked = [];
  });

  afterEach(() => {
    expect(feed.waiting).toBe(0);
  });

  type Step = EventPage | Error | undefined;

  /** The numbers of all events, page by page; the first page is given, the others are read. */
  async function follow(first: EventPage, steps: readonly Step[], after = 0): Promise<number[][]> {
    const read = async (last: number, known?: EventPage) => {
      if (known) return known;
      const step = steps[asked.length];
      asked.push(last);
      if (step instanceof Error) throw step;
      return step;
    };
    const seen: number[][] = [];
    const { signal } = client;
    const untilMore = untilProgress(feed, 'a');
    for await (const events of followPages({ first, after, read, untilMore, signal })) {
      seen.push(events.map(({ seq }) => seq));
    }
    return seen;
  }

  it('reads on behind the last event until a page is the last one', async () => {
    expect(await follow(page([1, 2]), [page([3]), page([4, 5], true)])).toEqual([[1, 2], [3], [4, 5]]);
    expect(asked).toEqual([2, 3]);
  });

  it('reads nothing behind a first page that is the last one', async () => {
    expect(await follow(page([8], true), [])).toEqual([[8]]);
    expect(await follow(page([], true), [])).toEqual([]);
    expect(asked).toEqual([]);
  });

  it('waits for progress after an empty page, and asks again from where it was', async () => {
    const following = follow(page([]), [page([], true)], 41);
    expect(feed.waiting).toBe(1);
    feed.notify({ run_id: 'a', seq: 41, status: 'running' });
    expect(feed.waiting).toBe(1);
    feed.notify({ run_id: 'a', seq: 42, status: 'running' });
    expect(await following).toEqual([]);
    expect(asked).toEqual([41]);
  });

  it('waits for progress after the latest events, and does not look for more at once', async () => {
    const following = follow({ ...page([1, 2]), complete: true }, [page([3], true)]);
    await new Promise((resolve) => setImmediate(resolve));
    expect([asked, feed.waiting]).toEqual([[], 1]);
    feed.notify({ run_id: 'a', seq: 3, status: 'completed' });
    expect(await following).toEqual([[1, 2], [3]]);
    expect(asked).toEqual([2]);
  });

  it('does not wait for progress that came while the latest events were read', async () => {
    feed.notify({ run_id: 'a', seq: 3, status: 'running' });
    expect(await follow({ ...page([1, 2]), complete: true }, [page([3], true)])).toEqual([[1, 2], [3]]);
  });

  it('is woken by the end of the run, though no event came with it', async () => {
    const following = follow(page([]), [page([], true)], 41);
    feed.notify({ run_id: 'a', seq: 41, status: 'completed' });
    expect(await following).toEqual([]);
    expect(asked).toEqual([41]);
  });

  it('takes the last events from the news that brings them', async () => {
    const following = follow({ ...page([1, 2]), complete: true }, []);
    feed.notify({ run_id: 'a', seq: 4, status: 'completed', events: [event(3), event(4)] });
    expect(await following).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(asked).toEqual([]);
  });

  it('takes of them only what it has not had', async () => {
    feed.notify({ run_id: 'a', seq: 4, status: 'failed', events: [event(2), event(3), event(4)] });
    expect(await follow({ ...page([1, 2, 3]), complete: true }, [])).toEqual([[1, 2, 3], [4]]);
    expect(asked).toEqual([]);
  });

  it.each([
    ['leaves out events before them', { status: 'completed', events: [event(4)] }],
    ['leaves out the last', { status: 'completed', events: [event(3)] }],
    ['brings none', { status: 'completed', events: [] }],
    ['is not the end', { status: 'running', events: [event(3), event(4)] }],
  ] as const)('asks where the news %s', async (_, news) => {
    feed.notify({ run_id: 'a', seq: 4, ...news, events: [...news.events] });
    const steps = [page([3, 4], true)];
    expect(await follow({ ...page([1, 2]), complete: true }, steps)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(asked).toEqual([2]);
  });

  it('is not ended by the news of an end that a reopened run has left behind', async () => {
    feed.notify({ run_id: 'a', seq: 2, status: 'completed', events: [event(1), event(2)] });
    const first = { ...page([1, 2, 3]), complete: true };
    const steps = [page([]), page([4], true)];
    const following = follow(first, steps);
    await new Promise((resolve) => setImmediate(resolve));
    expect([asked, feed.waiting]).toEqual([[3], 1]);
    feed.notify({ run_id: 'a', seq: 4, status: 'completed' });
    expect(await following).toEqual([[1, 2, 3], [4]]);
  });

  it('does not ask again and again because of a notification that a page has proved wrong', async () => {
    feed.notify({ run_id: 'a', seq: 9, status: 'completed' });
    const following = follow(page([]), [page([]), page([], true)], 9);
    await new Promise((resolve) => setImmediate(resolve));
    expect([asked, feed.waiting]).toEqual([[9], 1]);
    feed.notify({ run_id: 'a', seq: 10, status: 'running' });
    await following;
    expect(asked).toEqual([9, 9]);
  });

  it('tries again while the owner is away', async () => {
    const away = new AppError('unavailable', 'away');
    expect(await follow(page([1]), [away, away, page([2], true)])).toEqual([[1], [2]]);
    expect(asked).toEqual([1, 1, 1]);
  });

  it('passes on any other failure', async () => {
    const failures = [new AppError('not_found', 'gone'), new Error('a fault')];
    await expect(follow(page([1]), failures)).rejects.toThrow('gone');
    await expect(follow(page([1]), failures)).rejects.toThrow('a fault');
    expect(asked).toEqual([1, 1]);
  });

  it('ends when the client may not read on', async () => {
    expect(await follow(page([1]), [undefined])).toEqual([[1]]);
  });

  it('ends when the client goes: while it waits, while it reads, while the owner is away', async () => {
    const waiting = follow(page([]), []);
    client.abort();
    expect(await waiting).toEqual([]);

    client = new AbortController();
    const { signal } = client;
    const never = () => new Promise<EventPage>(() => undefined);
    const reading = followPages({
      first: page([1]),
      after: 0,
      read: never,
      untilMore: untilProgress(feed, 'a'),
      signal,
    });
    expect((await reading.next()).done).toBe(false);
    const rest = reading.next();
    client.abort();
    expect((await rest).done).toBe(true);

    client = new AbortController();
    const retrying = follow(page([1]), Array<Error>(100).fill(new AppError('unavailable', 'away')));
    await new Promise((resolve) => setImmediate(resolve));
    client.abort();
    expect(await retrying).toEqual([[1]]);
  });
});
