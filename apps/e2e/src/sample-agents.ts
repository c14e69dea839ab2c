import {
  createAgent,
  createRevision,
  generateRevision,
  getBuilderRunStatus,
  getRun,
  getRunEvaluation,
  promoteRevision,
  startRun,
} from '@aos/contracts';
import { eventually } from '@aos/testing';
import type { CallOptions } from './api-client.js';
import type { Team } from './team.js';

/** What the builder asks about, and what it does not. */
export const vaguePrompt = 'Help';
export const clearPrompt = 'Answer every customer mail every morning until the inbox is empty';

interface BuilderRun {
  readonly status: string;
  readonly pending_user_questions: { readonly questions: readonly { readonly question: string }[] } | null;
}

/** A procedure that the built-in model follows line by line. */
export function steps(...lines: readonly string[]): string {
  return ['```steps', ...lines, '```'].join('\n');
}

export async function makeAgent(
  { client, id: teamId }: Team,
  procedure = '',
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const body = { build: { config: { data: { input: procedure, ...more } } } };
  return (await client.succeed<{ agent_id: string }>(createAgent, { params: { teamId }, body })).agent_id;
}

/** A run that has ended, or waits for a person if its agent asks. */
export async function makeRun(
  team: Team,
  agentId?: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const body = { agent_id: agentId ?? (await makeAgent(team)), message: 'Hello', wait_seconds: 30, ...more };
  const request = { params: { teamId: team.id }, body };
  return (await team.client.succeed<{ run_id: string }>(startRun, request)).run_id;
}

/** A run that has ended without an answer, and was judged for it. */
export async function evaluatedRun(team: Team): Promise<Record<string, string>> {
  const agentId = await makeAgent(team, steps('tool no_such_tool {}', 'fail Broken'));
  const params = { agentId, runId: await makeRun(team, agentId) };
  return eventually(async () => {
    const { data } = await team.client.succeed<{ data: { status: string } | null }>(getRunEvaluation, {
      params,
    });
    if (data?.status !== 'ready') throw new Error('The run is not evaluated yet');
    return params;
  });
}

/** The path of what the run asks a person and waits for. */
export async function pendingRequest({ client }: Team, runId: string) {
  const params = { run_id: runId };
  const run = await client.succeed<{ pending_human_request: { id: string } }>(getRun, { params });
  return { ...params, request_id: run.pending_human_request.id };
}

export async function makeDraft(team: Team, agentId?: string): Promise<string> {
  const params = { agent_id: agentId ?? (await makeAgent(team)) };
  return (await team.client.succeed<{ build_id: string }>(createRevision, { params })).build_id;
}

/** Makes a new revision of an agent the live one, which is an event too. */
export async function publishDraft(team: Team, agentId?: string): Promise<string> {
  const buildId = await makeDraft(team, agentId);
  await team.client.succeed(promoteRevision, { params: { build_id: buildId } });
  return buildId;
}

export async function generate(
  team: Team,
  buildId: string,
  prompt: string,
): Promise<{ builderRunId: string }> {
  const request = { params: { build_id: buildId }, body: { prompt } };
  const answer = await team.client.succeed<{ builder_run_id: string }>(generateRevision, request);
  return { builderRunId: answer.builder_run_id };
}

export async function reviewable(team: Team): Promise<CallOptions> {
  const buildId = await makeDraft(team);
  const { builderRunId } = await generate(team, buildId, clearPrompt);
  await builderRunIn(team, builderRunId, 'awaiting_review');
  return { params: { build_id: buildId } };
}

export function builderRunIn(team: Team, builderRunId: string, status: string): Promise<BuilderRun> {
  return eventually(async () => {
    const { builder_run: run } = await team.client.succeed<{ builder_run: BuilderRun }>(getBuilderRunStatus, {
      params: { builder_run_id: builderRunId },
    });
    if (run.status !== status) throw new Error(`The builder run is ${run.status}, not ${status}`);
    return run;
  });
}
