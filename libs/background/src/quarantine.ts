import type { Logger } from '@aos/platform';

/** Remembers failed items for a while, so that a loop skips them and continues with the others. */
export class CoolDown {
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

const quarantineMs = 60_000;

/**
 * Handles the rows of many teams one by one: a row that fails is skipped for a minute and delays no other. The query that
 * selects rows excludes `ids()`.
 */
export class Quarantine {
  private readonly failed = new CoolDown(quarantineMs);

  constructor(
    private readonly logger: Logger,
    private readonly what: string,
  ) {}

  ids(): string[] {
    return this.failed.active();
  }

  async each<Item extends { readonly id: string }>(
    items: readonly Item[],
    work: (item: Item) => Promise<unknown>,
  ): Promise<void> {
    for (const item of items) {
      try {
        await work(item);
      } catch (error) {
        this.failed.add(item.id);
        this.logger.error({ err: error, id: item.id }, `${this.what} failed; skipped for a minute`);
      }
    }
  }
}
