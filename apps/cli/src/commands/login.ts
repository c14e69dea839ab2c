import type { Command } from 'commander';
import { findAccount, forgetAccount, saveAccount } from '../cli.config.js';
import { CommandError, exitCodes } from '../exit-codes.js';
import { fieldLine } from '../output.js';
import {
  defaultBaseUrl,
  openSession,
  outputOf,
  teamOf,
  type GlobalOptions,
  type Surroundings,
} from '../session.js';

export function addLoginCommands(program: Command, around: Surroundings): void {
  const options = () => program.opts<GlobalOptions>();

  program
    .command('login')
    .description('keep the address and the key for later commands; the key is asked for, or is AOS_API_KEY')
    .action(async () => {
      const found = await findAccount(around.environment, { baseUrl: options().baseUrl });
      const baseUrl = found.baseUrl ?? defaultBaseUrl;
      const given = options().key ?? around.environment['AOS_API_KEY'];
      const apiKey = given || (await askKey(around, baseUrl));
      const teamId = options().team ?? (await teamOf(baseUrl, apiKey, around.signal));
      const file = await saveAccount(around.environment, { baseUrl, apiKey, teamId });
      const output = outputOf(around, options());
      output.result({ base_url: baseUrl, team_id: teamId, file }, () => [
        `Signed in to ${baseUrl} as team ${teamId}.`,
        output.style('dim', `Kept in ${file}.`),
      ]);
    });

  program
    .command('logout')
    .description('forget the address and the key')
    .action(async () => {
      await forgetAccount(around.environment);
      outputOf(around, options()).result({ success: true }, () => ['Signed out.']);
    });

  program
    .command('whoami')
    .description('show the service, the team and its plan')
    .action(async () => {
      const { client, account, output } = await openSession(around, options());
      const { team } = await client.getTeam({ teamId: account.teamId });
      output.result({ base_url: account.baseUrl, team }, () => [
        fieldLine('Service', account.baseUrl),
        fieldLine('Team', `${team.name} (${team.id})`),
        fieldLine('Plan', team.plan),
      ]);
    });
}

async function askKey({ prompts, signal }: Surroundings, baseUrl: string): Promise<string> {
  if (!prompts)
    throw new CommandError('No key was given: use --key, or set AOS_API_KEY.', exitCodes.notAllowed);
  const key = await prompts.askSecret(`API key for ${baseUrl}: `, signal);
  if (key === '') throw new CommandError('No key was given.', exitCodes.notAllowed);
  return key;
}
