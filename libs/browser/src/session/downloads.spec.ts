import { EventEmitter } from 'node:events';
import { Downloads } from './downloads.js';

type Browser = ConstructorParameters<typeof Downloads>[0];

describe('the downloads of a session', () => {
  const maxDownloads = 2;

  function downloadsOf(context: EventEmitter): Downloads {
    const browser = { context, control: {}, downloadsFolder: '/nowhere', ownerId: 0 } as unknown as Browser;
    return new Downloads(browser, { maxDownloads, maxDownloadBytes: 1 });
  }

  it('that a page begins without end are all cancelled, and few are told', async () => {
    const context = new EventEmitter();
    const downloads = downloadsOf(context);
    let cancelled = 0;
    const breakOff: (() => void)[] = [];
    for (let n = 0; n < 1_000; n += 1) {
      context.emit('download', {
        suggestedFilename: () => `file ${n}`,
        path: () => new Promise((_, reject) => breakOff.push(() => reject(new Error('broken')))),
        cancel: async () => (cancelled += 1),
      });
    }
    breakOff.forEach((reject) => reject());
    await downloads.settled(10_000, undefined);
    expect(cancelled).toBe(1_000 - maxDownloads);
    const problems = downloads.takeProblems();
    expect(problems).toHaveLength(200 + maxDownloads);
    expect(problems[0]).toBe('A session may download 2 files; file 2 is one more.');
    // Those that were begun in earnest are told all the same.
    expect(problems.slice(200)).toEqual([
      'The download of file 0 broke off.',
      'The download of file 1 broke off.',
    ]);
    expect(downloads.takeProblems()).toEqual([]);
  });
});
