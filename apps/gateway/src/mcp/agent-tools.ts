import { grants, listAgentNames, listAgents, startRun, type Principal } from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import { Injectable } from '@nestjs/common';
import type { Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { toJsonSchema } from '../openapi/json-schema.js';
import { portable } from './portable-schema.js';
import { agentToolNames } from './tool-names.js';
import { toolOutput } from './tool-schemas.js';

/** An agent of the team that can be called by its name. */
export interface AgentTool {
  readonly agentId: string;
  readonly definition: Tool;
}

const maxDescriptionLength = 1_000;

/** The longest that a call waits for a client that shows how it gets on. */
export const maxAgentWaitSeconds = 600;

const agentInput = z.object({
  message: z.string().max(200_000).describe('What the agent is to do, in words'),
  wait_seconds: z
    .number()
    .min(0)
    .max(maxAgentWaitSeconds)
    .optional()
    .describe('Seconds to wait for the result; a client that takes tasks then gets the result, not a task'),
  metadata: z.record(z.string(), z.string()).optional(),
  sandbox_id: z.string().optional().describe('A sandbox whose files the agent finds'),
});

const inputSchema = portable(toJsonSchema(agentInput, 'input')) as Tool['inputSchema'];
export const agentOutputSchema = toolOutput(startRun);

/** Every agent of a team as a tool of its own, for credentials that may see agents and start runs. */
@Injectable()
export class AgentTools {
  constructor(private readonly services: ServiceClient) {}

  /** The agents of one exchange: asked for when they are first needed, and once. */
  of(principal: Principal): () => Promise<readonly AgentTool[]> {
    let agents: Promise<readonly AgentTool[]> | undefined;
    return () => (agents ??= this.list(principal));
  }

  private async list(principal: Principal): Promise<AgentTool[]> {
    const { teamId, scopes } = principal;
    if (teamId === null || ![listAgents, startRun].every(({ scope }) => grants(scopes, scope))) return [];
    const { agents } = await this.services.call(listAgentNames, { team_id: teamId });
    const names = agentToolNames(agents.map(({ name }) => name));
    return agents.map(({ agent_id: agentId, name, description }, index) => ({
      agentId,
      definition: agentTool(names[index]!, name, description),
    }));
  }
}

function agentTool(name: string, agentName: string, description: string | null): Tool {
  const told = `Starts a run of the agent ${JSON.stringify(agentName)} and answers with its result.`;
  return {
    name,
    title: agentName,
    description: description === null ? told : `${told} ${startOf(description)}`,
    inputSchema,
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
  };
}

/** Cut where a character ends: half of one is no text that a client can read. */
function startOf(description: string): string {
  const cut = description.slice(0, maxDescriptionLength);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
