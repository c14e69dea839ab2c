import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ServiceName, serviceNames } from '@aos/contracts';
import type { MetricsPorts } from './metrics-ports.js';
import { environmentOf, type EnvironmentPlan } from './service-environment.js';
import type { ServiceOutput } from './service-output.js';
import { ServiceUnit } from './service-unit.js';
import { StartError } from './start-error.js';

export type EntryOf = (service: ServiceName) => string;

export function builtEntries(root: string): EntryOf {
  return (service) => join(root, 'apps', service, 'dist', 'bundle', 'main.js');
}

export interface ServicePlan extends EnvironmentPlan {
  entryOf: EntryOf;
  output: ServiceOutput;
  metricsPorts: MetricsPorts;
  onReady: (unit: ServiceUnit) => void;
}

/** Every process of every service, in the order in which they are started. */
export function planServices(plan: ServicePlan): ServiceUnit[] {
  const missing = serviceNames.filter((service) => !existsSync(plan.entryOf(service)));
  if (missing.length > 0) throw new StartError([`not built: ${missing.join(', ')}; run npm run build`]);
  return serviceNames.flatMap((service) =>
    Array.from({ length: plan.config.replicas[service] }, (_, index) => planUnit(plan, service, index)),
  );
}

function planUnit(plan: ServicePlan, service: ServiceName, index: number): ServiceUnit {
  const name = index === 0 ? service : `${service}-${index + 1}`;
  const unit: ServiceUnit = new ServiceUnit({
    service,
    name,
    entry: plan.entryOf(service),
    env: async () =>
      environmentOf(plan, { service, index, metricsPort: await plan.metricsPorts.portFor(name) }),
    onOutput: plan.output.sink(service),
    onReady: () => plan.onReady(unit),
  });
  return unit;
}
