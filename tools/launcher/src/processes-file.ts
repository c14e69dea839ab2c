import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from '@aos/local-infra';

export interface ProcessList {
  services: Record<string, number[]>;
  /** Where each process shows its metrics, in the order of `services`. */
  metrics: Record<string, string[]>;
  redis_url: string;
  database_url: string;
}

/** Says who runs now. The addresses hold passwords, so only the owner may read it. */
export function writeProcessesFile(dataDir: string, list: ProcessList): void {
  writePrivateFile(processesPath(dataDir), `${JSON.stringify(list, null, 2)}\n`);
}

export function removeProcessesFile(dataDir: string): void {
  rmSync(processesPath(dataDir), { force: true });
}

export function processesPath(dataDir: string): string {
  return join(dataDir, 'processes.json');
}
