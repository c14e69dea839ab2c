import { availableParallelism } from 'node:os';

/**
 * V8 collects garbage in four threads beside the program's, also on two cores, where the program then waits for threads
 * that wait for a core. With one for each further core, on two of them: 5 % more runs a second with 50 in flight in one
 * process, 3 % in a process for each service; the same with 10.
 */
const collectorThreads = `--v8-pool-size=${Math.min(4, Math.max(1, availableParallelism() - 1))}`;

/**
 * V8 hands functions to be optimized to a thread beside the program's. Where there is no core for that thread they wait in
 * a line, each with the memory that its compilation needs, which the C library keeps when it is free: 30 MiB of one process
 * for all services on Node 24. Compiled by the program's own thread, its first requests take as long as before.
 */
const optimization = availableParallelism() > 2 ? [] : ['--no-concurrent-recompilation'];

/** In a pause of seconds V8 would give memory back and drop optimized code; a quiet service does so (`quiet-memory.ts`). */
const reduction = '--no-memory-reducer';

/**
 * What Node is told about memory when it hosts one service of the product. A young generation of 8 MiB instead of 4 gives
 * 5 % more runs a second with 50 in flight and with 10; 16 gives 1 % beyond that. Node's own choice took 35 MB more than 4
 * for each service after the start. The limit of the old generation also tells V8 how much garbage may lie there before it is
 * collected: an import of 100,000 rows left 215 MB of it without one.
 */
export const memoryFlags: readonly string[] = [
  '--max-semi-space-size=8',
  '--max-old-space-size=512',
  collectorThreads,
  reduction,
  ...optimization,
];

/** The same for one process that hosts all services: it has room for a larger young generation, so fewer collections. */
export const sharedMemoryFlags: readonly string[] = [
  '--max-semi-space-size=16',
  '--max-old-space-size=1024',
  collectorThreads,
  reduction,
  ...optimization,
];

/**
 * What the C library is told about memory in every Node process that we start. It gives each thread an arena of its own
 * and keeps in all of them what was freed; Node's threads allocate little, and share one at no cost that can be measured.
 * 8 MiB less for a process of services, 11 for Valkey in WebAssembly.
 */
export const memoryEnvironment: Readonly<Record<string, string>> = { MALLOC_ARENA_MAX: '1' };

/**
 * The same for the process of Valkey in WebAssembly. To compile it takes many pieces of 32 KiB for a moment, which are
 * given back to the system where each is a mapping of its own: 7 MiB less, for a twentieth more of its processor time.
 */
export const wasmMemoryEnvironment: Readonly<Record<string, string>> = { MALLOC_MMAP_THRESHOLD_: '32768' };
