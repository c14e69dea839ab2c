import type { HumanRequest } from '@aos/client';
import type { Command } from 'commander';
import { wholeNumber } from '../option-values.js';
import { pageOf, rowsOf } from '../rows.js';
import type { WithSession } from '../session.js';
import type { Column } from '../table.js';

const columns: readonly Column<HumanRequest>[] = [
  { title: 'RUN', value: ({ run_id }) => run_id },
  { title: 'ASKS FOR', value: ({ type }) => (type === 'approval' ? 'approval' : 'answers') },
  { title: 'FOR', value: ({ assignee }) => assignee, width: 24 },
  { title: 'UNTIL', value: ({ due_at }) => due_at },
  { title: 'TITLE', value: ({ title }) => title, width: 60 },
];

interface InboxOptions {
  readonly assignee?: string;
  readonly overdue?: boolean;
  readonly limit: number;
}

export function addInboxCommand(program: Command, withSession: WithSession): void {
  program
    .command('inbox')
    .description('what runs have asked people and nobody has answered; `aos runs answer` answers')
    .option('--assignee <name>', 'only what is for one of them')
    .option('--overdue', 'only what should have been answered by now')
    .option('--limit <number>', 'the most to list', wholeNumber, 50)
    .action(
      withSession(async ({ client, output }, { assignee, overdue, limit }: InboxOptions) => {
        const asked = { status: 'pending', assignee, overdue, limit: pageOf(limit) } as const;
        const requests = client.each.listHumanRequests(asked);
        output.table(await rowsOf(requests, limit), columns, 'Nobody waits for an answer.');
      }),
    );
}
