import { Ending } from './ending.js';

describe('the end of a process that has runs', () => {
  it('lets no step begin, and breaks calls off only when the work takes too long', async () => {
    const ending = new Ending(30);
    const { leaving, over } = ending.tell();
    let letGo!: () => void;
    const ended = ending.begin(() => new Promise<void>((resolve) => (letGo = resolve)));
    expect([ending.hasBegun, leaving.aborted, over.aborted]).toEqual([true, true, false]);
    await new Promise((resolve) => over.addEventListener('abort', resolve));
    expect(ending.tell().over.aborted).toBe(true);
    letGo();
    await ended;
  });

  it('is told to a run that begins after it, and not to one that was released', async () => {
    const ending = new Ending(30);
    const gone = ending.tell();
    gone.release();
    await ending.begin(() => Promise.resolve());
    expect([gone.leaving.aborted, ending.tell().leaving.aborted]).toEqual([false, true]);
  });
});
