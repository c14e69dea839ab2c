import { execFile } from 'node:child_process';
import {
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { asFileError, LocalInfraError } from '../files/errors.js';
import { clusterIn, type PostgresAccount } from './postgres-account.js';
import { explainPostgresFault } from './postgres-faults.js';
import { passwordPath, readPassword, writeNewPassword } from '../files/store-password.js';

export const superuser = 'postgres';

const run = promisify(execFile);
// A new cluster takes 40 MB, and its first write-ahead log segment 16 MB more.
const neededBytes = 100 * 1024 * 1024;

export interface PostgresCluster {
  path: string;
  password: string;
}

/** Opens the cluster of this folder, and makes it when there is none. */
export async function ensureCluster(
  account: PostgresAccount,
  dataDir: string,
  log: (line: string) => void,
): Promise<PostgresCluster> {
  const path = clusterIn(account.home);
  removeUnfinished(path);
  if (existsSync(path) && !existsSync(join(path, 'PG_VERSION'))) {
    // Not ours to delete, and nothing that Postgres could start from.
    renameSync(path, `${path}.unusable-${Date.now()}`);
  }
  if (existsSync(path)) {
    assertOwner(account, path);
    assertSameMajor(account, path);
    return { path, password: requirePassword(dataDir) };
  }
  const password = writeNewPassword(dataDir);
  log(`creating a Postgres ${account.binaries.major} cluster in ${path}`);
  await initialise(account, path, password);
  return { path, password };
}

/** Made aside and renamed when it is whole: what a crash leaves half-made is thrown away by the next start. */
async function initialise(account: PostgresAccount, path: string, password: string): Promise<void> {
  const aside = `${path}.init-${process.pid}`;
  const passwordFile = `${aside}.password`;
  assertSpace(account.home);
  try {
    writeFileSync(passwordFile, password, { mode: 0o600 });
    if (account.uid !== undefined) chownSync(passwordFile, account.uid, account.gid ?? account.uid);
    const [command, ...args] = [
      ...account.prefix,
      account.binaries.initdb,
      `--pgdata=${aside}`,
      `--username=${superuser}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // The provider inside Postgres: text sorts the same on every system, whatever locales it has.
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--data-checksums',
    ];
    await run(command!, args, { uid: account.uid, gid: account.gid, cwd: account.home });
    renameSync(aside, path);
  } catch (error) {
    const { stderr: output = '' } = error as { stderr?: string };
    const known = asFileError(error, account.home);
    if (known instanceof LocalInfraError && output === '') throw known;
    const reason = explainPostgresFault(output || String(error), { port: 0, dataDir: account.home });
    throw new LocalInfraError(`the database could not be created: ${reason}`, { cause: error });
  } finally {
    removeUnfinished(path);
  }
}

function removeUnfinished(path: string): void {
  const prefix = `${basename(path)}.init-`;
  for (const name of readdirSync(dirname(path))) {
    // The initdb of a killed parent may still be writing there.
    const patience = { maxRetries: 10, retryDelay: 100 };
    if (name.startsWith(prefix))
      rmSync(join(dirname(path), name), { recursive: true, force: true, ...patience });
  }
}

function assertSpace(folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < neededBytes) {
    const free = Math.floor((bavail * bsize) / 1024 / 1024);
    throw new LocalInfraError(`no space left on the disk of ${folder}: ${free} MB free, 100 MB needed`);
  }
}

function assertOwner(account: PostgresAccount, path: string): void {
  const owner = statSync(path).uid;
  const expected = account.uid ?? process.getuid?.();
  if (owner !== expected) {
    throw new LocalInfraError(
      `${path} belongs to user ${owner}, but Postgres would run as user ${expected}; start as its owner`,
    );
  }
}

function assertSameMajor({ binaries }: PostgresAccount, path: string): void {
  const found = Number(readFileSync(join(path, 'PG_VERSION'), 'utf8').trim());
  if (found !== binaries.major) {
    throw new LocalInfraError(
      `${path} was made by Postgres ${found}, but this program brings Postgres ${binaries.major}; use another data folder, or move the data with pg_dump`,
    );
  }
}

function requirePassword(dataDir: string): string {
  const password = readPassword(dataDir);
  if (password !== undefined) return password;
  throw new LocalInfraError(`${passwordPath(dataDir)} is missing, and without it the database stays shut`);
}
