import { createClient, type Build, type InputOf, type ListedAgent } from '@aos/client';
import type { Command } from 'commander';
import { readAgentFolder, writeAgentFolder } from '../agent-folder.js';
import { findAgent } from '../find-agent.js';
import { wholeNumber } from '../option-values.js';
import { fieldLine } from '../output.js';
import { pullAgent } from '../pull-agent.js';
import { pushAgent, type Pushed, type PushOptions } from '../push-agent.js';
import { pageOf, rowsOf } from '../rows.js';
import { oneLine, safeText } from '../safe-text.js';
import type { WithSession } from '../session.js';
import type { Column } from '../table.js';

const agentColumns: readonly Column<ListedAgent>[] = [
  { title: 'AGENT', value: ({ agent_id }) => agent_id },
  { title: 'NAME', value: ({ name }) => name, width: 40 },
  { title: 'LIVE', value: ({ live_build_id }) => live_build_id },
  { title: 'LAST RUN', value: ({ last_run_at }) => last_run_at },
];

const revisionColumns: readonly Column<Build>[] = [
  { title: 'REVISION', value: ({ build_id }) => build_id },
  { title: 'NUMBER', value: ({ revision_number }) => revision_number },
  { title: 'STATUS', value: ({ status }) => status },
  { title: 'NAME', value: ({ revision_name, name }) => revision_name ?? name, width: 40 },
  { title: 'CREATED', value: ({ created_at }) => created_at },
];

interface PromoteOptions {
  readonly name?: string;
  readonly description?: string;
  readonly minPassRate?: number;
  readonly minEvaluated?: number;
}

export function addAgentCommands(program: Command, withSession: WithSession): void {
  const agents = program.command('agents').description('agents and their revisions');

  agents
    .command('list')
    .description('list the agents of the team')
    .action(
      withSession(async ({ client, output }) => {
        output.table(
          await rowsOf(client.each.listAgents({ limit: pageOf(Infinity) }), Infinity),
          agentColumns,
          'There is no agent yet.',
        );
      }),
    );

  agents
    .command('get <agent>')
    .description('show an agent')
    .action(
      withSession(async ({ client, output }, wanted: string) => {
        const agent = await findAgent(client, wanted);
        output.result(agent, () => [
          fieldLine('Agent', agent.agent_id),
          fieldLine('Name', oneLine(agent.name)),
          fieldLine('About', agent.description),
          fieldLine('Live', agent.live_build_id),
          fieldLine('Last run', agent.last_run_at),
        ]);
      }),
    );

  agents
    .command('revisions <agent>')
    .description('list the revisions of an agent, newest first')
    .action(
      withSession(async ({ client, output }, wanted: string) => {
        const { agent_id } = await findAgent(client, wanted);
        const builds = await rowsOf(
          client.each.listAgentRevisions({ agent_id, limit: pageOf(Infinity) }),
          Infinity,
        );
        output.table(builds, revisionColumns, 'There is no revision.');
      }),
    );

  agents
    .command('promote <revision>')
    .description('make a revision the live one')
    .option('--name <text>', 'what it is called')
    .option('--description <text>', 'what is new in it')
    .option('--min-pass-rate <percent>', 'only if so many of its judged runs were found good', wholeNumber)
    .option('--min-evaluated <number>', 'only if so many of its runs were judged', wholeNumber)
    .action(
      withSession(async ({ client, output }, buildId: string, options: PromoteOptions) => {
        const { build } = await client.promoteRevision({
          build_id: buildId,
          revision_name: options.name,
          revision_description: options.description,
          require: requirement(options),
        });
        output.result(build, () => [`Revision ${build.revision_number} is live.`]);
      }),
    );

  agents
    .command('delete <agent>')
    .description('delete an agent')
    .action(
      withSession(async ({ client, output }, wanted: string) => {
        const agent = await findAgent(client, wanted);
        const gone = await client.deleteAgent({ agent_id: agent.agent_id });
        output.result(gone, () => [`${oneLine(agent.name)} is deleted.`]);
      }),
    );

  agents
    .command('pull <agent> <folder>')
    .description('write an agent into a folder: procedure, configuration, rubrics, schedules, memory')
    .option('--revision <build id>', 'a revision other than the live one')
    .action(
      withSession(async ({ client, output }, wanted: string, folder: string, options) => {
        const { revision } = options as { revision?: string };
        const { agent_id } = await findAgent(client, wanted);
        const files = await pullAgent(client, agent_id, revision);
        await writeAgentFolder(folder, files);
        output.result({ agent_id, folder }, () => [`${oneLine(files.agent.name)} is in ${folder}.`]);
      }),
    );

  agents
    .command('push <folder>')
    .description('make an agent what its folder says: a draft revision, unless nothing has changed')
    .option('--promote', 'make the revision the live one')
    .option('--prune', 'delete schedules and memory files that the folder does not have')
    .option('--dry-run', 'change nothing, and show what would be changed')
    .action(
      withSession(async ({ client, account, output }, folder: string, options: PushOptions) => {
        const clients = { client, patient: createClient(account) };
        const pushed = await pushAgent(clients, await readAgentFolder(folder), options, (files) =>
          writeAgentFolder(folder, files),
        );
        output.result(pushed, () => pushLines(pushed, options));
        for (const warning of pushed.warnings) output.remark(`Warning: ${warning}`);
      }),
    );
}

/** The lines that tell a person what a push has done, and whether its revision is live. */
function pushLines(
  { agent_id, build_id, is_live, changes, differences }: Pushed,
  { dryRun }: PushOptions,
): readonly string[] {
  if (changes.length === 0) return ['Nothing has changed.'];
  const lines = changes.map((change) => `- ${oneLine(change)}`);
  if (dryRun) return ['Nothing was done. A push would do this:', ...lines, ...differences.map(safeText)];
  if (build_id === null) return lines;
  return [
    ...lines,
    is_live
      ? `Revision ${build_id} of agent ${agent_id} is live.`
      : `Revision ${build_id} is a draft. Make it live with: aos agents promote ${build_id}`,
  ];
}

function requirement({ minPassRate, minEvaluated }: PromoteOptions): InputOf<'promoteRevision'>['require'] {
  if (minPassRate === undefined && minEvaluated === undefined) return undefined;
  const rate = minPassRate === undefined ? undefined : minPassRate / 100;
  return { min_pass_rate: rate, min_evaluated: minEvaluated };
}
