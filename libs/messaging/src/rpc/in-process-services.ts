import type { Broadcasts } from '../broadcasts/broadcasts.js';
import type { RequestHead } from './wire/request-frames.js';
import type { Answer } from './wire/rpc-frames.js';

/** A service that answers requests in this very process. */
export interface Neighbour {
  /** Nothing where it takes no more requests; another replica, or it itself a little later, takes them over Redis. */
  answerHere(head: RequestHead, payload: string): Promise<Answer> | undefined;
}

/**
 * The services that share a process: a request from one to another does not cross Redis. It travels as text all the
 * same, so that neither side can change what the other holds.
 */
export class InProcessServices {
  /** Those of each service: what one sends, the others hear without Redis. */
  readonly broadcasts = new Set<Broadcasts>();
  private readonly services = new Map<string, Neighbour>();

  add(service: string, neighbour: Neighbour): void {
    this.services.set(service, neighbour);
  }

  remove(service: string): void {
    this.services.delete(service);
  }

  find(service: string): Neighbour | undefined {
    return this.services.get(service);
  }
}
