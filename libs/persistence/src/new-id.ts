import { uuidv7 } from 'uuidv7';

/** A new id: UUIDv7, so that rows made later sort later and inserts touch the end of an index. */
export function newId(): string {
  return uuidv7();
}
