import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { enumValues, type Case, type InputOf, type NewCaseInput, type Queue } from '@aos/client';
import type { Command } from 'commander';
import { CommandError } from '../exit-codes.js';
import { findAgent } from '../find-agent.js';
import { nameList, pairs, wholeNumber, type Pair } from '../option-values.js';
import { fieldLine } from '../output.js';
import { pageOf, rowsOf } from '../rows.js';
import { oneLine } from '../safe-text.js';
import type { WithSession } from '../session.js';
import type { Column } from '../table.js';
import { writeWholeFile } from '../whole-file.js';

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

type Filters = Pick<InputOf<'listCases'>, 'status' | 'priority' | 'search'>;

interface AddOptions extends Pick<NewCaseInput, 'title' | 'priority'> {
  readonly data?: string;
  readonly label: readonly Pair[];
  readonly postponeTo?: string;
}

interface AssignOptions {
  readonly agent: string;
  readonly concurrency?: number;
}

interface ExportOptions extends Filters {
  readonly format: 'csv' | 'ndjson';
  readonly output?: string;
}

const statuses = `only these: ${enumValues.CaseDisplayStatus.join(', ')}`;
const priorities = enumValues.CasePriority.join(', ');

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
    .option('--status <list>', statuses, nameList)
    .option('--priority <list>', `only these: ${priorities}`, nameList)
    .option('--search <text>', 'those whose title or data has the text')
    .option('--limit <number>', 'the most to list', wholeNumber, 20)
    .action(
      withSession(async ({ client, output }, queueId: string, options: Filters & { limit: number }) => {
        const { status, priority, search, limit } = options;
        const cases = client.each.listCases({
          queue_id: queueId,
          ...{ status, priority, search },
          limit: pageOf(limit),
        });
        output.table(await rowsOf(cases, limit), caseColumns, 'There is no such case.');
      }),
    );

  queues
    .command('add <queue>')
    .description('put a case into a queue')
    .requiredOption('--title <text>', 'what it is about')
    .option('--data <json>', 'what the agent needs to know')
    .option('--priority <priority>', priorities)
    .option('--label <key=value...>', 'what it is found by', pairs, [])
    .option('--postpone-to <time>', 'not before that time')
    .action(
      withSession(async ({ client, output }, queueId: string, options: AddOptions) => {
        const { title, data, priority, label: labels, postponeTo } = options;
        const made = { title, data: dataIn(data), priority, labels, postponed_to: postponeTo };
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
      withSession(async ({ client, output }, queueId: string, file: string) => {
        const type = formats[extname(file).toLowerCase()];
        if (!type) throw new CommandError(`${file} is neither .csv nor .ndjson.`);
        // Opened first: one that is not there is no fault of the service.
        const opened = await open(file);
        const body = Readable.toWeb(opened.createReadStream()) as ReadableStream<Uint8Array>;
        const counts = await client.importCases({ queue_id: queueId, body, content_type: type });
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
    .option('--status <list>', statuses, nameList)
    .option('--priority <list>', `only these: ${priorities}`, nameList)
    .option('--search <text>', 'those whose title or data has the text')
    .option('-o, --output <file>', 'where to')
    .action(
      withSession(async ({ client, output, signal }, queueId: string, options: ExportOptions) => {
        const { format, status, priority, search, output: target } = options;
        const wanted = { queue_id: queueId, format, status, priority, search };
        const rows = Readable.from((await client.exportCases(wanted)).body ?? []);
        if (target === undefined) return output.bytes(rows, signal);
        await writeWholeFile(target, rows, signal);
        output.result({ queue_id: queueId, file: target }, () => [`Written to ${target}.`]);
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
