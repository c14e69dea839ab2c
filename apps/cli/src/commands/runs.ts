import { enumValues, type InputOf, type Run } from '@aos/client';
import type { Command } from 'commander';
import { answerOf, pendingRequestOf } from '../human-answers.js';
import { findAgent } from '../find-agent.js';
import { RunFollower } from '../follow-run.js';
import { messageLines } from '../message-lines.js';
import { runLines, statusText } from '../run-lines.js';
import { keyValues, nameList, wholeNumber } from '../option-values.js';
import { pageOf, rowsOf } from '../rows.js';
import { oneLine } from '../safe-text.js';
import type { WithSession } from '../session.js';
import type { Column } from '../table.js';
import { addRunFilesCommand } from './run-files.js';

type Filters = InputOf<'listRuns'>;

interface StartOptions {
  readonly agent: string;
  readonly message?: string;
  readonly revision?: string;
  readonly sandbox?: string;
  readonly metadata?: Record<string, string>;
  readonly webhookUrl?: string;
  readonly idempotencyKey?: string;
  readonly human: boolean;
  readonly wait?: number;
  readonly follow?: boolean;
}

interface ListOptions extends Pick<Filters, 'status' | 'source' | 'search' | 'since' | 'until'> {
  readonly agent?: string;
  readonly queue?: string;
  readonly case?: string;
  readonly issues?: true | Filters['issue_severity'];
  readonly limit: number;
}

interface AnswerOptions {
  readonly approve?: boolean;
  readonly reject?: boolean;
  readonly comment?: string;
  readonly answer?: readonly string[];
}

const columns: readonly Column<Run>[] = [
  { title: 'RUN', value: ({ run_id }) => run_id },
  { title: 'STATUS', value: ({ status }) => status },
  { title: 'AGENT', value: ({ agent_name }) => agent_name, width: 24 },
  { title: 'CREATED', value: ({ created_at }) => created_at },
  { title: 'TITLE', value: ({ title }) => title, width: 48 },
];

export function addRunCommands(program: Command, withSession: WithSession): void {
  const runs = program.command('runs').description('start runs, follow them, answer them');

  runs
    .command('start')
    .description('start a run of an agent')
    .requiredOption('--agent <id or name>', 'which agent')
    .option('--message <text>', 'what to tell it')
    .option('--revision <build id>', 'a revision other than the live one')
    .option('--sandbox <id>', 'with the files that lie there')
    .option('--metadata <key=value...>', 'kept with the run', keyValues, {})
    .option('--webhook-url <url>', 'is told how the run gets on')
    .option('--idempotency-key <key>', 'the same key starts the run once')
    .option('--no-human', 'the agent must not ask people')
    .option('--wait <seconds>', 'answer when the run rests, at most after so long', wholeNumber)
    .option('--follow', 'show what it does until it has ended, and answer its questions here')
    .action(
      withSession(async ({ client, output, prompts, signal }, options: StartOptions) => {
        const agent = await findAgent(client, options.agent);
        const { run } = await client.startRun(
          {
            agent_id: agent.agent_id,
            message: options.message,
            build_id: options.revision,
            sandbox_id: options.sandbox,
            metadata: options.metadata,
            webhook_url: options.webhookUrl,
            human_in_the_loop_enabled: options.human,
            wait_seconds: options.wait,
          },
          { signal, idempotencyKey: options.idempotencyKey },
        );
        if (options.follow) {
          output.remark(output.style('dim', `Run ${run.run_id} of ${oneLine(agent.name)}`));
          await new RunFollower(client, output, prompts).follow(run.run_id, signal);
        } else output.result(run, () => runLines(run));
      }),
    );

  runs
    .command('list')
    .description('list the runs of the team, newest first')
    .option(
      '--status <list>',
      `${enumValues.RunStatus.join(', ')}, needs_attention (waiting or failed)`,
      nameList,
    )
    .option('--agent <id or name>', 'those of one agent')
    .option('--queue <id>', 'those that work on the cases of a queue')
    .option('--case <id>', 'those that work on a case')
    .option('--source <source>', `those that were started by: ${enumValues.RunSource.join(', ')}`)
    .option('--search <text>', 'those whose title has the text')
    .option('--since <time>', 'those that ended at that time or later, or were started then and have not')
    .option('--until <time>', 'those before that time')
    .option('--issues [severity]', `those that were found wanting: ${enumValues.Severity.join(', ')}, or any`)
    .option('--limit <number>', 'the most to list', wholeNumber, 20)
    .action(
      withSession(async ({ client, output }, options: ListOptions) => {
        const { status, source, search, since, until, agent, issues, limit } = options;
        const input = {
          ...{ status, source, search, since, until },
          agent_id: agent === undefined ? undefined : (await findAgent(client, agent)).agent_id,
          case_queue_id: options.queue,
          case_id: options.case,
          ...(issues === true ? { has_issues: true } : { issue_severity: issues }),
          limit: pageOf(limit),
        };
        output.table(await rowsOf(client.each.listRuns(input), limit), columns, 'There is no such run.');
      }),
    );

  runs
    .command('get <run>')
    .description('show a run')
    .action(
      withSession(async ({ client, output }, runId: string) => {
        const found = await client.getRun({ run_id: runId });
        output.result(found, () => runLines(found.run, found.pending_human_request));
      }),
    );

  runs
    .command('follow <run>')
    .description('show what a run does until it has ended, and answer its questions here')
    .action(
      withSession(async ({ client, output, prompts, signal }, runId: string) =>
        new RunFollower(client, output, prompts).follow(runId, signal),
      ),
    );

  runs
    .command('stop <run>')
    .description('stop a run')
    .action(
      withSession(async ({ client, output }, runId: string) => {
        const stopped = await client.stopRun({ run_id: runId });
        output.result(stopped, () => [`${runId} is ${statusText(output, stopped.status)}.`]);
      }),
    );

  runs
    .command('delete <run>')
    .description('delete a run that has ended, with all that belongs to it')
    .action(
      withSession(async ({ client, output }, runId: string) => {
        output.result(await client.deleteRun({ run_id: runId }), () => [`${runId} is deleted.`]);
      }),
    );

  runs
    .command('messages <run>')
    .description('show the messages of a run, or send one')
    .option('--send <text>', 'a message to the run')
    .action(
      withSession(async ({ client, output }, runId: string, { send }: { send?: string }) => {
        if (send !== undefined) {
          const sent = await client.postRunMessage({ run_id: runId, message: send });
          output.result(sent, () => [`Sent. The run is ${statusText(output, sent.status)}.`]);
          return;
        }
        const messages = await rowsOf(client.each.listRunMessages({ run_id: runId, limit: 50 }), Infinity);
        output.result(messages, () => messages.flatMap((message) => messageLines(message, output)));
      }),
    );

  runs
    .command('answer <run>')
    .description('answer what a run has asked')
    .option('--approve', 'approve it')
    .option('--reject', 'refuse it')
    .option('--comment <text>', 'why')
    .option('--answer <text...>', 'one for each question, in their order')
    .action(
      withSession(async ({ client, output, prompts, signal }, runId: string, options: AnswerOptions) => {
        const request = await pendingRequestOf(client, runId);
        const response = await answerOf(request, options, prompts, signal);
        const { request_id } = request;
        const answered = await client.respondToHumanRequest({ run_id: runId, request_id, ...response });
        output.result(answered, () => [`The request is ${answered.status}.`]);
      }),
    );

  addRunFilesCommand(runs, withSession);
}
