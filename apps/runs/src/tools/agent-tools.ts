import { defineTool, type Tool, type ToolOutcome } from '@aos/agent-runtime';
import { AppError, hasEnded, idSchema } from '@aos/contracts';
import { z } from 'zod';
import type { SubRun, SubRunsService } from '../lifecycle/sub-runs/sub-runs.service.js';
import { toolError, toolResult } from './tool-result.js';

/** The end of a sub-run wakes its parent; this is for when that wake-up was lost. */
const lookAgainMs = 10_000;

/** Other agents of the team, as tools. A call starts one run, however often it is made. */
export function agentTools(subRuns: SubRunsService): Tool[] {
  return [
    defineTool({
      name: 'call_agent',
      description: 'Gives a task to another agent and waits for its answer.',
      parameters: z.object({ agent_id: idSchema, message: z.string().min(1).max(200_000) }),
      repeatable: true,
      knownByDatabase: true,
      async execute({ agent_id: agentId, message }, { runId, teamId, callId }): Promise<ToolOutcome> {
        let outcome: ToolOutcome = { kind: 'later', afterMs: lookAgainMs };
        const asked = await toolResult(async () => {
          const subRun = await subRuns
            .of({ runId, teamId, callId, agentId, message })
            .catch(namedRefusal(agentId));
          if (hasEnded(subRun.status)) outcome = outcomeOf(subRun);
        });
        return asked.kind === 'error' ? asked : outcome;
      },
    }),
  ];
}

function outcomeOf({ id, status, result, error }: SubRun): ToolOutcome {
  if (status === 'completed') return { kind: 'result', result: { run_id: id, status, result } };
  if (status === 'stopped') return toolError(`The run of the agent was stopped (run ${id}).`);
  return toolError(`The run of the agent failed (run ${id}): ${error?.message ?? 'for an unknown reason'}`);
}

function namedRefusal(agentId: string) {
  return (error: unknown): never => {
    if (error instanceof AppError && error.code === 'not_found') {
      throw new AppError('not_found', `This team has no agent ${agentId}.`);
    }
    throw error;
  };
}
