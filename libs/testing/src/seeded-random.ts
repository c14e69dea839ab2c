import { randomInt } from 'node:crypto';
import { basename } from 'node:path';

const seeds = 2 ** 31;

export interface SeededRandom {
  readonly seed: number;
  /** At least 0, less than 1. */
  fraction(): number;
  /** A whole number from `least` to `most`, both of which may come. */
  whole(least: number, most: number): number;
}

/** The random choices of one test file. Their seed is printed; `TEST_SEED=12345 npm test -- chaos` repeats them. */
export function seededRandom(
  given = process.env['TEST_SEED'],
  say = (line: string): unknown => process.stderr.write(line),
): SeededRandom {
  const seed = seedOf(given);
  say(`Seed ${seed} (TEST_SEED) of ${basename(expect.getState().testPath ?? 'a test')}\n`);
  return randomFrom(seed);
}

/** Mulberry32: 32 bits of state, enough to choose among mishaps, and the same numbers on every machine. */
export function randomFrom(seed: number): SeededRandom {
  let state = seed | 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    seed,
    fraction,
    whole: (least, most) => least + Math.floor(fraction() * (most - least + 1)),
  };
}

function seedOf(given: string | undefined): number {
  if (given === undefined || given === '') return randomInt(seeds);
  const seed = Number(given);
  if (!Number.isInteger(seed) || seed < 0 || seed >= seeds) {
    throw new Error(`TEST_SEED: must be a whole number from 0 to ${seeds - 1}`);
  }
  return seed;
}
