import { EventEmitter } from 'node:events';
import type { Page } from 'playwright-core';
import { OpenPages } from './open-pages.js';

class FakePage extends EventEmitter {
  constructor(private readonly address: string) {
    super();
  }

  url(): string {
    return this.address;
  }

  title(): Promise<string> {
    return Promise.resolve('');
  }

  async close(): Promise<void> {
    this.emit('close');
  }
}

describe('the pages of a session', () => {
  let context: EventEmitter & { newPage(): Promise<Page> };
  let pages: OpenPages;
  const urls = () => pages.facts().map(({ url }) => url);

  function appear(address: string): FakePage {
    const page = new FakePage(address);
    context.emit('page', page);
    return page;
  }

  /** One that a page opens and closes again. */
  async function flash(address: string): Promise<void> {
    await appear(address).close();
  }

  beforeEach(() => {
    const newPage = async () => {
      await flash('during');
      const page = appear('own');
      await Promise.resolve();
      return page as unknown as Page;
    };
    context = Object.assign(new EventEmitter(), { newPage });
    const browser = { context, control: {} } as unknown as ConstructorParameters<typeof OpenPages>[0];
    pages = new OpenPages(browser, { maxPages: 3, maxPagesEver: 5 });
  });

  it('are so many, closed ones too, and no more', async () => {
    for (let n = 0; n < 100; n += 1) await flash(`flash ${n}`);
    expect(urls()).toEqual(['flash 0', 'flash 1', 'flash 2', 'flash 3', 'flash 4']);
  });

  it('are closed when they are too many', async () => {
    for (let n = 0; n < 5; n += 1) await flash(`flash ${n}`);
    const page = new FakePage('one more');
    const closed = new Promise((resolve) => page.once('close', resolve));
    context.emit('page', page);
    await closed;
    expect(urls()).not.toContain('one more');
  });

  it('keep those that are open, and the current one, whatever comes after them', async () => {
    const first = appear('first');
    const second = appear('second');
    for (let n = 0; n < 100; n += 1) await flash(`flash ${n}`);
    expect(pages.current).toBe(second);
    expect(urls().slice(0, 2)).toEqual(['first', 'second']);
    await second.close();
    expect(pages.current).toBe(first);
    expect(pages.factsOf(second as unknown as Page).closedAt).toBeInstanceOf(Date);
  });

  it('have one more that the agent opens, and not those that appear meanwhile', async () => {
    for (let n = 0; n < 5; n += 1) await flash(`flash ${n}`);
    const own = await pages.openNew();
    await new Promise(setImmediate);
    expect(pages.current).toBe(own);
    expect(pages.factsOf(own)).toMatchObject({ url: 'own', closedAt: null });
    expect(urls().slice(5)).toEqual(['own']);
  });

  it('have a page of the agent once where there is room', async () => {
    await pages.openNew();
    expect(urls()).toEqual(['during', 'own']);
  });
});
