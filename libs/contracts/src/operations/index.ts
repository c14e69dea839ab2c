import type { Operation } from '../operation.js';
import { createApiKey, deleteApiKey, listApiKeys } from './api-keys.js';
import { createOAuthClient, deleteOAuthClient, listOAuthClients } from './oauth-clients.js';
import { createTeam, getTeam, listTeams } from './teams.js';

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
];
