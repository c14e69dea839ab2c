import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { canKeepApart } from '@aos/browser';
import { wantedForm } from '../product-form.js';
import { usesImages } from '../service-images.js';
import type { SharedProductPlace } from '../shared-product.js';
import type { Stack } from '../stack.js';

/** Starts the product when the first file asks for it, and tells every file of the run where it is. */
export class SharedProduct {
  private stack: Promise<Stack> | undefined;

  private constructor(private readonly server: Server) {}

  static async offer(): Promise<SharedProduct> {
    const server = createServer((_, response) => {
      // Each file asks once: the next must not be sent on a connection that is just being closed.
      response.setHeader('connection', 'close');
      void shared.place().then(
        (place) => response.end(JSON.stringify(place)),
        (error: Error) => response.writeHead(500).end(error.message),
      );
    });
    const shared = new SharedProduct(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    return shared;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  private async place(): Promise<SharedProductPlace> {
    const { urls, adminKey, database, oauth } = await (this.stack ??= startWhole());
    return { urls, adminKey, databaseUrl: database.url, oauth: oauth! };
  }

  async close(): Promise<void> {
    this.server.close();
    const stack = await this.stack?.catch(() => undefined);
    await stack?.stop();
  }
}

const maxStarts = 3;

/**
 * Two gateways: what one of them did, the other must know too. All else is in one process, which costs a third less,
 * unless the other form or images are asked for.
 */
async function startWhole(): Promise<Stack> {
  const { pricesOfTests, servicesBehindGateway, startStack } = await import('../stack.js');
  const together = wantedForm !== 'split' && !usesImages;
  // Off only where neither another user nor a namespace can be had.
  const environment = { BROWSER_SANDBOX: (await canKeepApart()) ? 'on' : 'off', ...pricesOfTests };
  // On a machine that is out of breath a connection times out, and every file that shares the product would fail by it.
  for (let left = maxStarts - 1; ; left -= 1) {
    try {
      return await startStack({ gateways: 2, together, services: servicesBehindGateway, environment });
    } catch (error) {
      if (left === 0) throw error;
      console.error('The product did not start, and is started again:', error);
    }
  }
}

/** Jest loads set-up and tear-down as modules of their own; the process is what they share. */
export const sharedProductHolder: { product?: SharedProduct } = ((
  globalThis as typeof globalThis & { aosSharedProduct?: { product?: SharedProduct } }
).aosSharedProduct ??= {});
