import { newId } from '@aos/persistence';

/** The client's own id if it is a sound one, else a new one. */
export function requestId(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[\x20-\x7e]{1,128}$/.test(header) ? header : newId();
}
