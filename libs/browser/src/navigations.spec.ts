import { EventEmitter } from 'node:events';
import type { BrowserContext } from 'playwright-core';
import { Navigations } from './navigations.js';

const url = 'http://site.example.com/file';

/** The request of a whole page that has failed, as Playwright tells of it. */
function failedRequest({ status, errorText }: { status?: number; errorText: string }) {
  return {
    url: () => url,
    isNavigationRequest: () => true,
    frame: () => ({ parentFrame: () => null }),
    existingResponse: () => (status === undefined ? null : { status: () => status }),
    failure: () => ({ errorText }),
  };
}

describe('the navigations of an action', () => {
  let context: EventEmitter;
  let navigations: Navigations;

  beforeEach(() => {
    context = new EventEmitter();
    navigations = new Navigations(context as unknown as Pick<BrowserContext, 'on'>);
  });

  function fail(request: ReturnType<typeof failedRequest>): void {
    context.emit('request', request);
    context.emit('requestfailed', request);
  }

  it('are settled with the download that a page has become, of which Chromium tells later', async () => {
    const order: string[] = [];
    fail(failedRequest({ status: 200, errorText: 'net::ERR_ABORTED' }));
    const settled = navigations.settled(10_000, undefined).then(() => order.push('settled'));
    setTimeout(() => {
      order.push('download');
      context.emit('download', { url: () => url });
    }, 1);
    await settled;
    expect(order).toEqual(['download', 'settled']);
  });

  it.each([
    ['an answer without content', { status: 204, errorText: 'net::ERR_ABORTED' }],
    ['no answer', { errorText: 'net::ERR_ABORTED' }],
    ['a connection that broke off', { status: 200, errorText: 'net::ERR_CONNECTION_RESET' }],
  ])('wait for no download after %s', async (_name, request) => {
    fail(failedRequest(request));
    let settled = false;
    void navigations.settled(10_000, undefined).then(() => (settled = true));
    await new Promise(setImmediate);
    expect(settled).toBe(true);
  });
});
