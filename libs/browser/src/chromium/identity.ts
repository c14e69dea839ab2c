import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/**
 * Who Chromium is to the system. What has our user and our namespace may read our environment in `/proc`, and ours
 * holds secrets: another user may not, nor may one that is ours under the name of another in a user namespace.
 */
export type BrowserIdentity = 'other-user' | 'user-namespace' | 'same-user';

/** Those that keep the service apart from the browser on this system, the best first. */
export function identitiesApart(system: { platform: NodeJS.Platform; isRoot: boolean }): BrowserIdentity[] {
  // Elsewhere there is no /proc, and no command for either.
  if (system.platform !== 'linux') return ['same-user'];
  // Another user cannot read the files of ours either; only root may become one.
  return system.isRoot ? ['other-user', 'user-namespace'] : ['user-namespace'];
}

/** Without the sandbox any identity is better than none, but others are tried before our own. */
export function identitiesFor(
  system: { platform: NodeJS.Platform; isRoot: boolean },
  sandbox: boolean,
): BrowserIdentity[] {
  const apart = identitiesApart(system);
  return sandbox || apart.includes('same-user') ? apart : [...apart, 'same-user'];
}

export const thisSystem = (): { platform: NodeJS.Platform; isRoot: boolean } => ({
  platform: process.platform,
  isRoot: process.getuid?.() === 0,
});

/** Ids that systemd gives to services for as long as they run, and that no account has. */
const firstId = 61_184;
const lastId = 65_519;

/** Each browser has one of its own, so that one that was broken into does not reach another. */
export function newBrowserId(): number {
  return randomInt(firstId, lastId + 1);
}

/** The program that takes on the identity and becomes the other program. Beside `src` and `dist` alike. */
export const identityProgram = fileURLToPath(new URL('../../bin/chromium-as', import.meta.url));

/** What it is to do, as variables of its environment. */
export function identityVariables(identity: BrowserIdentity, id: number, program: string) {
  return {
    AOS_BROWSER_IDENTITY: identity,
    AOS_BROWSER_ID: String(id),
    AOS_BROWSER_PROGRAM: program,
  };
}

const run = promisify(execFile);

/** Runs a program under the identity; rejects when it fails. */
export async function runAs(
  identity: BrowserIdentity,
  [program, ...args]: readonly [string, ...string[]],
  path = '/usr/local/bin:/usr/bin:/bin',
): Promise<string> {
  const env = { PATH: path, ...identityVariables(identity, newBrowserId(), program) };
  return (await run(identityProgram, args, { env, cwd: '/' })).stdout;
}

/**
 * Whether a browser can be kept apart here, behind the walls of Chromium: it builds them of namespaces, as `unshare`
 * does. A way to know without starting one, for tests; starting one tells for certain.
 */
export async function canKeepApart(): Promise<boolean> {
  for (const identity of identitiesApart(thisSystem())) {
    if (identity === 'same-user') return true;
    const works = await runAs(identity, ['unshare', '--user', '--net', 'true']).then(
      () => true,
      () => false,
    );
    if (works) return true;
  }
  return false;
}
