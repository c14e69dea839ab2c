/** The processes of the product. Each owns a Postgres schema, a request stream and an event log of its name. */
export const serviceNames = [
  'gateway',
  'agents-and-revisions',
  'runs',
  'connections',
  'webhook-dispatcher',
  'billing',
] as const;

export type ServiceName = (typeof serviceNames)[number];

/** The workers of runs apart from their API: they hold foreign code and browsers. */
export const runWorkers = 'run-workers';

/** Kinds of processes, each with accounts of its own at the stores. */
export const roleNames = [...serviceNames, runWorkers] as const;

export type RoleName = (typeof roleNames)[number];

/** The service of whose work a role does a part. */
export function serviceOfRole(role: string): string {
  return role === runWorkers ? ('runs' satisfies ServiceName) : role;
}
