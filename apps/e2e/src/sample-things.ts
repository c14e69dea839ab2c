import {
  createAgent,
  createApiKey,
  createEvalRubric,
  createOAuthClient,
  createRevision,
  createSchedule,
  generateRevision,
  getBuilderRunStatus,
  promoteRevision,
  putAgentMemoryFile,
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
  agent_id: makeAgent,
  agentId: makeAgent,
  build_id: (team, { agent_id: agentId }) => makeDraft(team, agentId),
  builder_run_id: async (team) => (await generate(team, await makeDraft(team), vaguePrompt)).builderRunId,
  schedule_id: async ({ client }, { agent_id: agentId }) =>
    (await client.succeed<{ id: string }>(createSchedule, { params: { agent_id: agentId! } })).id,
  rubric_id: async ({ client }, { agentId }) => {
    const body = { title: 'Polite tone', description: 'The answer says "please" to the customer.' };
    const made = { params: { agentId: agentId! }, body };
    return (await client.succeed<{ rubric_id: string }>(createEvalRubric, made)).rubric_id;
  },
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

async function makeAgent({ client, id: teamId }: Team): Promise<string> {
  return (await client.succeed<{ agent_id: string }>(createAgent, { params: { teamId } })).agent_id;
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
