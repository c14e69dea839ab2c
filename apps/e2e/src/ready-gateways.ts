const lookEveryMs = 50;

/** Knows which gateways take requests, as a balancer in front of them does: by asking each whether it is ready. */
export class ReadyGateways {
  private readonly ready = new Set<string>();
  private readonly leftOut = new Set<string>();
  private readonly underWay = new Map<string, number>();
  private readonly looking: Promise<unknown>;
  private turn = 0;
  private stopped = false;

  constructor(private readonly urls: readonly string[]) {
    this.looking = Promise.all(urls.map((url) => this.watch(url)));
  }

  /** Lets the next that is ready, in turn, do something; waits where none is. */
  async use<T>(work: (url: string) => Promise<T>): Promise<T> {
    const url = await this.next();
    try {
      return await work(url);
    } finally {
      this.count(url, -1);
    }
  }

  /** Sends no more requests to a gateway, and waits for those under way: what `preStop` gives time for in a cluster. */
  async leaveOut(url: string): Promise<void> {
    this.leftOut.add(url);
    while ((this.underWay.get(url) ?? 0) > 0) await pause();
  }

  takeBack(url: string): void {
    this.leftOut.delete(url);
  }

  async areAllReady(): Promise<void> {
    while (this.ready.size < this.urls.length) await pause();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.looking;
  }

  /** Counted as it is chosen: who leaves it out just then waits for it. */
  private async next(): Promise<string> {
    for (;;) {
      const ready = this.urls.filter((url) => this.ready.has(url) && !this.leftOut.has(url));
      if (ready.length > 0) {
        const url = ready[(this.turn += 1) % ready.length]!;
        this.count(url, 1);
        return url;
      }
      await pause();
    }
  }

  private count(url: string, more: number): void {
    this.underWay.set(url, (this.underWay.get(url) ?? 0) + more);
  }

  private async watch(url: string): Promise<void> {
    while (!this.stopped) {
      const isReady = await fetch(`${url}/readyz`).then(
        async (answer) => (await answer.arrayBuffer(), answer.ok),
        () => false,
      );
      if (isReady) this.ready.add(url);
      else this.ready.delete(url);
      await pause();
    }
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, lookEveryMs));
}
