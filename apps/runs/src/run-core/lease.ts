/** The run has been stopped, or another worker has it: nothing that this one still does may count. */
export class RunLost extends Error {
  override readonly name = 'RunLost';

  constructor(runId: string) {
    super(`The run ${runId} is in other hands or has ended`);
  }
}

/** The part of the lease after which it is renewed, and after which abandoned runs are looked for. */
export const leaseShare = 4;
