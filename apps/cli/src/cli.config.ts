import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Account {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly teamId: string;
}

type Stored = Partial<Record<'base_url' | 'api_key' | 'team_id', string>>;

export type Environment = Readonly<Record<string, string | undefined>>;

/** Written by `npm start` in its folder. */
const localCredentials = join('.data', 'credentials.json');

export interface FoundAccount extends Partial<Account> {
  /** The service for which a key is kept, where it is not the one that is wanted. */
  readonly keptFor?: string;
}

/**
 * The account in the environment, else the one that was signed in, else that of the product that was started here. A key
 * that is kept goes to no other service than the one for which it is kept.
 */
export async function findAccount(
  environment: Environment,
  { baseUrl: wanted, folder = process.cwd() }: { baseUrl?: string; folder?: string } = {},
): Promise<FoundAccount> {
  const { AOS_BASE_URL, AOS_API_KEY, AOS_TEAM_ID } = environment;
  const stored = AOS_API_KEY
    ? {}
    : ((await read(accountFile(environment))) ?? (await read(join(folder, localCredentials))) ?? {});
  const baseUrl = wanted ?? (AOS_BASE_URL || stored.base_url);
  const given = { baseUrl, apiKey: AOS_API_KEY, teamId: AOS_TEAM_ID };
  if (stored.base_url !== undefined && !isSamePlace(stored.base_url, baseUrl))
    return { ...given, keptFor: stored.base_url };
  return { baseUrl, apiKey: AOS_API_KEY || stored.api_key, teamId: AOS_TEAM_ID || stored.team_id };
}

function isSamePlace(kept: string, wanted: string | undefined): boolean {
  return wanted !== undefined && withoutSlash(kept) === withoutSlash(wanted);
}

function withoutSlash(address: string): string {
  return address.replace(/\/$/, '');
}

/** The file is the user's alone, and there is never half of it. */
export async function saveAccount(environment: Environment, account: Account): Promise<string> {
  const file = accountFile(environment);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const stored: Stored = { base_url: account.baseUrl, api_key: account.apiKey, team_id: account.teamId };
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
  return file;
}

export async function forgetAccount(environment: Environment): Promise<void> {
  await rm(accountFile(environment), { force: true });
}

function accountFile({ AOS_CONFIG, XDG_CONFIG_HOME }: Environment): string {
  return AOS_CONFIG || join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'aos', 'account.json');
}

async function read(file: string): Promise<Stored | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Stored;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
