import type { Operation } from '../operation.js';
import { createAgent, deleteAgent, getAgent, listAgents, rollbackAgent, updateAgent } from './agents.js';
import { createApiKey, deleteApiKey, listApiKeys } from './api-keys.js';
import {
  getAgentRunScreenshotTimeline,
  getRunScreenshotTimeline,
  listBrowserSessionPages,
} from './browser.js';
import {
  acceptRevision,
  discardRevision,
  generateRevision,
  getBuilderRunStatus,
  getRevisionBuilderRun,
  resumeBuilderRun,
} from './builder-runs.js';
import {
  createEvalRubric,
  deleteEvalRubric,
  getEvalRubrics,
  replaceEvalRubrics,
  updateEvalRubric,
} from './eval-rubrics.js';
import { getEvalScores, getRunEvaluation } from './evaluations.js';
import { downloadFile, uploadFile } from './file-links.js';
import { listHumanRequests, respondToHumanRequest } from './human-requests.js';
import {
  deleteAgentMemoryFile,
  getAgentMemoryFile,
  listAgentMemoryFiles,
  putAgentMemoryFile,
} from './memory-files.js';
import { createOAuthClient, deleteOAuthClient, listOAuthClients } from './oauth-clients.js';
import { listPluginCatalog } from './plugins.js';
import {
  createRevision,
  getRevision,
  listAgentRevisions,
  promoteRevision,
  updateRevision,
} from './revisions.js';
import {
  getRunSandboxFileContent,
  getRunSandboxFileContentByRun,
  listRunSandboxFiles,
  listRunSandboxFilesByRun,
} from './run-files.js';
import { getWorkflowExecutionReport } from './run-reports.js';
import {
  getAgentRun,
  getRun,
  listRunMessages,
  listRuns,
  postRunMessage,
  startRun,
  deleteRun,
  stopRun,
  streamRunEvents,
} from './runs.js';
import {
  createSandbox,
  createSandboxUploadUrl,
  getSandboxFileContent,
  listSandboxFiles,
  uploadSandboxFile,
} from './sandboxes.js';
import { createSchedule, deleteSchedule, listAgentSchedules, updateSchedule } from './schedules.js';
import { createTeam, getTeam, listTeams } from './teams.js';
import {
  getWebhookDelivery,
  listEvents,
  listRunDeliveries,
  listWebhookDeliveries,
  redeliverRunDelivery,
  redeliverWebhook,
  replayWebhooks,
} from './webhook-deliveries.js';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  getWebhookSecret,
  listWebhooks,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from './webhooks.js';

/** The public interface. Routes, validation, OpenAPI, MCP tools and the walking tests come from this table. */
export const operations: readonly Operation[] = [
  listTeams,
  createTeam,
  getTeam,
  createApiKey,
  listApiKeys,
  deleteApiKey,
  createOAuthClient,
  listOAuthClients,
  deleteOAuthClient,
  listAgents,
  createAgent,
  getAgent,
  updateAgent,
  deleteAgent,
  rollbackAgent,
  listAgentRevisions,
  createRevision,
  getRevision,
  updateRevision,
  promoteRevision,
  generateRevision,
  getRevisionBuilderRun,
  acceptRevision,
  discardRevision,
  getBuilderRunStatus,
  resumeBuilderRun,
  listAgentSchedules,
  createSchedule,
  updateSchedule,
  deleteSchedule,
  listAgentMemoryFiles,
  getAgentMemoryFile,
  putAgentMemoryFile,
  deleteAgentMemoryFile,
  getEvalRubrics,
  createEvalRubric,
  replaceEvalRubrics,
  updateEvalRubric,
  deleteEvalRubric,
  listRuns,
  startRun,
  getRun,
  listRunMessages,
  postRunMessage,
  respondToHumanRequest,
  deleteRun,
  stopRun,
  getAgentRun,
  getWorkflowExecutionReport,
  listHumanRequests,
  streamRunEvents,
  listRunSandboxFiles,
  getRunSandboxFileContent,
  listRunSandboxFilesByRun,
  getRunSandboxFileContentByRun,
  listBrowserSessionPages,
  getRunScreenshotTimeline,
  getAgentRunScreenshotTimeline,
  getRunEvaluation,
  getEvalScores,
  createSandbox,
  createSandboxUploadUrl,
  listSandboxFiles,
  getSandboxFileContent,
  uploadSandboxFile,
  uploadFile,
  downloadFile,
  listPluginCatalog,
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  testWebhook,
  getWebhookSecret,
  rotateWebhookSecret,
  listWebhookDeliveries,
  getWebhookDelivery,
  redeliverWebhook,
  replayWebhooks,
  listRunDeliveries,
  redeliverRunDelivery,
  listEvents,
];
