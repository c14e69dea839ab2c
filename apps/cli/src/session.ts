import type { Writable } from 'node:stream';
import { createClient, type Client } from '@aos/client';
import { findAccount, type Account, type Environment } from './cli.config.js';
import { CommandError, exitCodes } from './exit-codes.js';
import { Output } from './output.js';
import type { Prompts } from './prompts.js';

/** Options that every command takes. */
export interface GlobalOptions {
  readonly json?: boolean;
  readonly baseUrl?: string;
  readonly key?: string;
  readonly team?: string;
}

export interface Surroundings {
  readonly version: string;
  readonly environment: Environment;
  readonly out: Writable;
  readonly writeRemark: (text: string) => void;
  readonly isTerminal: boolean;
  readonly prompts: Prompts | undefined;
  /** Aborts when the user has enough. */
  readonly signal: AbortSignal;
}

export interface Session {
  /** Its calls end when the user has enough. */
  readonly client: Client;
  readonly account: Account;
  readonly output: Output;
  readonly prompts: Prompts | undefined;
  readonly signal: AbortSignal;
}

/** Runs a command with a session of its own. */
export type WithSession = <Given extends unknown[]>(
  work: (session: Session, ...given: Given) => Promise<void>,
) => (...given: Given) => Promise<void>;

export const defaultBaseUrl = 'http://127.0.0.1:8080';

export function outputOf(around: Surroundings, { json = false }: GlobalOptions): Output {
  // https://no-color.org: any text that is not empty.
  const { isTerminal } = around;
  const colour = isTerminal && !around.environment['NO_COLOR'];
  return new Output(around.out, around.writeRemark, { json, colour, isTerminal });
}

/** Signs in with what is known; the team of a key is asked for where nobody names it. */
export async function openSession(around: Surroundings, options: GlobalOptions): Promise<Session> {
  const found = await findAccount(around.environment, { baseUrl: options.baseUrl });
  const baseUrl = found.baseUrl ?? defaultBaseUrl;
  const apiKey = options.key ?? found.apiKey;
  if (!apiKey) {
    const where = found.keptFor === undefined ? '' : ` to ${baseUrl}, but to ${found.keptFor}`;
    throw new CommandError(
      `Not signed in${where}. Run \`aos login\`, or set AOS_API_KEY.`,
      exitCodes.notAllowed,
    );
  }
  const isSame = apiKey === found.apiKey;
  const { signal, prompts } = around;
  const teamId =
    options.team ?? (isSame ? found.teamId : undefined) ?? (await teamOf(baseUrl, apiKey, signal));
  const account = { baseUrl, apiKey, teamId };
  const client = createClient({ ...account, signal });
  return { client, account, output: outputOf(around, options), prompts, signal };
}

/** The team of a key. The administrator's sees them all. */
export async function teamOf(baseUrl: string, apiKey: string, signal: AbortSignal): Promise<string> {
  const { teams, total } = await createClient({ baseUrl, apiKey, signal }).listTeams({ limit: 2 });
  if (total === 1) return teams[0]!.id;
  throw new CommandError(`This key sees ${total} teams. Name one with --team.`);
}
