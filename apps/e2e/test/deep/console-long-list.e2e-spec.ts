import { eventually, seededRandom } from '@aos/testing';
import type { Page } from 'playwright-core';
import { axeViolations, signInByKey } from '../../src/console/console-browser.js';
import { describeConsole } from '../../src/console/describe-console.js';
import { deleteManyRuns, insertManyRuns, titleOf } from '../../src/console/many-runs.js';

const total = 100_000;
const rowHeight = 44;
/** Those of a window of 860 pixels, as many above and below it, and one that has the focus. */
const maxRows = 60;
const random = seededRandom();
/** The place in the list, from 1, has the run with this number. */
const numberAt = (place: number) => total + 1 - place;

/** What a person sees of the list. Rows have the number of the header before them. */
interface Sight {
  readonly places: readonly number[];
  readonly titles: readonly string[];
  /** The height that rows have, and where their header is. */
  readonly room: number;
  readonly headerTop: number;
}

describeConsole('a list of 100,000 runs', 'Archive', (stage) => {
  let page: Page;

  beforeAll(async () => {
    await insertManyRuns(stage.product.database, stage.team.id, total);
    page = await stage.browser.page();
    await signInByKey(page, stage.base, stage.team.key, '/console/runs');
    await page.getByText('100K runs', { exact: true }).waitFor();
    await page.evaluate(countRows);
  });

  afterEach(async () => {
    expect(await page.evaluate('window.maxRows')).toBeLessThanOrEqual(maxRows);
  });

  afterAll(async () => {
    if (stage.team) await deleteManyRuns(stage.product.database, stage.team.id);
  });

  const sight = () => page.evaluate<Sight>(rowsInSight);

  /** Each row that can be seen is the one that belongs there. */
  async function expectInSight(expected: (places: readonly number[]) => void): Promise<readonly number[]> {
    return eventually(async () => {
      const { places, titles, room, headerTop } = await sight();
      expect(titles).toEqual(places.map((place) => titleOf(numberAt(place))));
      expect(places).toEqual(places.map((_, index) => places[0]! + index));
      expect(places.length).toBeGreaterThanOrEqual(Math.floor(room / rowHeight) - 1);
      // The names of the columns stay.
      expect(Math.abs(headerTop)).toBeLessThan(2);
      expected(places);
      return places;
    });
  }

  it('is scrolled by the wheel without a gap', async () => {
    await page.getByRole('region', { name: 'Runs' }).hover();
    let [last] = (await expectInSight((places) => expect(places[0]).toBe(1))).slice(-1);
    for (let turn = 0; turn < 12; turn += 1) {
      await page.mouse.wheel(0, 300);
      const before = last!;
      const places = await expectInSight((seen) => expect(seen.at(-1)).toBeGreaterThan(before));
      expect(places[0]).toBeLessThanOrEqual(before + 1);
      last = places.at(-1);
    }
  });

  it('shows any of its rows where a person drags the bar to, the last too', async () => {
    const places = Array.from({ length: 8 }, () => random.whole(1, total - 20));
    for (const place of places) {
      await page.evaluate(`document.querySelector('.run-list').scrollTop = ${(place - 1) * rowHeight}`);
      await expectInSight((seen) => expect(seen[0]).toBe(place));
    }
    await page.evaluate(`document.querySelector('.run-list').scrollTop = 1e9`);
    await expectInSight((seen) => expect(seen.at(-1)).toBe(total));
  });

  it('is walked through by the keyboard, to either end and back', async () => {
    const region = page.getByRole('region', { name: 'Runs' });
    await region.focus();
    await page.keyboard.press('Home');
    await expectInSight((seen) => expect(seen[0]).toBe(1));
    await page.keyboard.press('Tab');
    await expectFocus(1);
    for (let press = 0; press < 30; press += 1) await page.keyboard.press('ArrowDown');
    await expectFocus(31);
    await page.keyboard.press('End');
    await expectFocus(total);
    await page.keyboard.press('ArrowUp');
    await expectFocus(total - 1);
    await page.keyboard.press('PageUp');
    const { places } = await sight();
    await eventually(async () => expect(await focused()).toBeLessThan(total - 5));
    expect(places.length).toBeGreaterThan(5);
    // A row that is scrolled away keeps the focus: the next key goes on from it.
    const here = await focused();
    await page.evaluate(`document.querySelector('.run-list').scrollTop = 0`);
    await expectInSight((seen) => expect(seen[0]).toBe(1));
    expect(await focused()).toBe(here);
    await page.keyboard.press('ArrowDown');
    await expectFocus(here + 1);
    await page.keyboard.press('Home');
    await expectFocus(1);
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: titleOf(total) }).waitFor();
  });

  const focused = () =>
    page.evaluate<number>(
      `Number(document.activeElement.closest('[aria-rowindex]')?.getAttribute('aria-rowindex')) - 1`,
    );

  /** Has the focus, and can be seen. */
  async function expectFocus(place: number): Promise<void> {
    await expectInSight((seen) => expect(seen).toContain(place));
    await eventually(async () => expect(await focused()).toBe(place));
  }
});

/** Programs of the page, as texts: its names are not known here. */
const countRows = `(() => {
  const rows = document.querySelector('.run-rows');
  const count = () => { window.maxRows = Math.max(window.maxRows ?? 0, rows.childElementCount); };
  count();
  new MutationObserver(count).observe(rows, { childList: true });
})()`;

const rowsInSight = `(() => {
  const box = document.querySelector('.run-list').getBoundingClientRect();
  const header = document.querySelector('.run-row.header').getBoundingClientRect();
  const top = header.bottom;
  const seen = [...document.querySelectorAll('.run-rows > .run-row')].filter((row) => {
    const { y, height } = row.getBoundingClientRect();
    return y >= top - 1 && y + height <= box.bottom + 1;
  });
  return {
    room: box.bottom - top,
    headerTop: header.top - box.top,
    places: seen.map((row) => Number(row.getAttribute('aria-rowindex')) - 1),
    titles: seen.map((row) => row.querySelector('.run-link')?.textContent ?? ''),
  };
})()`;
