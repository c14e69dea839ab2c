import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { Screenshot } from './action-report.js';
import { within } from './waiting.js';

const retryMs = 250;

/** What the page shows now. Its size is read from the picture: the header of a PNG begins with width and height. */
export async function takeScreenshot(page: Page, timeoutMs: number): Promise<Screenshot> {
  // A page that changes its process, as for an error, breaks off what it is asked meanwhile.
  const again = async (): Promise<Buffer> => {
    await delay(retryMs);
    return capture(page);
  };
  const png = await within(timeoutMs, capture(page).catch(again));
  if (!png) throw new Error('The page gave no picture in time');
  return { png, width: png.readUInt32BE(16), height: png.readUInt32BE(20), capturedAt: new Date() };
}

/** Asked of Chromium itself: Playwright would wait for fonts that may never come. */
async function capture(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  try {
    const { data } = await session.send('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(data, 'base64');
  } finally {
    session.detach().catch(() => undefined);
  }
}
