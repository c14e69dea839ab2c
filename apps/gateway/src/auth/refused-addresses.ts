const maxEntries = 10_000;

/** Client addresses that have had their failures, until their minute is over. */
export class RefusedAddresses {
  private readonly until = new Map<string, number>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  add(address: string, seconds: number): void {
    this.until.delete(address);
    this.until.set(address, this.now() + seconds * 1000);
    if (this.until.size > maxEntries) this.until.delete(this.until.keys().next().value!);
  }

  /** Seconds that the address has to wait; undefined if it need not. */
  waitOf(address: string): number | undefined {
    const until = this.until.get(address);
    if (until === undefined) return undefined;
    const leftMs = until - this.now();
    if (leftMs > 0) return Math.ceil(leftMs / 1000);
    this.until.delete(address);
    return undefined;
  }
}
