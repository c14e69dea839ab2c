import { isDeepStrictEqual } from 'node:util';
import type { BuildConfigInput, Client, RubricInput } from '@aos/client';
import type { AgentFiles } from './agent-folder.js';
import { memoryOf, pullAgent } from './pull-agent.js';
import { rowsOf } from './rows.js';
import { isSameRevision, wantedRevision, type RevisionFiles } from './wanted-revision.js';

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
}

/** Keeps the folder with an id that came to be, so that the next push finds what has it. */
export type KeepFiles = (files: AgentFiles) => Promise<void>;

/** What a push speaks to the service by. */
export interface PushClients {
  readonly client: Client;
  /** The same, but what it was asked to make is waited for: interrupted, the folder would not know its id. */
  readonly patient: Pick<Client, 'createAgent' | 'createSchedule'>;
}

/** Makes an agent what its folder says. What is the same already is left alone. */
export async function pushAgent(
  clients: PushClients,
  files: AgentFiles,
  options: PushOptions,
  keep: KeepFiles,
): Promise<Pushed> {
  const push = new Push(clients, files, options, keep);
  return files.agent.agent_id === undefined ? push.asNew() : push.onto(files.agent.agent_id);
}

class Push {
  private readonly changes: string[] = [];
  private readonly client: Client;
  private readonly patient: PushClients['patient'];

  constructor(
    { client, patient }: PushClients,
    private files: AgentFiles,
    private readonly options: PushOptions,
    private readonly keep: KeepFiles,
  ) {
    this.client = client;
    this.patient = patient;
  }

  async asNew(): Promise<Pushed> {
    const { agent_id: _none, ...described } = this.files.agent;
    const made = await this.patient.createAgent({ ...described, build: { config: configOf(this.files) } });
    this.changes.push(`made the agent ${described.name}`);
    const { agent_id: agentId } = made;
    await this.note({ ...this.files, agent: { ...this.files.agent, agent_id: agentId } });
    const buildId = made.build.build_id;
    if (this.files.rubrics?.length) await this.putRubrics(agentId, buildId, this.files.rubrics);
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
    const revision = wantedRevision(this.files, before);
    if (isSameRevision(revision, before)) return this.finish(agentId, null, false);
    const { build_id: buildId } = await this.client.createRevision({
      agent_id: agentId,
      config: configOf(revision),
    });
    await this.putRubrics(agentId, buildId, revision.rubrics);
    this.changes.push(`made the revision ${buildId}`);
    if (this.options.promote) {
      await this.client.promoteRevision({ build_id: buildId });
      this.changes.push('made it the live one');
    }
    return this.finish(agentId, buildId, this.options.promote === true);
  }

  private async putRubrics(agentId: string, buildId: string, rubrics: readonly RubricInput[]): Promise<void> {
    await this.client.replaceEvalRubrics({ agentId, build_id: buildId, rubrics });
  }

  private async finish(agentId: string, buildId: string | null, isLive: boolean): Promise<Pushed> {
    await this.putMemory(agentId);
    await this.putSchedules(agentId);
    return { agent_id: agentId, build_id: buildId, is_live: isLive, changes: this.changes };
  }

  /** At once: what comes after it may be refused, and then the next push would make a second one. */
  private async note(files: AgentFiles): Promise<void> {
    this.files = files;
    await this.keep(files);
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

  private async putSchedules(agentId: string): Promise<void> {
    const before = await rowsOf(this.client.each.listAgentSchedules({ agent_id: agentId }), Infinity);
    for (const [index, schedule] of this.files.schedules.entries()) {
      const { schedule_id: id, ...fields } = schedule;
      const known = before.find(({ schedule_id }) => schedule_id === id);
      if (!known) {
        const { schedule_id } = await this.patient.createSchedule({ agent_id: agentId, ...fields });
        this.changes.push(`made the schedule ${schedule_id}`);
        const schedules = this.files.schedules.with(index, { ...schedule, schedule_id });
        await this.note({ ...this.files, schedules });
      } else if (Object.entries(fields).some(([name, value]) => known[name as 'time'] !== value)) {
        const { schedule_id } = known;
        await this.client.updateSchedule({ agent_id: agentId, schedule_id, ...fields });
        this.changes.push(`changed the schedule ${schedule_id}`);
      }
    }
    if (!this.options.prune) return;
    const kept = new Set(this.files.schedules.map(({ schedule_id }) => schedule_id));
    for (const { schedule_id } of before.filter(({ schedule_id: id }) => !kept.has(id))) {
      await this.client.deleteSchedule({ agent_id: agentId, schedule_id });
      this.changes.push(`deleted the schedule ${schedule_id}`);
    }
  }
}

function configOf({ config, procedure }: RevisionFiles): BuildConfigInput {
  return { version: 'v2', data: { ...config, input: procedure } };
}
