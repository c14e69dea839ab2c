import { measureInChild } from '../children.js';
import { cpuMs, descendants, tellsCpu } from '../cpu-time.js';
import type { RunLoad, RunLoadResult } from '../run-load.types.js';
import { works, type Contender } from './contender.types.js';
import type { PeerLoad, PeerLoadResult } from './peer-load.types.js';
import type { Product } from './product.js';
import type { Sample, StartSample } from './ratios.js';
import { inTurn, levels, type Pace } from './turns.js';

/** In flight when the answers of startRun are measured, each run being followed to its end. */
const startsInFlight = 10;

const cells = levels.flatMap((inFlight) => works.map((work) => ({ inFlight, work })));

export interface Measured {
  readonly samples: readonly Sample[];
  readonly starts: readonly StartSample[];
}

/**
 * Every contender in turn, round after round: what disturbs the machine disturbs all of them. A peer that fails is left
 * out from then on, and named.
 */
export async function measureRounds(
  products: readonly Product[],
  peers: readonly Contender[],
  { rounds, warmUpSeconds, seconds }: Pace,
  signal: AbortSignal,
): Promise<Measured> {
  const samples: Sample[] = [];
  const starts: StartSample[] = [];
  const failed = new Set<Contender>();
  for (let round = 0; round < rounds; round += 1) {
    console.log(`Round ${round + 1} of ${rounds}`);
    const order = inTurn([...products, ...peers], round);
    for (const { inFlight, work } of cells) {
      for (const contender of order.filter((one) => !failed.has(one))) {
        const { name, calls, pids } = contender;
        const load = { call: calls[work], inFlight, warmUpSeconds, seconds };
        try {
          samples.push({ contender: name, work, inFlight, round, ...(await drive(load, pids, signal)) });
        } catch (error) {
          signal.throwIfAborted();
          if (!peers.includes(contender)) throw error;
          failed.add(contender);
          console.log(`${name} is left out from here: ${(error as Error).message}`);
        }
      }
    }
    for (const product of inTurn(products, round)) {
      const p50Ms = await driveStarts(product, { warmUpSeconds, seconds }, signal);
      starts.push({ contender: product.name, p50Ms });
    }
  }
  return { samples, starts };
}

async function drive(
  load: PeerLoad,
  pids: readonly number[],
  signal: AbortSignal,
): Promise<Pick<Sample, 'perSecond' | 'p50Ms' | 'cpuMs'>> {
  const before = cpuBelow(pids);
  const { perSecond, p50Ms, runs } = await measureInChild<PeerLoadResult>('peers/peer-load', load, signal);
  return { perSecond, p50Ms, cpuMs: (cpuBelow(pids) - before) / runs };
}

async function driveStarts(
  { load }: Product,
  times: Pick<RunLoad, 'warmUpSeconds' | 'seconds'>,
  signal: AbortSignal,
): Promise<number> {
  const wish: RunLoad = { ...load, ...times, inFlight: startsInFlight, mode: 'follow' };
  const { start } = await measureInChild<RunLoadResult>('run-load', wish, signal);
  return start.p50Ms;
}

function cpuBelow(pids: readonly number[]): number {
  return tellsCpu() ? cpuMs(pids.flatMap((pid) => [pid, ...descendants(pid)])) : Number.NaN;
}
