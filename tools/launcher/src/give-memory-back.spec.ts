import { giveMemoryBack } from './give-memory-back.js';

it('gives back what is not needed any more', () => {
  const needless = Array.from({ length: 400_000 }, (_, i) => ({ text: `line ${i}` }));
  const before = process.memoryUsage().heapUsed;
  needless.length = 0;
  giveMemoryBack();
  expect(before - process.memoryUsage().heapUsed).toBeGreaterThan(10_000_000);
});
