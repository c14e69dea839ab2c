import { execFile } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorCode, LocalInfraError } from '../files/errors.js';
import { writePrivateFile } from '../files/private-file.js';
import {
  assertExecutable,
  copyBinaries,
  linkLibraries,
  locatePostgres,
  type PostgresBinaries,
} from './postgres-binaries.js';

/**
 * How Postgres, which refuses to run as root, is run: as we are; in a user namespace where we look like nobody and
 * our files stay ours; or as the user nobody, in a folder that this user can enter.
 */
export type PostgresAccountKind = 'plain' | 'user-namespace' | 'other-user';

export interface PostgresAccount {
  kind: PostgresAccountKind;
  binaries: PostgresBinaries;
  /** Where the cluster lies. */
  home: string;
  /** What stands before the program on the command line. */
  prefix: readonly string[];
  uid?: number;
  gid?: number;
}

const run = promisify(execFile);

/** Picks the first way that works on this machine, and proves it by running `postgres --version` that way. */
export async function choosePostgresAccount(
  dataDir: string,
  forced?: PostgresAccountKind,
): Promise<PostgresAccount> {
  const binaries = usableBinaries(dataDir);
  const kinds = forced ? [forced] : candidates(dataDir);
  const refusals: string[] = [];
  for (const kind of kinds) {
    try {
      return await accountOf(kind, binaries, dataDir);
    } catch (error) {
      refusals.push(`${kind}: ${lastLine(error)}`);
    }
  }
  throw new LocalInfraError(`the embedded Postgres cannot run here (${refusals.join('; ')})`);
}

function candidates(dataDir: string): PostgresAccountKind[] {
  if (process.getuid?.() === 0) {
    // A cluster that exists stays where it is.
    return existsSync(locationNote(dataDir)) ? ['other-user'] : ['user-namespace', 'other-user'];
  }
  // initdb looks its user up, and containers often run under a number without an entry.
  return hasPasswdEntry() ? ['plain'] : ['user-namespace', 'plain'];
}

function usableBinaries(dataDir: string): PostgresBinaries {
  const packaged = locatePostgres();
  const binaries = linkLibraries(packaged.native) ? packaged : copyBinaries(packaged, dataDir);
  assertExecutable(binaries);
  return binaries;
}

async function accountOf(
  kind: PostgresAccountKind,
  binaries: PostgresBinaries,
  dataDir: string,
): Promise<PostgresAccount> {
  const nobody = nobodyIds();
  if (kind === 'plain') return proven({ kind, binaries, home: dataDir, prefix: [] });
  if (kind === 'user-namespace') {
    const prefix = ['unshare', '--user', `--map-user=${nobody.uid}`, `--map-group=${nobody.gid}`];
    return proven({ kind, binaries, home: dataDir, prefix });
  }
  const home = await homeForOtherUser(dataDir, nobody);
  const account = { kind, binaries, home, prefix: [], ...nobody };
  try {
    return await proven(account);
  } catch {
    // The package lies where nobody cannot look, for instance in a root home of mode 0700.
    return proven({ ...account, binaries: copyBinaries(binaries, home) });
  }
}

async function proven(account: PostgresAccount): Promise<PostgresAccount> {
  const [command, ...args] = [...account.prefix, account.binaries.postgres, '--version'];
  await run(command!, args, { uid: account.uid, gid: account.gid, cwd: account.home });
  return account;
}

/** The data folder itself where nobody can enter it, else a folder outside that is remembered in the data folder. */
async function homeForOtherUser(dataDir: string, ids: { uid: number; gid: number }): Promise<string> {
  const note = locationNote(dataDir);
  const remembered = readIfPresent(note);
  if (remembered && existsSync(remembered)) return remembered;
  if (remembered) throw new LocalInfraError(`the database folder ${remembered} is gone`);
  if (existsSync(clusterIn(dataDir))) {
    throw new LocalInfraError(`${dataDir} was made in a user namespace, which is refused now`);
  }
  // Its files are each private, so others may pass through; the folders above it are not ours to open.
  chmodSync(dataDir, 0o711);
  for (const parent of [dataDir, '/var/lib', tmpdir()]) {
    const home = newFolder(parent);
    if (!home) continue;
    chownSync(home, ids.uid, ids.gid);
    try {
      await run('sh', ['-c', 'test -w "$1" && cd "$1"', 'test', home], { ...ids, cwd: '/' });
      writePrivateFile(note, home);
      return home;
    } catch {
      // This user cannot reach it there; the next place may do.
      rmdirSync(home);
    }
  }
  throw new LocalInfraError('no folder that the user nobody can enter');
}

function locationNote(dataDir: string): string {
  return join(dataDir, 'location');
}

export function clusterIn(home: string): string {
  return join(home, 'cluster');
}

function newFolder(parent: string): string | undefined {
  try {
    mkdirSync(parent, { recursive: true });
    return mkdtempSync(join(parent, 'agent-operations-postgres-'));
  } catch {
    // Read-only or missing on this system; the next place may do.
    return undefined;
  }
}

/** initdb looks the user up by its number, so the number must be one that exists. */
function nobodyIds(): { uid: number; gid: number } {
  const entry = readIfPresent('/etc/passwd')
    ?.split('\n')
    .find((line) => line.startsWith('nobody:'))
    ?.split(':');
  const uid = Number(entry?.[2]);
  const gid = Number(entry?.[3]);
  return uid > 0 && gid > 0 ? { uid, gid } : { uid: 65_534, gid: 65_534 };
}

function hasPasswdEntry(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function lastLine(error: unknown): string {
  return String(error).trim().split('\n').at(-1) ?? '';
}
