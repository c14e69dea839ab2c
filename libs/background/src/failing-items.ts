import type { Logger } from '@aos/platform';

/** Items that failed and are skipped for a while, so that a loop goes on with the others. */
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

const leftAloneMs = 60_000;

/**
 * Work on the rows of many teams, one by one: a row that cannot be handled is left alone for a while and holds up no
 * other. The query that looks for rows leaves out `ids()`.
 */
export class FailingItems {
  private readonly resting = new Resting(leftAloneMs);

  constructor(
    private readonly logger: Logger,
    private readonly what: string,
  ) {}

  ids(): string[] {
    return this.resting.active();
  }

  async each<Item extends { readonly id: string }>(
    items: readonly Item[],
    work: (item: Item) => Promise<unknown>,
  ): Promise<void> {
    for (const item of items) {
      try {
        await work(item);
      } catch (error) {
        this.resting.add(item.id);
        this.logger.error({ err: error, id: item.id }, `${this.what} failed and is left alone for a while`);
      }
    }
  }
}
