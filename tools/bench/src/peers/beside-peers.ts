import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { profileFolder } from '../profiles.js';
import { printReport } from '../report.js';
import { cacheFolder } from './cache-folder.js';
import type { Contender } from './contender.types.js';
import { install } from './install.js';
import { startLangGraph } from './langgraph.js';
import { langGraph, restate, toldVersions, type Pinned } from './pinned.js';
import { forms, startProduct, type Product } from './product.js';
import { ratioFigures, startFigures } from './ratios.js';
import { startRestate } from './restate.js';
import { measureRounds } from './rounds.js';
import { onSameNode } from './same-node.js';
import { fullPace, levels, quickPace } from './turns.js';

const nothingToCompare = 1;
const interrupted = 130;

interface Peer {
  readonly name: string;
  /** Throws if there is none for this platform. */
  readonly pinned: () => Pinned;
  readonly start: (packages: string, folder: string, signal: AbortSignal) => Promise<Contender>;
}

const peers: readonly Peer[] = [
  { name: 'Restate', pinned: () => restate(process), start: startRestate },
  { name: 'LangGraph', pinned: langGraph, start: startLangGraph },
];

/** The product beside its peers, on the same machine and the same Node. Returns the exit code. */
export async function measureBesidePeers(root: string, { isQuick }: { isQuick: boolean }): Promise<number> {
  const cache = cacheFolder(process.env, homedir());
  const code = await onSameNode(cache);
  if (code !== undefined) return code;
  const { signal, release } = onceInterrupted();
  // Postgres runs as another user where this one is root, and has to pass through.
  const folder = await mkdtemp(join(tmpdir(), 'aos-peers-'));
  await chmod(folder, 0o711);
  const running: Contender[] = [];
  try {
    return await measureIn(folder, { root, cache, isQuick, running }, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    console.log('Interrupted; everything that was started is being stopped');
    return interrupted;
  } finally {
    await Promise.allSettled(running.map((contender) => contender.stop()));
    await rm(folder, { recursive: true, force: true });
    release();
  }
}

interface Setting {
  readonly root: string;
  readonly cache: string;
  readonly isQuick: boolean;
  /** Whoever has been started, to be stopped. */
  readonly running: Contender[];
}

async function measureIn(
  folder: string,
  { root, cache, isQuick, running }: Setting,
  signal: AbortSignal,
): Promise<number> {
  const others: Contender[] = [];
  for (const peer of peers) {
    try {
      const pinned = peer.pinned();
      const packages = await install(pinned, cache, signal);
      const started = await peer.start(packages, join(folder, peer.name.toLowerCase()), signal);
      others.push(started);
      running.push(started);
      console.log(`${toldVersions(pinned)} is ready`);
    } catch (error) {
      signal.throwIfAborted();
      console.log(`${peer.name} is left out: ${(error as Error).message}`);
    }
  }
  if (others.length === 0) {
    console.error('There is no peer to measure the product beside.');
    return nothingToCompare;
  }
  const products: Product[] = [];
  for (const form of forms) {
    const started = await startProduct(form, root, join(folder, form), signal);
    products.push(started);
    running.push(started);
    console.log(`The product is ready, ${form}`);
  }
  console.log(`Node ${process.versions.node}; the machine should have nothing else to do`);
  const { samples, starts } = await measureRounds(products, others, isQuick ? quickPace : fullPace, signal);
  const compared = { forms, peers: others.map(({ name }) => name), levels };
  printReport([...ratioFigures(samples, compared), ...startFigures(starts, forms)]);
  if (profileFolder) console.log(`\nThe profiles are in ${profileFolder}.`);
  return 0;
}

/** Aborts at the first signal to stop, and when the process that started this one is gone. */
function onceInterrupted(): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, abort);
  process.on('disconnect', abort);
  return {
    signal: controller.signal,
    release: () => {
      for (const signal of signals) process.off(signal, abort);
      process.off('disconnect', abort);
    },
  };
}
