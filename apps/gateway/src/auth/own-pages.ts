import { AppError } from '@aos/contracts';

export interface PageRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** No form and no link of another site can send it. */
const ownHeader = 'x-aos-request';
const reading: readonly string[] = ['GET', 'HEAD'];
/** `none` is a person who opens an address. */
const ownSites: readonly unknown[] = [undefined, 'same-origin', 'none'];

/**
 * Refuses a request with a session that a page of another origin could have made the browser send. One that only reads may
 * lack an `Origin`, which browsers leave out then.
 */
export function refuseOtherPages({ method, headers }: PageRequest, publicBaseUrl: string): void {
  const isReading = reading.includes(method);
  const { origin, host, 'sec-fetch-site': site } = headers;
  const isOwn = origin === undefined ? isReading : isOwnOrigin(origin, host, publicBaseUrl);
  if (!isOwn || !ownSites.includes(site)) {
    throw new AppError(
      'forbidden',
      'Sessions are accepted only from the pages of this service, at its own address.',
    );
  }
  if (!isReading && headers[ownHeader] !== '1') {
    throw new AppError('forbidden', 'Requests with a session need the header X-AOS-Request: 1.');
  }
}

/**
 * The public address, or the name under which the browser asks: the cookie is that name's alone. The scheme is always that
 * of the public address, or a page that came without TLS could speak for one that came with it.
 */
function isOwnOrigin(origin: unknown, host: unknown, publicBaseUrl: string): boolean {
  const own = new URL(publicBaseUrl);
  if (typeof origin !== 'string' || !URL.canParse(origin)) return false;
  const given = new URL(origin);
  if (given.protocol !== own.protocol) return false;
  return given.host === own.host || (typeof host === 'string' && given.host === host.toLowerCase());
}
