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
