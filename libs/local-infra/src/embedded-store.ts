import type { ExitInfo } from './processes/managed-process.js';

export type StoreLog = (line: string) => void;

/** A running store of our own. */
export interface EmbeddedStore {
  /** What runs, for a person: "redis-server 7.0 from the PATH". */
  readonly description: string;
  readonly url: string;
  /** The same by a Unix socket, on which a message costs less; none where the system takes none there. */
  readonly socketUrl?: string;
  readonly port: number;
  readonly pid: number;
  /** Resolves when the server has ended, for whatever reason. */
  readonly exited: Promise<ExitInfo>;
  stop(): Promise<void>;
  /** Ends it at once, without a clean shutdown. */
  kill(): void;
}
