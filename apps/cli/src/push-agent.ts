import { isDeepStrictEqual } from 'node:util';
import type { BuildConfigInput, Client } from '@aos/client';
import type { AgentFiles, ScheduleFile } from './agent-folder.js';
import { memoryOf, pullAgent } from './pull-agent.js';

export interface PushOptions {
  /** Makes the revision the live one. */
  readonly promote?: boolean;
  /** Deletes schedules and memory files that the folder does not have. */
  readonly prune?: boolean;
}

export interface Pushed {
  readonly agent_id: string;
  /** The new revision; none if the folder says what the live one does. */
  readonly build_id: string | null;
  readonly is_live: boolean;
  /** What was done, for people. */
  readonly changes: readonly string[];
  /** The folder with the ids that came to be. */
  readonly files: AgentFiles;
}

/** Makes an agent what its folder says. What is the same already is left alone. */
export async function pushAgent(client: Client, files: AgentFiles, options: PushOptions): Promise<Pushed> {
  const push = new Push(client, files, options);
  return files.agent.agent_id === undefined ? push.asNew() : push.onto(files.agent.agent_id);
}

class Push {
  private readonly changes: string[] = [];

  constructor(
    private readonly client: Client,
    private readonly files: AgentFiles,
    private readonly options: PushOptions,
  ) {}

  async asNew(): Promise<Pushed> {
    const { name, description, agentic_memory_enabled } = this.files.agent;
    const made = await this.client.createAgent({
      name,
      description,
      agentic_memory_enabled,
      build: { config: this.config() },
    });
    this.changes.push(`made the agent ${name}`);
    const { agent_id: agentId } = made;
    const buildId = made.build.build_id;
    if (this.files.rubrics.length > 0) await this.putRubrics(agentId, buildId);
    return this.finish(agentId, buildId, true);
  }

  async onto(agentId: string): Promise<Pushed> {
    const before = await pullAgent(this.client, agentId);
    const { agent_id: _id, ...wanted } = this.files.agent;
    if (
      Object.entries(wanted).some(
        ([field, value]) => !isDeepStrictEqual(before.agent[field as 'name'], value),
      )
    ) {
      await this.client.updateAgent({ agent_id: agentId, ...wanted });
      this.changes.push('changed what is said of the agent');
    }
    if (this.isRevisionOf(before)) return this.finish(agentId, null, false);
    const { build_id: buildId } = await this.client.createRevision({
      agent_id: agentId,
      config: this.config(),
    });
    await this.putRubrics(agentId, buildId);
    this.changes.push(`made the revision ${buildId}`);
    if (this.options.promote) {
      await this.client.promoteRevision({ build_id: buildId });
      this.changes.push('made it the live one');
    }
    return this.finish(agentId, buildId, this.options.promote === true);
  }

  private config(): BuildConfigInput {
    return { version: 'v2', data: { ...this.files.config, input: this.files.procedure } };
  }

  /** Whether the folder says what the revision does; what it leaves out is as it was. */
  private isRevisionOf(before: AgentFiles): boolean {
    const { config, procedure, rubrics } = this.files;
    const isSameConfig = isDeepStrictEqual({ ...before.config, ...config }, before.config);
    return isSameConfig && procedure === before.procedure && isDeepStrictEqual(rubrics, before.rubrics);
  }

  private async putRubrics(agentId: string, buildId: string): Promise<void> {
    await this.client.replaceEvalRubrics({ agentId, build_id: buildId, rubrics: this.files.rubrics });
  }

  private async finish(agentId: string, buildId: string | null, isLive: boolean): Promise<Pushed> {
    await this.putMemory(agentId);
    const schedules = await this.putSchedules(agentId);
    const files = { ...this.files, agent: { ...this.files.agent, agent_id: agentId }, schedules };
    return { agent_id: agentId, build_id: buildId, is_live: isLive, changes: this.changes, files };
  }

  private async putMemory(agentId: string): Promise<void> {
    const before = await memoryOf(this.client, agentId);
    for (const [path, content] of Object.entries(this.files.memory)) {
      if (before[path] === content) continue;
      await this.client.putAgentMemoryFile({ agent_id: agentId, path, content });
      this.changes.push(`wrote the memory file ${path}`);
    }
    if (!this.options.prune) return;
    for (const path of Object.keys(before).filter((path) => !Object.hasOwn(this.files.memory, path))) {
      await this.client.deleteAgentMemoryFile({ agent_id: agentId, path });
      this.changes.push(`deleted the memory file ${path}`);
    }
  }

  private async putSchedules(agentId: string): Promise<ScheduleFile[]> {
    const { schedules: before } = await this.client.listAgentSchedules({ agent_id: agentId });
    const kept: ScheduleFile[] = [];
    for (const schedule of this.files.schedules) {
      const { schedule_id: id, ...fields } = schedule;
      const known = before.find(({ schedule_id }) => schedule_id === id);
      if (known && Object.entries(fields).every(([name, value]) => known[name as 'time'] === value)) {
        kept.push(schedule);
        continue;
      }
      const put = known
        ? await this.client.updateSchedule({ agent_id: agentId, schedule_id: known.schedule_id, ...fields })
        : await this.client.createSchedule({ agent_id: agentId, ...fields });
      this.changes.push(`${known ? 'changed' : 'made'} the schedule ${put.schedule_id}`);
      kept.push({ ...schedule, schedule_id: put.schedule_id });
    }
    const gone = before.filter(({ schedule_id: id }) => !kept.some(({ schedule_id }) => schedule_id === id));
    for (const { schedule_id } of this.options.prune ? gone : []) {
      await this.client.deleteSchedule({ agent_id: agentId, schedule_id });
      this.changes.push(`deleted the schedule ${schedule_id}`);
    }
    return kept;
  }
}
