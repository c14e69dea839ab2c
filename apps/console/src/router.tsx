import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { BrokenPage, UnknownPage } from './shell/broken-page';
import { basePath } from './session/base-path';
import { Home, Shell } from './shell/shell';
import { runSearch } from './runs/run-search';
import { Loading } from './ui/states';

const root = createRootRoute({ component: Shell, notFoundComponent: UnknownPage });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: Home,
});

const runs = createRoute({
  getParentRoute: () => root,
  path: '/runs',
  validateSearch: runSearch,
  component: lazyRouteComponent(() => import('./runs/runs-page'), 'RunsPage'),
});

const run = createRoute({
  getParentRoute: () => root,
  path: '/runs/$runId',
  component: lazyRouteComponent(() => import('./runs/run-page'), 'RunPage'),
});

const inbox = createRoute({
  getParentRoute: () => root,
  path: '/inbox',
  component: lazyRouteComponent(() => import('./inbox/inbox-page'), 'InboxPage'),
});

const agents = createRoute({
  getParentRoute: () => root,
  path: '/agents',
  component: lazyRouteComponent(() => import('./agents/agents-page'), 'AgentsPage'),
});

const agent = createRoute({
  getParentRoute: () => root,
  path: '/agents/$agentId',
  validateSearch: (given: Record<string, unknown>): { tab?: string; revision?: string } => ({
    ...(typeof given['tab'] === 'string' ? { tab: given['tab'] } : {}),
    ...(typeof given['revision'] === 'string' ? { revision: given['revision'] } : {}),
  }),
  component: lazyRouteComponent(() => import('./agents/agent-page'), 'AgentPage'),
});

const queues = createRoute({
  getParentRoute: () => root,
  path: '/queues',
  validateSearch: (given: Record<string, unknown>): { queue?: string; case?: string } => ({
    ...(typeof given['queue'] === 'string' ? { queue: given['queue'] } : {}),
    ...(typeof given['case'] === 'string' ? { case: given['case'] } : {}),
  }),
  component: lazyRouteComponent(() => import('./queues/queues-page'), 'QueuesPage'),
});

const connections = createRoute({
  getParentRoute: () => root,
  path: '/connections',
  component: lazyRouteComponent(() => import('./connections/connections-page'), 'ConnectionsPage'),
});

const artifacts = createRoute({
  getParentRoute: () => root,
  path: '/artifacts',
  validateSearch: (given: Record<string, unknown>): { artifact?: string } =>
    typeof given['artifact'] === 'string' ? { artifact: given['artifact'] } : {},
  component: lazyRouteComponent(() => import('./artifacts/artifacts-page'), 'ArtifactsPage'),
});

const usage = createRoute({
  getParentRoute: () => root,
  path: '/usage',
  component: lazyRouteComponent(() => import('./team/usage-page'), 'UsagePage'),
});

const keys = createRoute({
  getParentRoute: () => root,
  path: '/keys',
  component: lazyRouteComponent(() => import('./team/keys-page'), 'KeysPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    ...[runs, run, inbox, agents, agent, queues, connections, artifacts, usage, keys],
  ]),
  basepath: `${basePath}/console`,
  defaultErrorComponent: BrokenPage,
  defaultPendingComponent: () => (
    <div className="page">
      <Loading lines={6} />
    </div>
  ),
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
