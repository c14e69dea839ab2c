import type { Logger } from '@aos/platform';

const leftAloneMs = 60_000;

/**
 * Work on the rows of many teams, one by one: a row that cannot be handled is left alone for a while and holds up no
 * other. Whoever looks for rows leaves out `ids()`.
 */
export class FailingItems {
  private readonly until = new Map<string, number>();

  constructor(
    private readonly logger: Logger,
    private readonly what: string,
  ) {}

  ids(): string[] {
    const now = performance.now();
    for (const [id, until] of this.until) if (until <= now) this.until.delete(id);
    return [...this.until.keys()];
  }

  async each<Item extends { readonly id: string }>(
    items: readonly Item[],
    work: (item: Item) => Promise<unknown>,
  ): Promise<void> {
    for (const item of items) {
      try {
        await work(item);
      } catch (error) {
        this.until.set(item.id, performance.now() + leftAloneMs);
        this.logger.error({ err: error, id: item.id }, `${this.what} failed and is left alone for a while`);
      }
    }
  }
}
