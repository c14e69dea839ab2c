const lookEveryMs = 50;

/** Knows which gateways take requests, as a balancer in front of them does: by asking each whether it is ready. */
export class ReadyGateways {
  private readonly ready = new Set<string>();
  private readonly looking: Promise<unknown>;
  private turn = 0;
  private stopped = false;

  constructor(private readonly urls: readonly string[]) {
    this.looking = Promise.all(urls.map((url) => this.watch(url)));
  }

  /** The next that is ready, in turn; waits where none is. */
  async next(): Promise<string> {
    for (;;) {
      const ready = this.urls.filter((url) => this.ready.has(url));
      if (ready.length > 0) return ready[(this.turn += 1) % ready.length]!;
      await pause();
    }
  }

  async areAllReady(): Promise<void> {
    while (this.ready.size < this.urls.length) await pause();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.looking;
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
