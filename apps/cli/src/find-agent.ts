import type { Agent, Client } from '@aos/client';
import { CommandError, exitCodes } from './exit-codes.js';
import { pageOf } from './rows.js';

const id = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An agent by its id, or by its name where only one has it. */
export async function findAgent(client: Client, wanted: string): Promise<Agent> {
  if (id.test(wanted)) return (await client.getAgent({ agent_id: wanted })).agent;
  const named: Agent[] = [];
  for await (const agent of client.each.listAgents({ limit: pageOf(Infinity) }))
    if (agent.name === wanted) named.push(agent);
  if (named.length === 0) throw new CommandError(`No agent is called "${wanted}".`, exitCodes.notFound);
  if (named.length === 1) return named[0]!;
  const ids = named.map(({ agent_id }) => agent_id).join(', ');
  throw new CommandError(`${named.length} agents are called "${wanted}": ${ids}. Name one by its id.`);
}
