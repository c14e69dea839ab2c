import {
  getRun,
  getWebhookSecret,
  listRunMessages,
  respondToHumanRequest,
  stopRun,
  type RunMessage,
} from '@aos/contracts';
import { eventually } from '@aos/testing';
import { settledCase } from './sample-queues.js';
import { makeAgent, makeRun, pendingRequest, publishDraft, steps } from './sample-agents.js';
import type { Team } from './team.js';

/** A run of a story, with what its events must tell of it. */
export interface TracedRun {
  readonly id: string;
  readonly facts: Readonly<Record<string, string>>;
  readonly requestId?: string;
  readonly messages: readonly RunMessage[];
}

/** What happened in a team: each kind of public event that can exist, at least once. */
export interface Story {
  /** Says something, calls a tool that is not there, writes a file, has something approved, and finishes. */
  readonly approved: TracedRun;
  /** Asks a question, is answered, and finishes. */
  readonly answered: TracedRun;
  /** Asks a question and is stopped. */
  readonly stopped: TracedRun;
  readonly failed: TracedRun;
  /** Settles a case, and finishes. */
  readonly worked: TracedRun;
  readonly settled: { readonly case_id: string; readonly queue_id: string; readonly title: string };
  readonly published: { readonly agent_id: string; readonly build_id: string };
}

export function runsOf({ approved, answered, stopped, failed, worked }: Story): TracedRun[] {
  return [approved, answered, stopped, failed, worked];
}

/** Lets everything happen in a team that can, and gives what there is to tell of it. */
export async function liveThrough(team: Team): Promise<Story> {
  const approved = await makeRun(
    team,
    await makeAgent(
      team,
      steps(
        'say One moment',
        'tool no_such_tool {}',
        'tool write_file {"path": "note.txt", "content": "Hello"}',
        'approve Shall I?',
        'finish All is done',
      ),
    ),
  );
  const approvedRequest = await respond(team, approved, { approved: true });
  const answered = await makeRun(team, await makeAgent(team, steps('ask Which?', 'finish {{answer}}')));
  const answeredRequest = await respond(team, answered, { answers: { 'Which?': 'This one' } });
  const stopped = await makeRun(team, await makeAgent(team, steps('ask Why?', 'finish Never')));
  const { request_id: stoppedRequest } = await pendingRequest(team, stopped);
  await team.client.succeed(stopRun, { params: { run_id: stopped } });
  const failed = await makeRun(team, await makeAgent(team, steps('fail Broken')));
  const { run_id: worked, ...settled } = await settledCase(team);
  const agentId = await makeAgent(team);
  return {
    approved: await runIn(team, approved, 'completed', approvedRequest),
    answered: await runIn(team, answered, 'completed', answeredRequest),
    stopped: await runIn(team, stopped, 'stopped', stoppedRequest),
    failed: await runIn(team, failed, 'failed'),
    worked: await runIn(team, worked, 'completed'),
    settled,
    published: { agent_id: agentId, build_id: await publishDraft(team, agentId) },
  };
}

export async function secretOf({ client, id: teamId }: Team): Promise<string> {
  return (await client.succeed<{ secret: string }>(getWebhookSecret, { params: { teamId } })).secret;
}

/** Gives the answer to what the run waits for. */
export async function respond(team: Team, runId: string, body: object): Promise<string> {
  const params = await pendingRequest(team, runId);
  await team.client.succeed(respondToHumanRequest, { params, body });
  return params.request_id;
}

/** Waits until the run has got there, and gives what its events must tell. */
export async function runIn(
  team: Team,
  runId: string,
  status: string,
  requestId?: string,
): Promise<TracedRun> {
  const params = { run_id: runId };
  const run = await eventually(async () => {
    const answer = await team.client.succeed<{ run: Record<string, string> }>(getRun, { params });
    if (answer.run['status'] !== status) throw new Error(`The run is ${answer.run['status']}, not ${status}`);
    return answer.run;
  });
  const { messages } = await team.client.succeed<{ messages: RunMessage[] }>(listRunMessages, {
    params,
    query: { limit: '50' },
  });
  const { agent_id, build_id, team_id, source, case_id } = run as Record<string, string>;
  const facts = {
    run_id: runId,
    agent_id: agent_id!,
    build_id: build_id!,
    team_id: team_id!,
    source: source!,
    ...(case_id ? { case_id } : {}),
  };
  return { id: runId, facts, requestId, messages };
}
