import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const serviceFixture = fileURLToPath(new URL('fixtures/service.mjs', import.meta.url));

export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'launcher-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Polls until the condition holds, and fails after the deadline. */
export async function eventually(condition: () => boolean | Promise<boolean>, ms = 10_000): Promise<void> {
  const deadline = Date.now() + ms;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not so within ${ms} ms: ${condition.toString()}`);
    await delay(20);
  }
}
