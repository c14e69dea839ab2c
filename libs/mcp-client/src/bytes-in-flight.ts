/** An answer that is being read. */
export interface Reading {
  /** The team for which it is read. */
  readonly teamId: string;
  bytes: number;
  /** Ends it, since all answers together are too large. */
  readonly drop: () => void;
}

/**
 * Limits the bytes of all answers that a process is reading. The largest answer of the team that reads most gives way: none
 * waits for others, and no team loses an answer to a team that reads more.
 */
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
    while (bytesOf(this.readings) > this.maxBytes) {
      const largest = largestOf(this.ofGreediestTeam());
      this.readings.delete(largest);
      largest.drop();
    }
  }

  private ofGreediestTeam(): Reading[] {
    const readings = new Map<string, Reading[]>();
    for (const reading of this.readings) {
      const ofTeam = readings.get(reading.teamId);
      if (ofTeam) ofTeam.push(reading);
      else readings.set(reading.teamId, [reading]);
    }
    return [...readings.values()].reduce((one, other) => (bytesOf(other) > bytesOf(one) ? other : one));
  }
}

function bytesOf(readings: Iterable<Reading>): number {
  let sum = 0;
  for (const { bytes } of readings) sum += bytes;
  return sum;
}

function largestOf(readings: readonly Reading[]): Reading {
  return readings.reduce((one, other) => (other.bytes > one.bytes ? other : one));
}
