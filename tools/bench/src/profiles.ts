import { join } from 'node:path';
import { wantsProfiles } from './bench-wish.js';

/** Where the processes of this run leave their CPU profiles; undefined if nobody asked for them. */
export const profileFolder = process.argv.includes(wantsProfiles)
  ? join(process.cwd(), 'test-output', `profiles-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`)
  : undefined;

/** Node writes a profile when the process ends; for DevTools of Chromium, or any viewer of `.cpuprofile` files. */
export function profileFlags(): string[] {
  return profileFolder ? ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`] : [];
}
