import { EventEmitter } from 'node:events';
import type { BrowserContext } from 'playwright-core';
import { Navigations } from './navigations.js';

const url = 'http://site.example.com/file';

/** The request of a whole page that has failed, as Playwright tells of it. */
function failedRequest({ status, errorText, at = url }: { status?: number; errorText: string; at?: string }) {
  return {
    url: () => at,
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

  async function isSettledNow(): Promise<boolean> {
    let settled = false;
    void navigations.settled(10_000, undefined).then(() => (settled = true));
    await new Promise(setImmediate);
    return settled;
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

  describe('of which there are too many', () => {
    const aborted = { status: 200, errorText: 'net::ERR_ABORTED' };
    const addresses = Array.from({ length: 1_000 }, (_, n) => `http://site${n}.example.com/`);
    const kept = addresses.slice(-200);

    it('are known by the latest addresses that were asked for', () => {
      // One that is asked for again is as new as the last.
      for (const at of [...addresses, kept[0]!, url])
        context.emit('request', failedRequest({ ...aborted, at }));
      const missedOf = (address: string) => {
        navigations.remember({ url: address, kind: 'refused', reason: address });
        return navigations.missedNavigation()?.url;
      };
      expect(missedOf(addresses.at(-201)!)).toBeUndefined();
      expect(missedOf(kept[0]!)).toBe(kept[0]);
    });

    it('are known by the latest origins that failed', () => {
      addresses.forEach((at) => fail(failedRequest({ errorText: 'net::ERR_FAILED', at })));
      const missedAt = (address: string) => {
        navigations.remember({ url: `${address}x`, kind: 'unreachable', reason: '' });
        return navigations.missedNavigation()?.url;
      };
      expect(missedAt(addresses.at(-201)!)).toBeUndefined();
      expect(missedAt(kept[0]!)).toBe(`${kept[0]}x`);
    });

    it('wait for the latest that became downloads', async () => {
      addresses.forEach((at) => fail(failedRequest({ ...aborted, at })));
      kept.forEach((at) => context.emit('download', { url: () => at }));
      expect(await isSettledNow()).toBe(true);
    });

    it('keep no address that no request can have', async () => {
      fail(failedRequest({ ...aborted, at: `${url}?${'x'.repeat(65_536)}` }));
      expect(await isSettledNow()).toBe(true);
    });
  });

  it.each([
    ['an answer without content', { status: 204, errorText: 'net::ERR_ABORTED' }],
    ['no answer', { errorText: 'net::ERR_ABORTED' }],
    ['a connection that broke off', { status: 200, errorText: 'net::ERR_CONNECTION_RESET' }],
  ])('wait for no download after %s', async (_name, request) => {
    fail(failedRequest(request));
    expect(await isSettledNow()).toBe(true);
  });
});
