import {
  createAgent,
  createApiKey,
  createEvalRubric,
  createOAuthClient,
  createRevision,
  createSchedule,
  generateRevision,
  getBuilderRunStatus,
  getRun,
  promoteRevision,
  putAgentMemoryFile,
  startRun,
} from '@aos/contracts';
import { createWidget, eventually } from '@aos/testing';
import type { CallOptions } from './api-client.js';
import type { Team } from './team.js';

/** What stands in the path before it: a schedule is made for the agent that the path names. */
type Made = Readonly<Record<string, string>>;

/** Makes something of a team and gives its id, for each name that a path parameter has. */
export const makers: Readonly<Record<string, (team: Team, made: Made) => Promise<string>>> = {
  keyId: async ({ client, id: teamId }) =>
    (await client.succeed<{ api_key_id: string }>(createApiKey, { params: { teamId } })).api_key_id,
  clientId: async ({ client, id: teamId }) =>
    (await client.succeed<{ client_id: string }>(createOAuthClient, { params: { teamId } })).client_id,
  widgetId: async ({ client }) => (await client.succeed<{ widget_id: string }>(createWidget)).widget_id,
  agent_id: (team) => makeAgent(team),
  agentId: (team) => makeAgent(team),
  build_id: (team, { agent_id: agentId }) => makeDraft(team, agentId),
  builder_run_id: async (team) => (await generate(team, await makeDraft(team), vaguePrompt)).builderRunId,
  schedule_id: async ({ client }, { agent_id: agentId }) =>
    (await client.succeed<{ id: string }>(createSchedule, { params: { agent_id: agentId! } })).id,
  rubric_id: async ({ client }, { agentId }) => {
    const body = { title: 'Polite tone', description: 'The answer says "please" to the customer.' };
    const made = { params: { agentId: agentId! }, body };
    return (await client.succeed<{ rubric_id: string }>(createEvalRubric, made)).rubric_id;
  },
  run_id: (team, { agent_id: agentId }) => makeRun(team, agentId),
  runId: (team, { agentId }) => makeRun(team, agentId),
  path: async ({ client }, { agent_id: agentId }) => {
    const path = 'notes/today.md';
    await client.succeed(putAgentMemoryFile, {
      params: { agent_id: agentId!, path },
      body: { content: 'Remember the milk.' },
    });
    return path;
  },
};

/** Operations that succeed only after something else has happened. */
export const prepared: Readonly<Record<string, (team: Team) => Promise<CallOptions>>> = {
  startRun: async (team) => ({ params: { teamId: team.id }, body: { agent_id: await makeAgent(team) } }),
  respondToHumanRequest: async (team) => {
    const runId = await makeRun(team, await makeAgent(team, '```steps\napprove Shall I?\nfinish Done\n```'));
    const { pending_human_request: request } = await team.client.succeed<{
      pending_human_request: { id: string };
    }>(getRun, { params: { run_id: runId } });
    return { params: { run_id: runId, request_id: request.id }, body: { approved: true } };
  },
  rollbackAgent: async (team) => {
    const agentId = await makeAgent(team);
    await team.client.succeed(promoteRevision, { params: { build_id: await makeDraft(team, agentId) } });
    return { params: { agent_id: agentId } };
  },
  getRevisionBuilderRun: async (team) => {
    const buildId = await makeDraft(team);
    await generate(team, buildId, vaguePrompt);
    return { params: { build_id: buildId } };
  },
  acceptRevision: reviewable,
  discardRevision: reviewable,
  resumeBuilderRun: async (team) => {
    const { builderRunId } = await generate(team, await makeDraft(team), vaguePrompt);
    const { pending_user_questions: pending } = await builderRunIn(team, builderRunId, 'waiting');
    const answers = Object.fromEntries(pending!.questions.map(({ question }) => [question, 'As always']));
    return { params: { builder_run_id: builderRunId }, body: { answers } };
  },
};

const vaguePrompt = 'Help';
const clearPrompt = 'Answer every customer mail every morning until the inbox is empty';

interface BuilderRun {
  readonly status: string;
  readonly pending_user_questions: { readonly questions: readonly { readonly question: string }[] } | null;
}

async function makeAgent({ client, id: teamId }: Team, procedure = ''): Promise<string> {
  const body = { build: { config: { data: { input: procedure } } } };
  return (await client.succeed<{ agent_id: string }>(createAgent, { params: { teamId }, body })).agent_id;
}

/** A run that has ended, or waits for a person if its agent asks. */
async function makeRun(team: Team, agentId?: string): Promise<string> {
  const body = { agent_id: agentId ?? (await makeAgent(team)), message: 'Hello', wait_seconds: 30 };
  const request = { params: { teamId: team.id }, body };
  return (await team.client.succeed<{ run_id: string }>(startRun, request)).run_id;
}

async function makeDraft(team: Team, agentId?: string): Promise<string> {
  const params = { agent_id: agentId ?? (await makeAgent(team)) };
  return (await team.client.succeed<{ build_id: string }>(createRevision, { params })).build_id;
}

async function generate(team: Team, buildId: string, prompt: string): Promise<{ builderRunId: string }> {
  const request = { params: { build_id: buildId }, body: { prompt } };
  const answer = await team.client.succeed<{ builder_run_id: string }>(generateRevision, request);
  return { builderRunId: answer.builder_run_id };
}

async function reviewable(team: Team): Promise<CallOptions> {
  const buildId = await makeDraft(team);
  const { builderRunId } = await generate(team, buildId, clearPrompt);
  await builderRunIn(team, builderRunId, 'awaiting_review');
  return { params: { build_id: buildId } };
}

function builderRunIn(team: Team, builderRunId: string, status: string): Promise<BuilderRun> {
  return eventually(async () => {
    const { builder_run: run } = await team.client.succeed<{ builder_run: BuilderRun }>(getBuilderRunStatus, {
      params: { builder_run_id: builderRunId },
    });
    if (run.status !== status) throw new Error(`The builder run is ${run.status}, not ${status}`);
    return run;
  });
}
