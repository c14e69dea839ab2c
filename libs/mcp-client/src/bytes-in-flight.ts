/** An answer that is being read. */
export interface Reading {
  bytes: number;
  /** Ends it, since all answers together are too large. */
  readonly drop: () => void;
}

/** Limits the bytes of all answers that a process is reading. The largest of them gives way, so that none waits for others. */
export class BytesInFlight {
  private readonly readings = new Set<Reading>();

  constructor(private readonly maxBytes: number) {}

  add(reading: Reading): void {
    this.readings.add(reading);
  }

  remove(reading: Reading): void {
    this.readings.delete(reading);
  }

  /** To be called when one has grown. */
  check(): void {
    let total = 0;
    for (const { bytes } of this.readings) total += bytes;
    while (total > this.maxBytes) {
      const largest = [...this.readings].reduce((one, other) => (other.bytes > one.bytes ? other : one));
      this.readings.delete(largest);
      total -= largest.bytes;
      largest.drop();
    }
  }
}
