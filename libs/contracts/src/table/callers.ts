import type { ContractTable } from './contract-table.js';
import type { InternalCall } from '../declarations/internal-call.js';
import type { Secrets } from '../schemas/common.js';
import { serviceOfRole } from '../services.js';

/** The role that passes on the requests of clients. What comes from it, or from an operator's tool, may be any request. */
export const frontRole = 'gateway';

/** Whether a role makes this call to a service. */
export function mayCall(role: string, call: InternalCall, service: string, table: ContractTable): boolean {
  if (role === frontRole) return true;
  if (call.owner !== undefined && call.owner !== service) return false;
  if (call.callers !== 'consumers') return call.callers.some((caller) => caller === role);
  return consumersOf(service, table).includes(role);
}

/** The roles beside the front one that make requests to a service. */
export function callersOf(service: string, table: ContractTable): string[] {
  const calls = table.internalCalls.filter(({ owner }) => owner === undefined || owner === service);
  const callers = calls.flatMap<string>((call) =>
    call.callers === 'consumers' ? consumersOf(service, table) : [...call.callers],
  );
  return [...new Set(callers)].filter((role) => role !== frontRole).toSorted();
}

/** The services that a role makes requests to. */
export function servicesCalledBy(role: string, services: readonly string[], table: ContractTable): string[] {
  if (role === frontRole) return [...services];
  return services.filter((service) => callersOf(service, table).includes(role));
}

/** The services whose events a role consumes. Workers leave that to the other replicas of their service. */
export function sourcesOf(role: string, table: ContractTable): string[] {
  if (serviceOfRole(role) !== role) return [];
  const consumed = table.events.filter(({ consumers }) => consumers.includes(role));
  return [...new Set(consumed.map(({ source }) => source))].toSorted();
}

function consumersOf(service: string, table: ContractTable): string[] {
  return table.events.filter(({ source }) => source === service).flatMap(({ consumers }) => [...consumers]);
}

/** Whether a role sends or gets requests or answers whose secrets are sealed on their way. */
export function exchangesSecrets(role: string, table: ContractTable): boolean {
  if (role === frontRole) return true;
  const isSecret = ({ secrets }: { readonly secrets: Secrets }) => secrets.request || secrets.response;
  const owned = [...table.operations, ...table.internalCalls].filter(({ owner }) => owner === role);
  const called = table.internalCalls.filter(
    (call) => call.owner !== undefined && mayCall(role, call, call.owner, table),
  );
  return [...owned, ...called].some(isSecret);
}
