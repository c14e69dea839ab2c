import type { RunProgress } from '@aos/contracts';
import { RunProgressFeed, type ProgressWanted } from './run-progress-feed.js';

const progress = (run_id: string, seq: number, status: RunProgress['status'] = 'running'): RunProgress => ({
  run_id,
  seq,
  status,
});

describe('RunProgressFeed', () => {
  let now: number;
  let feed: RunProgressFeed;
  let client: AbortController;

  beforeEach(() => {
    now = 1_000_000;
    feed = new RunProgressFeed(() => now);
    client = new AbortController();
  });

  afterEach(() => {
    expect(feed.waiting).toBe(0);
  });

  const next = (runId: string, options: Partial<ProgressWanted> = {}) =>
    feed.next(runId, { timeoutMs: 60_000, signal: client.signal, ...options });

  it('wakes everybody who waits for the run, and nobody else', async () => {
    const other = next('b');
    const waiting = Promise.all([next('a'), next('a'), next('a')]);
    expect(feed.waiting).toBe(4);
    feed.notify(progress('a', 1));
    expect(await waiting).toEqual([progress('a', 1), progress('a', 1), progress('a', 1)]);
    expect(feed.waiting).toBe(1);
    client.abort();
    expect(await other).toBeUndefined();
  });

  it('passes over what is not wanted', async () => {
    const ended = next('a', { wanted: ({ status }) => status === 'completed' });
    feed.notify(progress('a', 1));
    feed.notify(progress('a', 2, 'waiting'));
    expect(feed.waiting).toBe(1);
    feed.notify(progress('a', 3, 'completed'));
    expect(await ended).toEqual(progress('a', 3, 'completed'));
  });

  it('resolves at once with what came a moment ago, if it is wanted', async () => {
    feed.notify(progress('a', 7, 'completed'));
    expect(await next('a', { timeoutMs: 0 })).toEqual(progress('a', 7, 'completed'));
    expect(await next('a', { timeoutMs: 0, wanted: ({ seq }) => seq > 7 })).toBeUndefined();
  });

  it('forgets after a second, counted from the last notification', async () => {
    feed.notify(progress('a', 1));
    now += 999;
    expect(await next('a', { timeoutMs: 0 })).toEqual(progress('a', 1));
    feed.notify(progress('a', 2));
    now += 999;
    expect(await next('a', { timeoutMs: 0 })).toEqual(progress('a', 2));
    now += 1;
    expect(await next('a', { timeoutMs: 0 })).toBeUndefined();
  });

  it('remembers ten thousand runs, and forgets the one that was silent for longest', async () => {
    for (let index = 0; index < 10_000; index += 1) feed.notify(progress(`run ${index}`, 1));
    feed.notify(progress('run 0', 2));
    feed.notify(progress('one more', 1));
    expect(await next('run 1', { timeoutMs: 0 })).toBeUndefined();
    expect(await next('run 0', { timeoutMs: 0 })).toEqual(progress('run 0', 2));
    expect(await next('run 2', { timeoutMs: 0 })).toEqual(progress('run 2', 1));
    expect(await next('one more', { timeoutMs: 0 })).toEqual(progress('one more', 1));
  });

  it('is not misled by progress that was overtaken; the same number with another status counts', async () => {
    feed.notify(progress('a', 5, 'running'));
    const waiting = next('a', { wanted: ({ status }) => status === 'waiting' });
    feed.notify(progress('a', 4, 'waiting'));
    expect(feed.waiting).toBe(1);
    feed.notify(progress('a', 5, 'waiting'));
    expect(await waiting).toEqual(progress('a', 5, 'waiting'));
  });

  it('resolves with nothing when the time is over', async () => {
    expect(await next('a', { timeoutMs: 1 })).toBeUndefined();
    expect(await next('a', { timeoutMs: -1 })).toBeUndefined();
  });

  it('resolves with nothing when the signal aborts, also if it did before', async () => {
    const waiting = next('a');
    client.abort();
    expect(await waiting).toBeUndefined();
    expect(await next('a')).toBeUndefined();
  });
});
