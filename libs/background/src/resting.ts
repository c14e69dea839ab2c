/** What has failed and is passed over for a while, so that a loop goes on with the others. */
export class Resting {
  private readonly until = new Map<string, number>();

  constructor(private readonly restMs = 1_000) {}

  add(id: string): void {
    this.until.set(id, performance.now() + this.restMs);
  }

  active(): string[] {
    for (const [id, until] of this.until) if (until <= performance.now()) this.until.delete(id);
    return [...this.until.keys()];
  }
}
