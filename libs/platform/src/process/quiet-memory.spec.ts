import { noteActivity } from './activity.js';
import { giveMemoryBack } from './quiet-memory.js';

describe('the memory of a quiet process', () => {
  it('is given back once, and again when it is quiet after something came', () => {
    let garbage: object | undefined = { large: new Array(1_000_000).fill(0).map(() => ({})) };
    const kept = process.memoryUsage().heapUsed;
    garbage = undefined;
    expect(giveMemoryBack()).toBe(true);
    expect(process.memoryUsage().heapUsed).toBeLessThan(kept);
    expect(garbage).toBeUndefined();
    expect(giveMemoryBack()).toBe(false);
    noteActivity();
    expect(giveMemoryBack()).toBe(true);
    noteActivity();
  });
});
