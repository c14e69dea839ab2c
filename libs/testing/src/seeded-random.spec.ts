import { randomFrom, seededRandom } from './seeded-random.js';

const numbers = (seed: number) => {
  const random = randomFrom(seed);
  return Array.from({ length: 1_000 }, () => random.fraction());
};

describe('seeded random choices', () => {
  it('are the same for the same seed, and others for another', () => {
    expect(numbers(7)).toEqual(numbers(7));
    expect(numbers(7)).not.toEqual(numbers(8));
  });

  it('are spread over their range, and never leave it', () => {
    const fractions = numbers(42);
    expect(Math.min(...fractions)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...fractions)).toBeLessThan(1);
    const random = randomFrom(42);
    const seen = new Map<number, number>();
    for (let round = 0; round < 3_000; round += 1) {
      const choice = random.whole(3, 5);
      seen.set(choice, (seen.get(choice) ?? 0) + 1);
    }
    expect([...seen.keys()].sort()).toEqual([3, 4, 5]);
    for (const times of seen.values()) expect(times).toBeGreaterThan(800);
  });

  it('begin with the seed that is given, which is printed', () => {
    const printed: string[] = [];
    const random = seededRandom('12345', (line) => printed.push(line));
    expect(random.fraction()).toBe(randomFrom(12345).fraction());
    expect(printed).toEqual(['Seed 12345 (TEST_SEED) of seeded-random.spec.ts\n']);
  });

  it('begin with a new seed otherwise, which is printed too', () => {
    const printed: string[] = [];
    const [one, two] = ['', ''].map((none) => seededRandom(none, (line) => printed.push(line)));
    expect(one!.seed).not.toBe(two!.seed);
    expect(printed[0]).toContain(`Seed ${one!.seed} `);
    expect(one!.fraction()).toBe(randomFrom(one!.seed).fraction());
  });

  it.each(['x', '-1', '1.5', '99999999999'])('refuse %s as a seed', (seed) => {
    expect(() => seededRandom(seed)).toThrow('TEST_SEED');
  });
});
