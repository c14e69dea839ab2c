import type { Client, Schedule } from '@aos/client';
import type { AgentFiles, ScheduleFile } from './agent-folder.js';
import type { LiveRevision } from './wanted-revision.js';
import { rowsOf } from './rows.js';

/** An agent with its live revision, or another one, as files. */
export async function pullAgent(
  client: Client,
  agentId: string,
  buildId?: string,
): Promise<AgentFiles & LiveRevision> {
  const { agent } = await client.getAgent({ agent_id: agentId });
  const { build } = await client.getRevision({
    agent_id: agentId,
    build_id: buildId ?? agent.live_build_id,
  });
  const { input, ...config } = build.config.data;
  const { rubrics } = await client.getEvalRubrics({ agentId, build_id: build.build_id });
  const schedules = await rowsOf(client.each.listAgentSchedules({ agent_id: agentId }), Infinity);
  return {
    agent: {
      agent_id: agent.agent_id,
      name: agent.name,
      description: agent.description,
      agentic_memory_enabled: agent.agentic_memory_enabled,
    },
    config,
    procedure: input,
    rubrics: rubrics.map(({ title, description, severity, sort_order }) => ({
      title,
      description,
      severity,
      sort_order,
    })),
    schedules: schedules.map(scheduleFile),
    memory: await memoryOf(client, agentId),
  };
}

export async function memoryOf(client: Client, agentId: string): Promise<Record<string, string>> {
  const memory: Record<string, string> = {};
  for await (const { path } of client.each.listAgentMemoryFiles({ agent_id: agentId })) {
    memory[path] = (await client.getAgentMemoryFile({ agent_id: agentId, path })).content;
  }
  return memory;
}

function scheduleFile(schedule: Schedule): ScheduleFile {
  const { schedule_id, enabled, frequency, time, timezone, day, day_of_month, cron, recurring, message } =
    schedule;
  return { schedule_id, enabled, frequency, time, timezone, day, day_of_month, cron, recurring, message };
}
