import { randomUUID } from 'node:crypto';
import {
  buildPublished,
  createApiKey,
  createEvalRubric,
  createOAuthClient,
  createSchedule,
  putAgentMemoryFile,
} from '@aos/contracts';
import { createWidget, type QueryableDatabase } from '@aos/testing';
import type { CallOptions } from './api-client.js';
import {
  builderRunIn,
  evaluatedRun,
  generate,
  makeAgent,
  makeDraft,
  makeRun,
  pendingRequest,
  publishDraft,
  reviewable,
  steps,
  vaguePrompt,
} from './sample-agents.js';
import {
  answerable,
  attachConnection,
  makeArtifact,
  makeArtifactRevision,
  publicToken,
} from './sample-artifacts.js';
import {
  browsedRun,
  downloadToken,
  filledSandbox,
  makeSandbox,
  uploadToken,
  writingRun,
} from './sample-files.js';
import { oauthProvider, type OAuthParties } from './oauth-surroundings.js';
import { consented, consentedToMcp, makeConnection, mcpServer } from './sample-connections.js';
import { chosenCase, makeCase, makeLabel, makeQueue, makeTrigger, settledCase } from './sample-queues.js';
import { deliveredToRun, deliveredToWebhook, makeDelivery, makeWebhook } from './sample-webhooks.js';
import type { Team } from './team.js';

/** What stands in the path before it: a schedule is made for the agent that the path names. */
type Made = Readonly<Record<string, string>>;

/** What is beside the product: a receiver that takes what it sends out, and its database. */
export interface Surroundings {
  readonly receiverUrl: string;
  readonly database: QueryableDatabase;
  readonly oauth: OAuthParties | undefined;
}

type Maker = (team: Team, made: Made, around: Surroundings) => Promise<string>;

/** Makes something of a team and gives its id, for each name that a path parameter has. */
export const makers: Readonly<Record<string, Maker>> = {
  keyId: async ({ client, id: teamId }) =>
    (await client.succeed<{ api_key_id: string }>(createApiKey, { params: { teamId } })).api_key_id,
  clientId: async ({ client, id: teamId }) =>
    (await client.succeed<{ client_id: string }>(createOAuthClient, { params: { teamId } })).client_id,
  widgetId: (team) => makeWidget(team),
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
  subscriptionId: (team, _, { receiverUrl }) => makeWebhook(team, receiverUrl),
  deliveryId: (team, { subscriptionId }) => makeDelivery(team, subscriptionId!),
  id: (team) => makeSandbox(team),
  connection_id: (team, _, { receiverUrl }) => makeConnection(team, receiverUrl),
  provider: async () => oauthProvider,
  queue_id: (team) => makeQueue(team),
  case_id: (team, { queue_id: queueId }) => makeCase(team, queueId),
  label_id: (team, { queue_id: queueId }) => makeLabel(team, queueId!),
  trigger_id: (team, { agent_id: agentId }) => makeTrigger(team, agentId!),
  artifactId: (team) => makeArtifact(team),
  connectionId: (team, { artifactId }, { receiverUrl }) => attachConnection(team, artifactId!, receiverUrl),
  revisionId: (team, { artifactId }) => makeArtifactRevision(team, artifactId!),
  session_id: async (team, _, { database }) => (await browsedRun(team, database))['session_id']!,
  path: async ({ client }, { agent_id: agentId }) => {
    const path = 'notes/today.md';
    await client.succeed(putAgentMemoryFile, {
      params: { agent_id: agentId!, path },
      body: { content: 'Remember the milk.' },
    });
    return path;
  },
};

export async function makeWidget({ client }: Team): Promise<string> {
  return (await client.succeed<{ widget_id: string }>(createWidget)).widget_id;
}

type Preparation = (team: Team, around: Surroundings) => Promise<CallOptions>;

