import { findFreePort, isPortFree } from '@aos/local-infra';

/** The ports on which the processes show their metrics; each keeps its own over restarts, while it is free. */
export class MetricsPorts {
  readonly #ports = new Map<string, number>();
  readonly #exclude: readonly number[];
  #turn: Promise<unknown> = Promise.resolve();

  /** @param exclude The ports of others that may be down for a moment and come back. */
  constructor(exclude: readonly number[]) {
    this.#exclude = exclude;
  }

  /** Asked before each start of the process. One at a time, so that two never find the same one free. */
  portFor(name: string): Promise<number> {
    const found = this.#turn.then(() => this.#choose(name));
    this.#turn = found.catch(() => undefined);
    return found;
  }

  urlOf(name: string): string | undefined {
    const port = this.#ports.get(name);
    return port === undefined ? undefined : `http://127.0.0.1:${port}/metrics`;
  }

  async #choose(name: string): Promise<number> {
    const known = this.#ports.get(name);
    if (known !== undefined && (await isPortFree(known))) return known;
    const port = await findFreePort({ exclude: [...this.#exclude, ...this.#ports.values()] });
    this.#ports.set(name, port);
    return port;
  }
}
