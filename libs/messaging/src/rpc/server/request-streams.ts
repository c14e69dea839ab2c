import { callersOf, mayCall, type ContractTable } from '@aos/contracts';
import type { RequestHead } from '../wire/request-frames.js';
import type { KeyNames } from '../../redis/redis-connections.js';
import { replyChannels, requestStream } from '../wire/rpc-names.js';

/** The streams in which requests to a service lie: one for clients, and one for each other role that asks it something. */
export class RequestStreams {
  readonly keys: readonly string[];
  private readonly callers: ReadonlyMap<string, string>;

  constructor(
    private readonly names: KeyNames,
    private readonly service: string,
    private readonly table: ContractTable,
  ) {
    this.callers = new Map(
      callersOf(service, table).map((role) => [requestStream(names, service, role), role]),
    );
    this.keys = [requestStream(names, service), ...this.callers.keys()];
  }

  /**
   * Throws for a request that the role with this stream does not make: an operation, whose principal would be believed, a
   * call that its contract does not allow to the role, and an answer that would go to another.
   */
  check(stream: string, { name, replyTo }: RequestHead): void {
    const role = this.callers.get(stream);
    if (role === undefined) return;
    const call = this.table.internalCalls.find((declared) => declared.name === name);
    if (!call || !mayCall(role, call, this.service, this.table)) {
      throw new Error(`${role} may not ask ${this.service} for ${name}`);
    }
    if (!replyTo.startsWith(replyChannels(this.names, this.service, role))) {
      throw new Error(`${role} gave the reply channel of another`);
    }
  }
}
