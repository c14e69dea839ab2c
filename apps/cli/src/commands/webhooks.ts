import type { InputOf, Webhook } from '@aos/client';
import type { Command } from 'commander';
import { EventForwarder } from '../forward-events.js';
import { nameList, wholeNumber } from '../option-values.js';
import { fieldLine } from '../output.js';
import { rowsOf } from '../rows.js';
import type { WithSession } from '../session.js';
import type { Column } from '../table.js';

type EventNames = InputOf<'createWebhook'>['events'];

const columns: readonly Column<Webhook>[] = [
  { title: 'WEBHOOK', value: ({ subscriptionId }) => subscriptionId },
  {
    title: 'ENABLED',
    value: ({ enabled, disabled_reason }) => (enabled ? 'yes' : (disabled_reason ?? 'no')),
  },
  { title: 'URL', value: ({ url }) => url, width: 60 },
  { title: 'EVENTS', value: ({ events }) => events.join(','), width: 60 },
];

interface ListenOptions {
  readonly forwardTo: string;
  readonly events?: EventNames;
  readonly after?: number;
}

export function addWebhookCommands(program: Command, withSession: WithSession): void {
  const webhooks = program
    .command('webhooks')
    .description('webhooks, their secret, and forwarding to this machine');

  webhooks
    .command('list')
    .description('list the webhooks of the team')
    .action(
      withSession(async ({ client, output }) => {
        output.table(await rowsOf(client.each.listWebhooks(), Infinity), columns, 'There is no webhook yet.');
      }),
    );

  webhooks
    .command('create <url>')
    .description('subscribe an address to events')
    .requiredOption('--events <list>', 'their names, with commas', nameList)
    .action(
      withSession(async ({ client, output }, url: string, { events }: { events: EventNames }) => {
        const { webhook } = await client.createWebhook({ url, events });
        output.result(webhook, () => [fieldLine('Webhook', webhook.subscriptionId)]);
      }),
    );

  webhooks
    .command('delete <webhook>')
    .description('delete a webhook')
    .action(
      withSession(async ({ client, output }, subscriptionId: string) => {
        output.result(await client.deleteWebhook({ subscriptionId }), () => [
          `${subscriptionId} is deleted.`,
        ]);
      }),
    );

  webhooks
    .command('secret')
    .description('show the secret that signs the deliveries of the team')
    .action(
      withSession(async ({ client, output }) => {
        const secret = await client.getWebhookSecret();
        output.result(secret, () => [secret.secret]);
      }),
    );

  webhooks
    .command('listen')
    .description('forward events to a receiver on this machine, signed as deliveries are')
    .requiredOption('--forward-to <url>', 'where the receiver listens')
    .option('--events <list>', 'only these, with commas', nameList)
    .option('--after <cursor>', 'from this cursor on; 0 is the oldest event that is kept', wholeNumber)
    .action(
      withSession(async ({ client, output, signal }, { forwardTo, events, after }: ListenOptions) => {
        await new EventForwarder(client, output).forward({ url: forwardTo, types: events, after }, signal);
      }),
    );
}
