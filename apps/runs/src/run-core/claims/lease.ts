/** The run has been stopped, or another worker has it: nothing that this one still does may count. */
export class RunLost extends Error {
  override readonly name = 'RunLost';

  constructor(runId: string) {
    super(`The run ${runId} is in other hands or has ended`);
  }
}
