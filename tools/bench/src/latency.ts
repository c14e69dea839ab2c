export interface Latency {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const warmUpMs = 500;

/** Keeps a number of calls in flight for a while. */
export async function latency(
  inFlight: number,
  seconds: number,
  call: () => Promise<unknown>,
): Promise<Latency> {
  await loop(inFlight, warmUpMs, call);
  const times = await loop(inFlight, seconds * 1000, call);
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!;
  return { perSecond: times.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}

async function loop(inFlight: number, durationMs: number, call: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + durationMs;
  const lane = async () => {
    for (let now = performance.now(); now < end;) {
      await call();
      const after = performance.now();
      times.push(after - now);
      now = after;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return times;
}
