import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { serviceNames } from '@aos/contracts';
import { root } from './manifests.js';

type ServiceName = (typeof serviceNames)[number];

/** The settings that each service reads, as it was built: a process of its own loads what tests would load for long. */
export function settingsOfServices(): Readonly<Record<ServiceName, readonly string[]>> {
  const program = `
    // Some schemas work on what another has read.
    const shapeOf = (schema) => schema?.shape ?? (schema?.def?.in && (shapeOf(schema.def.in) ?? shapeOf(schema.def.out)));
    const settings = {};
    for (const name of ${JSON.stringify(serviceNames)}) {
      const { service, gatewayService } = await import(${JSON.stringify(`file://${root}/apps/`)} + name + '/dist/index.js');
      settings[name] = Object.keys(shapeOf((service ?? gatewayService()).configSchema));
    }
    process.stdout.write(JSON.stringify(settings));
    process.exit(0);`;
  const text = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: join(root, 'apps'),
    encoding: 'utf8',
  });
  return JSON.parse(text) as Record<ServiceName, string[]>;
}
