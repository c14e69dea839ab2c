import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { transformFileSync } from '@swc/core';

export const serviceFixture = fileURLToPath(new URL('fixtures/service.mjs', import.meta.url));

export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'launcher-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** The embedded Redis runs a program of its own, which must be plain JavaScript. */
export function compileRedisHost(): { path: string; remove(): void } {
  const folder = fileURLToPath(new URL(`../test-output/redis-host-${process.pid}`, import.meta.url));
  const sources = fileURLToPath(new URL('../../../libs/local-infra/src', import.meta.url));
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(sources).filter((file) =>
    /^(errors|private-file|redis-wasm-host|store-password|valkey-bridge)\.ts$/.test(file),
  )) {
    const { code } = transformFileSync(join(sources, name), {
      swcrc: false,
      jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
      module: { type: 'es6' },
    });
    writeFileSync(join(folder, name.replace(/\.ts$/, '.js')), code);
  }
  return {
    path: join(folder, 'redis-wasm-host.js'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
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
