import type { ServiceName } from '@aos/contracts/services';
import { type ManagedProcess, memoryFlags, sharedMemoryFlags, startManagedProcess } from '@aos/local-infra';
import type { RunningUnit, Unit } from './supervisor.js';

export interface ServiceUnitOptions {
  /** Those that run in the process. */
  services: readonly ServiceName[];
  /** `runs`, or `runs-2` for the second of two, or `together` for all of them. */
  name: string;
  /** Whose log takes what it writes. */
  source: string;
  entry: string;
  /** Asked before each start. */
  env: () => Promise<NodeJS.ProcessEnv>;
  onOutput: (chunk: string, stream: 'stdout' | 'stderr') => void;
  onReady: () => void;
}

const stopGraceMs = 20_000;
// Its stores end at the same moment, so there is little left that a longer grace could save.
const orphanGraceSeconds = 8;

/** One process of a service. It counts as started when it runs, and tells over its channel when it is ready. */
export class ServiceUnit implements Unit {
  readonly #options: ServiceUnitOptions;
  #process: ManagedProcess | undefined;

  constructor(options: ServiceUnitOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.name;
  }

  get services(): readonly ServiceName[] {
    return this.#options.services;
  }

  get source(): string {
    return this.#options.source;
  }

  /** Whether it is the one that clients talk to. */
  get isInFront(): boolean {
    return this.services.includes('gateway');
  }

  async start(): Promise<RunningUnit> {
    const { entry, env, onOutput, onReady, services } = this.#options;
    this.#process = startManagedProcess({
      command: process.execPath,
      args: [...(services.length > 1 ? sharedMemoryFlags : memoryFlags), entry],
      env: await env(),
      ipc: true,
      onOutput,
      onMessage: (message) => {
        if (isReadyMessage(message)) onReady();
      },
      stopSignal: 'SIGTERM',
      stopGraceMs,
      orphanGraceSeconds,
    });
    return this.#process;
  }

  /** Tells the service that the first set-up is done. */
  announceSetupDone(): void {
    this.#process?.send({ type: 'setup-done' });
  }
}

function isReadyMessage(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'ready';
}
