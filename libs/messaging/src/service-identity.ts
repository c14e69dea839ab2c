import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { ContractTable } from '@aos/contracts';

/** Which service this process is a replica of, and what that obliges it to. */
export class ServiceIdentity {
  /** Tells this process from other replicas. */
  readonly replica: string;

  constructor(
    readonly service: string,
    readonly table: ContractTable,
    /** Whether it takes part in the work of all replicas; else it does one thing for them. */
    readonly sharesWork = true,
  ) {
    this.replica = `${hostname()}-${process.pid}-${randomBytes(4).toString('hex')}`;
  }
}