/** Operations that succeed, or have something to show, only after something else has happened. */
export const prepared: Readonly<Record<string, Preparation>> = {
  startRun: async (team, { receiverUrl }) => ({
    params: { teamId: team.id },
    body: { agent_id: await makeAgent(team), webhook_url: receiverUrl },
  }),
  respondToHumanRequest: async (team) => {
    const agentId = await makeAgent(team, steps('approve Shall I?', 'finish Done'));
    const runId = await makeRun(team, agentId);
    return { params: await pendingRequest(team, runId), body: { approved: true } };
  },
  rollbackAgent: async (team) => {
    const agentId = await makeAgent(team);
    await publishDraft(team, agentId);
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
  createWebhook: async (team, { receiverUrl: url }) => ({
    params: { teamId: team.id },
    body: { url, events: [buildPublished.name] },
  }),
  listWebhooks: async (team, { receiverUrl: url }) => {
    await makeWebhook(team, url);
    return { params: { teamId: team.id } };
  },
  updateWebhook: async (team, { receiverUrl: url }) => ({
    params: { teamId: team.id, subscriptionId: await makeWebhook(team, url) },
    body: { url: `${url}moved`, events: ['run.started'], enabled: true },
  }),
  listWebhookDeliveries: async (team, { receiverUrl: url }) => ({
    params: await deliveredToWebhook(team, url),
  }),
  replayWebhooks: async (team, { receiverUrl: url }) => ({
    params: await deliveredToWebhook(team, url),
    body: { since: '2026-01-01T00:00:00Z', until: '2999-01-01T00:00:00Z' },
  }),
  listRunDeliveries: async (team, { receiverUrl: url }) => ({ params: await deliveredToRun(team, url) }),
  redeliverRunDelivery: async (team, { receiverUrl: url }) => ({ params: await deliveredToRun(team, url) }),
  listSandboxFiles: async (team) => ({ params: await filledSandbox(team) }),
  getSandboxFileContent: async (team) => ({ params: await filledSandbox(team) }),
  uploadFile: async (team) => ({ params: { token: await uploadToken(team) } }),
  downloadFile: async (team) => ({ params: { token: await downloadToken(team) } }),
  listRunSandboxFiles: async (team) => ({ params: await writingRun(team) }),
  getRunSandboxFileContent: async (team) => ({ params: await writingRun(team) }),
  listRunSandboxFilesByRun: async (team) => ({ params: await writingRun(team) }),
  getRunSandboxFileContentByRun: async (team) => ({ params: await writingRun(team) }),
  getRunScreenshotTimeline: async (team, { database }) => ({ params: await browsedRun(team, database) }),
  getAgentRunScreenshotTimeline: async (team, { database }) => ({ params: await browsedRun(team, database) }),
  getRunEvaluation: async (team) => ({ params: await evaluatedRun(team) }),
  getEvalScores: async (team) => ({ params: await evaluatedRun(team) }),
  createConnection: async (team, { receiverUrl: url }) => ({
    params: { teamId: team.id },
    body: { name: 'A server', server_url: url },
  }),
  listConnections: async (team, { receiverUrl: url }) => {
    await makeConnection(team, url);
    return { params: { teamId: team.id } };
  },
  authorizeMcpOAuth: async (team, { oauth }) => mcpServer(oauth, team),
  checkMcpOAuth: async (team, { oauth }) => mcpServer(oauth, team),
  probeMcpServer: async (team, { oauth }) => ({
    params: { teamId: team.id },
    body: { server_url: oauth!.mcpServerUrl },
  }),
  finalizeOAuth: async (team, { oauth }) => ({ body: await consented(team, oauth) }),
  oauthCallback: async (team, { oauth }) => ({ query: await consented(team, oauth) }),
  oauthCallbackOfConnection: (team, { oauth }) => consentedToMcp(team, oauth),
  createQueue: async (team) => ({ params: { teamId: team.id }, body: { name: randomUUID() } }),
  listQueues: async (team) => {
    await makeQueue(team);
    return { params: { teamId: team.id } };
  },
  createCases: async (team) => ({
    params: { queue_id: await makeQueue(team) },
    body: { case: { title: 'Hello', data: 'anything', labels: [{ key: 'kind', value: 'sample' }] } },
  }),
  listCases: async (team) => ({ params: (await chosenCase(team)).params }),
  searchCases: async (team) => ({ params: (await chosenCase(team)).params }),
  listCaseLabels: async (team) => ({ params: (await chosenCase(team)).params }),
  listCaseRuns: async (team) => ({ params: { case_id: (await settledCase(team)).case_id } }),
  bulkDeleteCases: (team) => chosenCase(team),
  bulkReprocessCases: (team) => chosenCase(team),
  bulkUpdateCaseStatus: (team) => chosenCase(team, { status: 'completed' }),
  bulkUpdateCasePriority: (team) => chosenCase(team, { priority: 'high' }),
  createCaseTrigger: async (team) => ({
    params: { agent_id: await makeAgent(team) },
    body: { case_queue_id: await makeQueue(team) },
  }),
  updateCaseTrigger: async (team) => {
    const agentId = await makeAgent(team);
    const params = { agent_id: agentId, trigger_id: await makeTrigger(team, agentId) };
    return { params, body: { case_queue_id: await makeQueue(team), enabled: false } };
  },
  listAgentCaseTriggers: async (team) => {
    const agentId = await makeAgent(team);
    await makeTrigger(team, agentId);
    return { params: { agent_id: agentId } };
  },
  listArtifacts: async (team) => {
    await makeArtifact(team);
    return {};
  },
  answerArtifact: answerable,
  addArtifactConnection: async (team, { receiverUrl }) => ({
    params: { artifactId: await makeArtifact(team) },
    body: { connection_id: await makeConnection(team, receiverUrl) },
  }),
  listArtifactConnections: async (team, { receiverUrl }) => {
    const artifactId = await makeArtifact(team);
    await attachConnection(team, artifactId, receiverUrl);
    return { params: { artifactId } };
  },
  viewPublicArtifact: async (team) => ({ params: { token: await publicToken(team) } }),
  callMcp: async () => ({ body: { jsonrpc: '2.0', id: 1, method: 'ping' } }),
  listEvents: async (team, { receiverUrl: url }) => {
    await deliveredToWebhook(team, url);
    return { params: { teamId: team.id } };
  },
};
