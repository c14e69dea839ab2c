import type { Channel, StagedFile } from '../declarations/operation.js';
import type { RawRequest } from './parse-request.js';
import type { Principal } from '../principals/principal.js';

/** A public operation on its way to the service that owns it. */
export interface OperationEnvelope extends RawRequest {
  readonly principal: Principal;
  readonly idempotencyKey?: string;
  /** The file of the request, where the gateway has put it. */
  readonly upload?: StagedFile;
  /** How the caller reached the gateway; the HTTP interface where none is named. */
  readonly channel?: Channel;
}

/** The HTTP answer, made by the owner; `body` is JSON text and is passed on as it is. */
export interface OperationAnswer {
  readonly status: number;
  readonly body: string;
  readonly replayed?: boolean;
  readonly retryAfterSeconds?: number;
}
