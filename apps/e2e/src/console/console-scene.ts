import {
  createArtifact,
  createCases,
  createConnection,
  createQueue,
  createSchedule,
  getArtifact,
  updateAgent,
} from '@aos/contracts';
import { eventually } from '@aos/testing';
import { makeAgent, makeDraft, makeRun, steps } from '../sample-agents.js';
import type { Team } from '../team.js';

/** A team with something to see on each page of the console. */
export interface ConsoleScene {
  readonly agentId: string;
  readonly queueId: string;
  readonly caseId: string;
  readonly artifactId: string;
  readonly waitingRunId: string;
  readonly runId: string;
  /** All pages, by their names. */
  readonly pages: Readonly<Record<string, string>>;
}

export async function setScene(team: Team, mcpServerUrl: string): Promise<ConsoleScene> {
  const { client, id: teamId } = team;
  const named = async (name: string, description: string, procedure: string) => {
    const agentId = await makeAgent(team, procedure);
    await client.succeed(updateAgent, { params: { agent_id: agentId }, body: { name, description } });
    return agentId;
  };
  const prices = await named(
    'Price checker',
    'Looks prices up.',
    steps('say Looking it up', 'finish A lamp is 42 EUR.'),
  );
  const procedure = [
    '# Answer customers about their orders',
    '',
    'Look the order up, ask when the warehouse is not clear, and never refund without an approval.',
    '',
    steps(
      'say Looking at **{{message}}**',
      'tool write_file {"path": "answers/order.md", "content": "# Answer\\n\\nYour lamp is on its way."}',
      'tool write_memory {"path": "notes/style.md", "content": "Customers like short answers."}',
      `tool call_agent {"agent_id": "${prices}", "message": "What does a lamp cost?"}`,
      'ask Which warehouse sends it? | Berlin | Hamburg',
      'approve Refund 42 EUR to Ada?',
      'finish Answered. The lamp comes from {{answer}}.',
    ),
  ].join('\n');
  const agentId = await named('Order desk', 'Answers customers about their orders.', procedure);
  await makeDraft(team, agentId);
  const schedule = {
    frequency: 'workday',
    time: '09:00',
    timezone: 'Europe/Berlin',
    message: 'Look through the mail.',
  };
  await client.succeed(createSchedule, { params: { agent_id: agentId }, body: schedule });
  const waitingRunId = await makeRun(team, agentId, { message: 'Order 4711: where is it?' });
  const runId = await makeRun(team, prices, { message: 'What does a lamp cost?' });
  await makeRun(
    team,
    await named('Night watch', 'Fails on purpose.', steps('tool no_such_tool {}', 'fail The line is dead')),
    {
      message: 'Look at the line',
    },
  );
  const queue = await client.succeed<{ queue_id: string }>(createQueue, {
    params: { teamId },
    body: { name: 'Refunds', description: 'Customers who want their money back' },
  });
  const { added_cases: cases } = await client.succeed<{ added_cases: { case_id: string }[] }>(createCases, {
    params: { queue_id: queue.queue_id },
    body: {
      cases: ['Lamp broken', 'Chair too small', 'Table never came'].map((title, index) => ({
        title,
        data: { order: 4711 + index },
        priority: index === 0 ? 'high' : 'none',
        labels: [{ key: 'shop', value: index === 1 ? 'Hamburg' : 'Berlin' }],
      })),
    },
  });
  await client.succeed(createConnection, {
    params: { teamId },
    body: {
      name: 'Warehouse',
      server_url: mcpServerUrl,
      auth_method: 'apikey',
      api_key: 'not-the-right-one',
    },
  });
  const { artifact_id: artifactId } = await client.succeed<{ artifact_id: string }>(createArtifact, {
    body: { message: 'Runs of this week, by agent', title: 'Runs of the week', visibility: 'team' },
  });
  await eventually(async () => {
    const { status } = await client.succeed<{ status: string }>(getArtifact, { params: { artifactId } });
    if (status !== 'completed') throw new Error(`The page is ${status}`);
  });
  const caseId = cases[0]!.case_id;
  const agent = `/console/agents/${agentId}`;
  return {
    ...{ agentId, caseId, artifactId, waitingRunId, runId },
    queueId: queue.queue_id,
    pages: {
      runs: '/console/runs',
      run: `/console/runs/${waitingRunId}`,
      inbox: '/console/inbox',
      agents: '/console/agents',
      agent,
      playground: `${agent}?tab=playground`,
      schedules: `${agent}?tab=schedules`,
      memory: `${agent}?tab=memory`,
      evaluation: `${agent}?tab=evaluation`,
      queues: '/console/queues',
      case: `/console/queues?queue=${queue.queue_id}&case=${caseId}`,
      connections: '/console/connections',
      artifacts: '/console/artifacts',
      usage: '/console/usage',
      keys: '/console/keys',
    },
  };
}
