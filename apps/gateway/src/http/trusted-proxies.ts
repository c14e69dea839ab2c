import { isIP } from 'node:net';
import { z } from 'zod';

/** As Fastify takes it: no proxy, ranges of addresses, or who is believed at which distance. */
export type TrustedProxies = false | string[] | ((address: string, hop: number) => boolean);

const maxHops = 16;
const hops = /^\d{1,2}$/;
const shape = `must be false, the number of proxies in front (1 to ${maxHops}), or their addresses: 10.0.0.0/8,192.0.2.7`;

/**
 * Which proxies are believed about the client's address. Never all of them: the leftmost entry of X-Forwarded-For is
 * whatever the client wrote there, and limits by address would be limits by a name of the client's choice.
 */
export const trustedProxies = z.string().transform((text, context): TrustedProxies => {
  const value = text.trim();
  if (value === 'false' || value === '0') return false;
  if (hops.test(value) && Number(value) <= maxHops) return (_address, hop) => hop < Number(value);
  const ranges = value.split(',').map((range) => range.trim());
  if (ranges.every(isRange)) return ranges;
  const message =
    value === 'true' ? `believing every proxy lets a client choose its own address; it ${shape}` : shape;
  context.issues.push({ code: 'custom', message, input: text });
  return z.NEVER;
});

function isRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= (version === 4 ? 32 : 128);
}
