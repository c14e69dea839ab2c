import { operationTable, type Operations } from './generated.js';
import type { OperationEntry } from './operation-entry.js';
import type { CallOptions } from './transport.js';

type Lists = {
  [Id in keyof Operations]: Operations[Id] extends { item: unknown } ? Id : never;
}[keyof Operations];

/** Operations that give a list page by page. */
export type ListId = Lists;

type ItemOf<Id extends ListId> = Operations[Id] extends { item: infer Item } ? Item : never;

type Page = Readonly<Record<string, unknown>>;
type Call = (input: Page, options?: CallOptions) => Promise<Page>;

/** All rows of a list, page after page: `for await (const run of client.each.listRuns())`. */
export type Each = {
  readonly [Id in ListId]: (
    input?: Operations[Id]['input'],
    options?: CallOptions,
  ) => AsyncGenerator<ItemOf<Id>, void, void>;
};

export function eachOf(calls: Readonly<Record<string, Call>>): Each {
  const lists = Object.entries<OperationEntry>(operationTable).filter(([, { items }]) => items !== undefined);
  return Object.fromEntries(
    lists.map(([id, entry]) => [
      id,
      (input: Page = {}, options?: CallOptions) => rows(entry, calls[id]!, input, options),
    ]),
  ) as unknown as Each;
}

async function* rows(
  entry: OperationEntry,
  call: Call,
  input: Page,
  options?: CallOptions,
): AsyncGenerator<unknown, void, void> {
  const isLast = entry.paging === 'cursor' ? lastByCursor : lastByOffset;
  for (let next: Page = input; ;) {
    const page = await call(next, options);
    const items = page[entry.items!] as readonly unknown[];
    yield* items;
    const after = isLast(page, next, items.length);
    if (!after) return;
    next = { ...input, ...after };
  }
}

function lastByCursor(page: Page): Page | undefined {
  return page['has_more'] ? { after: page['next_cursor'] } : undefined;
}

/** A page may hold fewer rows than were asked for, so the next one begins behind those that came. */
function lastByOffset(page: Page, { offset = 0 }: Page, received: number): Page | undefined {
  const next = Number(offset) + received;
  return received > 0 && next < Number(page['total']) ? { offset: next } : undefined;
}
