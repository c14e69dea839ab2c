import { Ending } from './ending.js';

describe('the end of a process that has runs', () => {
  it('lets no step begin, and breaks calls off only when the work takes too long', async () => {
    const ending = new Ending(30);
    let letGo!: () => void;
    const ended = ending.begin(() => new Promise<void>((resolve) => (letGo = resolve)));
    expect([ending.leaving.aborted, ending.over.aborted]).toEqual([true, false]);
    await new Promise((resolve) => ending.over.addEventListener('abort', resolve));
    letGo();
    await ended;
  });
});
