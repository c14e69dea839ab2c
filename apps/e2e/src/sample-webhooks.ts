import { buildPublished, createWebhook, listRunDeliveries, listWebhookDeliveries } from '@aos/contracts';
import type { Operation } from '@aos/contracts';
import { eventually } from '@aos/testing';
import type { CallOptions } from './api-client.js';
import { makeRun, publishDraft } from './sample-agents.js';
import type { Team } from './team.js';

interface Deliveries {
  readonly deliveries: readonly { readonly id: string; readonly status: string }[];
}

/** A webhook that is told what `publishDraft` does, unless other events are named. */
export async function makeWebhook(
  { client, id: teamId }: Team,
  url: string,
  events: readonly string[] = [buildPublished.name],
): Promise<string> {
  const request = { params: { teamId }, body: { url, events } };
  return (await client.succeed<{ subscriptionId: string }>(createWebhook, request)).subscriptionId;
}

/** Something that happened and that the webhook has been told. */
export async function makeDelivery(team: Team, subscriptionId: string): Promise<string> {
  await publishDraft(team);
  return firstDelivered(team, listWebhookDeliveries, { teamId: team.id, subscriptionId });
}

/** The path of a webhook and of a delivery that it has got. */
export async function deliveredToWebhook(team: Team, url: string): Promise<Record<string, string>> {
  const subscriptionId = await makeWebhook(team, url);
  return { teamId: team.id, subscriptionId, deliveryId: await makeDelivery(team, subscriptionId) };
}

/** The path of a run and of a delivery that its callback has got. */
export async function deliveredToRun(team: Team, url: string): Promise<Record<string, string>> {
  const run_id = await makeRun(team, undefined, { webhook_url: url });
  return { run_id, deliveryId: await firstDelivered(team, listRunDeliveries, { run_id }) };
}

function firstDelivered(
  { client }: Team,
  list: Operation,
  params: NonNullable<CallOptions['params']>,
): Promise<string> {
  return eventually(async () => {
    const { deliveries } = await client.succeed<Deliveries>(list, { params });
    const delivered = deliveries.find(({ status }) => status === 'delivered');
    if (!delivered) throw new Error(`Nothing is delivered yet: ${JSON.stringify(deliveries)}`);
    return delivered.id;
  });
}
