import type { Call } from './contender.types.js';

export interface PeerLoad {
  readonly call: Call;
  readonly inFlight: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

export interface PeerLoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  /** All that completed, while it warmed up too. */
  readonly runs: number;
}
