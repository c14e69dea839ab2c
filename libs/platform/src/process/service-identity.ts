import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { ContractTable } from '@aos/contracts';

/** What a process does of its service's work; where they are scaled apart, not every process does all of it. */
export interface ServiceRoles {
  /** The role whose accounts it uses at the stores; the name of the service unless given. */
  readonly role?: string;
  /** It answers requests. */
  readonly answersRequests: boolean;
  /** It takes jobs. */
  readonly takesJobs: boolean;
}

const allRoles: ServiceRoles = { answersRequests: true, takesJobs: true };

/** Which service this process is a replica of, and what that obliges it to. */
export class ServiceIdentity {
  /** Tells this process from other replicas. */
  readonly replica: string;
  /** Whose accounts it uses at the stores, and in whose name it asks others. */
  readonly role: string;

  constructor(
    readonly service: string,
    readonly table: ContractTable,
    /** Whether it takes part in the work of all replicas; else it does one thing for them. */
    readonly sharesWork = true,
    readonly roles: ServiceRoles = allRoles,
  ) {
    this.role = roles.role ?? service;
    this.replica = `${hostname()}-${process.pid}-${randomBytes(4).toString('hex')}`;
  }
}
