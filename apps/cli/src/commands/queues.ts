import { createReadStream, createWriteStream } from 'node:fs';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Case, InputOf, Queue } from '@aos/client';
import type { Command } from 'commander';
import { CommandError } from '../exit-codes.js';
import { findAgent } from '../find-agent.js';
import { nameList, wholeNumber } from '../option-values.js';
import { fieldLine } from '../output.js';
import { rowsOf } from '../rows.js';
import { oneLine } from '../safe-text.js';
import type { WithSession } from '../session.js';
import type { Column } from '../table.js';

const queueColumns: readonly Column<Queue>[] = [
  { title: 'QUEUE', value: ({ queue_id }) => queue_id },
  { title: 'NAME', value: ({ name }) => name, width: 40 },
  { title: 'PENDING', value: ({ case_counts }) => case_counts.pending },
  { title: 'COMPLETED', value: ({ case_counts }) => case_counts.completed },
  { title: 'FAILED', value: ({ case_counts }) => case_counts.failed },
];

const caseColumns: readonly Column<Case>[] = [
  { title: 'CASE', value: ({ case_id }) => case_id },
  { title: 'STATUS', value: ({ display_status }) => display_status },
  { title: 'PRIORITY', value: ({ priority }) => priority },
  { title: 'CREATED', value: ({ created_at }) => created_at },
  { title: 'TITLE', value: ({ title }) => title, width: 48 },
];

const formats: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.ndjson': 'application/x-ndjson',
  '.jsonl': 'application/x-ndjson',
};

type CaseStatusFilter = NonNullable<InputOf<'listCases'>['status']>;
type Priority = NonNullable<Case['priority']>;

interface AddOptions {
  readonly title: string;
  readonly data?: string;
  readonly priority?: string;
}

interface AssignOptions {
  readonly agent: string;
  readonly concurrency?: number;
}

interface ExportOptions {
  readonly format: 'csv' | 'ndjson';
  readonly output?: string;
}

export function addQueueCommands(program: Command, withSession: WithSession): void {
  const queues = program.command('queues').description('queues of cases');

  queues
    .command('list')
    .description('list the queues of the team')
    .action(
      withSession(async ({ client, output }) => {
        output.table(
          await rowsOf(client.each.listQueues(), Infinity),
          queueColumns,
          'There is no queue yet.',
        );
      }),
    );

  queues
    .command('create <name>')
    .description('make a queue')
    .option('--description <text>', 'what it is for')
    .action(
      withSession(async ({ client, output }, name: string, { description }: { description?: string }) => {
        const { queue } = await client.createQueue({ name, description });
        output.result(queue, () => [
          fieldLine('Queue', queue.queue_id),
          fieldLine('Name', oneLine(queue.name)),
        ]);
      }),
    );

  queues
    .command('delete <queue>')
    .description('delete a queue with its cases; runs that work on them are stopped')
    .action(
      withSession(async ({ client, output }, queueId: string) => {
        const gone = await client.deleteQueue({ queue_id: queueId });
        output.result(gone, () => [`Deleted, with ${gone.deleted_case_count} cases.`]);
      }),
    );

  queues
    .command('cases <queue>')
    .description('list the cases of a queue, newest first')
    .option('--status <list>', 'only these', nameList)
    .option('--search <text>', 'those whose title or data has the text')
    .option('--limit <number>', 'at most so many', wholeNumber, 20)
    .action(
      withSession(async ({ client, output }, queueId: string, options) => {
        const { status, search, limit } = options as {
          status?: CaseStatusFilter;
          search?: string;
          limit: number;
        };
        const input = {
          queue_id: queueId,
          status,
          search,
        };
        output.table(
          await rowsOf(client.each.listCases(input), limit),
          caseColumns,
          'There is no such case.',
        );
      }),
    );

  queues
    .command('add <queue>')
    .description('put a case into a queue')
    .requiredOption('--title <text>', 'what it is about')
    .option('--data <json>', 'what the agent needs to know')
    .option('--priority <priority>', 'low, medium, high or urgent')
    .action(
      withSession(async ({ client, output }, queueId: string, { title, data, priority }: AddOptions) => {
        const made = { title, data: dataIn(data), priority: priority as Priority | undefined };
        const { added_cases: added } = await client.createCases({ queue_id: queueId, case: made });
        output.result(added[0], () => [fieldLine('Case', added[0]?.case_id)]);
      }),
    );

  queues
    .command('assign <queue>')
    .description('let an agent work on the cases of a queue')
    .requiredOption('--agent <id or name>', 'which agent')
    .option('--concurrency <number>', 'so many cases at once', wholeNumber)
    .action(
      withSession(async ({ client, output }, queueId: string, { agent, concurrency }: AssignOptions) => {
        const { agent_id, name } = await findAgent(client, agent);
        const made = await client.createCaseTrigger({ agent_id, case_queue_id: queueId, concurrency });
        output.result(made.case_trigger, () => [`${oneLine(name)} works on the cases of the queue.`]);
      }),
    );

  queues
    .command('import <queue> <file>')
    .description('put the rows of a CSV or NDJSON file into a queue')
    .action(
      withSession(async ({ client, output, signal }, queueId: string, file: string) => {
        const type = formats[extname(file).toLowerCase()];
        if (!type) throw new CommandError(`${file} is neither .csv nor .ndjson.`);
        const body = Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>;
        const counts = await client.importCases({ queue_id: queueId, body, content_type: type }, { signal });
        output.result(counts, () => [
          `${counts.accepted} accepted, ${counts.rejected} rejected.`,
          ...counts.errors.map(({ line, message }) => `line ${line}: ${oneLine(message)}`),
        ]);
        if (counts.rejected > 0) throw new CommandError(`${counts.rejected} rows were rejected.`);
      }),
    );

  queues
    .command('export <queue>')
    .description('write the cases of a queue to a file, or print them')
    .option('--format <format>', 'csv or ndjson', 'csv')
    .option('-o, --output <file>', 'where to')
    .action(
      withSession(async ({ client, signal }, queueId: string, { format, output: target }: ExportOptions) => {
        const response = await client.exportCases({ queue_id: queueId, format }, { signal });
        const rows = Readable.from(response.body ?? []);
        if (target === undefined) await pipeline(rows, process.stdout, { end: false });
        else await pipeline(rows, createWriteStream(target));
      }),
    );
}

function dataIn(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError('--data: must be JSON.');
  }
}
