import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ServiceName, serviceNames } from '@aos/contracts/services';
import type { MetricsPorts } from './metrics-ports.js';
import { environmentOf, environmentTogether, type EnvironmentPlan } from './service-environment.js';
import type { ServiceOutput } from './service-output.js';
import { ServiceUnit } from './service-unit.js';
import { StartError } from './start-error.js';

/** The process that hosts all services. */
const together = 'together';

export type EntryOf = (app: ServiceName | typeof together) => string;

export function builtEntries(root: string): EntryOf {
  return (app) => join(root, 'apps', app, 'dist', 'bundle', 'main.js');
}

export interface ServicePlan extends EnvironmentPlan {
  entryOf: EntryOf;
  output: ServiceOutput;
  metricsPorts: MetricsPorts;
  onReady: (unit: ServiceUnit) => void;
}

/** Every process of every service, in the order in which they are started. */
export function planServices(plan: ServicePlan): ServiceUnit[] {
  const apps = plan.config.together ? [together as typeof together] : serviceNames;
  const missing = apps.filter((app) => !existsSync(plan.entryOf(app)));
  if (missing.length > 0) throw new StartError([`not built: ${missing.join(', ')}; run npm run build`]);
  if (plan.config.together) return [planTogether(plan)];
  return serviceNames.flatMap((service) =>
    Array.from({ length: plan.config.replicas[service] }, (_, index) => planUnit(plan, service, index)),
  );
}

function planUnit(plan: ServicePlan, service: ServiceName, index: number): ServiceUnit {
  const name = index === 0 ? service : `${service}-${index + 1}`;
  const unit: ServiceUnit = new ServiceUnit({
    services: [service],
    name,
    source: service,
    entry: plan.entryOf(service),
    env: async () =>
      environmentOf(plan, { service, index, metricsPort: await plan.metricsPorts.portFor(name) }),
    onOutput: plan.output.sink(service),
    onReady: () => plan.onReady(unit),
  });
  return unit;
}

function planTogether(plan: ServicePlan): ServiceUnit {
  const unit: ServiceUnit = new ServiceUnit({
    services: serviceNames,
    name: together,
    source: together,
    entry: plan.entryOf(together),
    env: async () => {
      const ports = new Map<ServiceName, number>();
      for (const service of serviceNames) ports.set(service, await plan.metricsPorts.portFor(service));
      return environmentTogether(plan, ports);
    },
    onOutput: plan.output.sink(together),
    onReady: () => plan.onReady(unit),
  });
  return unit;
}
