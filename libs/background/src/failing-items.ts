import type { Logger } from '@aos/platform';
import { Resting } from './resting.js';

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
