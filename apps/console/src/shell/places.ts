import type { GrantedScope } from '@aos/client';

export interface Place {
  readonly to:
    | '/runs'
    | '/inbox'
    | '/agents'
    | '/queues'
    | '/connections'
    | '/artifacts'
    | '/usage'
    | '/keys';
  readonly label: string;
  /** Without it the page would be empty. */
  readonly needs: GrantedScope;
}

export const places: readonly Place[] = [
  { to: '/runs', label: 'Runs', needs: 'runs:read' },
  { to: '/inbox', label: 'Inbox', needs: 'runs:read' },
  { to: '/agents', label: 'Agents', needs: 'agents:read' },
  { to: '/queues', label: 'Queues', needs: 'queues:read' },
  { to: '/connections', label: 'Connections', needs: 'connections:read' },
  { to: '/artifacts', label: 'Artifacts', needs: 'artifacts:read' },
  { to: '/usage', label: 'Usage', needs: 'billing:read' },
  { to: '/keys', label: 'Keys', needs: 'team:admin' },
];

/** The place that a route is part of. */
export function placeOf(routeId: string | undefined): Place | undefined {
  return places.find(({ to }) => routeId === to || routeId?.startsWith(`${to}/`));
}
