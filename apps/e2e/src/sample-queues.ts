import { randomUUID } from 'node:crypto';
import {
  createCaseLabel,
  createCases,
  createCaseTrigger,
  createQueue,
  getCase,
  type Case,
} from '@aos/contracts';
import { eventually } from '@aos/testing';
import { makeAgent, steps } from './sample-agents.js';
import type { Team } from './team.js';

export async function makeQueue({ client, id: teamId }: Team): Promise<string> {
  const body = { name: `Queue ${randomUUID()}` };
  return (await client.succeed<{ queue_id: string }>(createQueue, { params: { teamId }, body })).queue_id;
}

export async function makeCase(team: Team, queueId?: string): Promise<string> {
  const params = { queue_id: queueId ?? (await makeQueue(team)) };
  const body = { case: { title: 'Hello', labels: [{ key: 'kind', value: 'sample' }] } };
  const { added_cases: made } = await team.client.succeed<{ added_cases: Case[] }>(createCases, {
    params,
    body,
  });
  return made[0]!.id;
}

export async function makeLabel({ client }: Team, queueId: string): Promise<string> {
  const body = { key: 'kind', value: randomUUID() };
  const request = { params: { queue_id: queueId }, body };
  return (await client.succeed<{ label_id: string }>(createCaseLabel, request)).label_id;
}

export async function makeTrigger(team: Team, agentId: string, more: object = {}): Promise<string> {
  const body = { case_queue_id: await makeQueue(team), ...more };
  const request = { params: { agent_id: agentId }, body };
  return (await team.client.succeed<{ trigger_id: string }>(createCaseTrigger, request)).trigger_id;
}

/** A queue with a case, and its id for a body that chooses it. */
export async function chosenCase(team: Team, more: object = {}) {
  const queueId = await makeQueue(team);
  return { params: { queue_id: queueId }, body: { case_ids: [await makeCase(team, queueId)], ...more } };
}

/** A case that a run has settled. */
export async function settledCase(
  team: Team,
): Promise<{ case_id: string; queue_id: string; title: string; run_id: string }> {
  const queueId = await makeQueue(team);
  const agentId = await makeAgent(team, steps('tool complete_case {}', 'finish Settled'));
  await makeTrigger(team, agentId, { case_queue_id: queueId });
  const caseId = await makeCase(team, queueId);
  return eventually(async () => {
    const { case: row } = await team.client.succeed<{ case: Case }>(getCase, { params: { case_id: caseId } });
    if (row.status !== 'completed') throw new Error(`The case is ${row.status}`);
    return { case_id: row.id, queue_id: queueId, title: row.title, run_id: row.claimed_by_run_id! };
  });
}
