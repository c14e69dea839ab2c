import { isDeepStrictEqual } from 'node:util';
import type { BuildConfigInput, Client, RubricInput, Schedule } from '@aos/client';
import type { AgentFiles } from './agent-folder.js';
import { memoryOf, pullAgent } from './pull-agent.js';
import { rowsOf } from './rows.js';
import { lineDifference } from './line-difference.js';
import { isSameRevision, wantedRevision, type LiveRevision, type RevisionFiles } from './wanted-revision.js';

export interface PushOptions {
  /** Makes the revision the live one. */
  readonly promote?: boolean;
  /** Deletes schedules and memory files that the folder does not have. */
  readonly prune?: boolean;
  /** Changes nothing, and tells what would be changed. */
  readonly dryRun?: boolean;
}

export interface Pushed {
  readonly agent_id: string;
  /** The new revision; none if the folder says what the live one does. */
  readonly build_id: string | null;
  readonly is_live: boolean;
  /** The changes that were made, in words for people; in a dry run those that would be. */
  readonly changes: readonly string[];
  /** The lines in which the revision differs from the live one, by file. */
  readonly differences: readonly string[];
  /** The warnings with which the service took the revision. */
  readonly warnings: readonly string[];
}

/** Stands in a dry run for the id of something that it does not make. */
const notMade = 'not made';

/** Keeps the folder with an id that came to be, so that the next push finds what has it. */
export type KeepFiles = (files: AgentFiles) => Promise<void>;

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
  private warnings: readonly string[] = [];
  private differences: readonly string[] = [];
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
    const made = await this.change(`made the agent ${described.name}`, () =>
      this.patient.createAgent({ ...described, build: { config: configOf(this.files) } }),
    );
    this.warnings = made?.warnings ?? [];
    const agentId = made?.agent_id ?? notMade;
    if (made) await this.note({ ...this.files, agent: { ...this.files.agent, agent_id: agentId } });
    const buildId = made?.build.build_id ?? notMade;
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
      await this.change('changed what is said of the agent', () =>
        this.client.updateAgent({ agent_id: agentId, ...wanted }),
      );
    }
    const revision = wantedRevision(this.files, before);
    if (isSameRevision(revision, before)) return this.finish(agentId, null, false);
    this.differences = differencesOf(before, revision);
    const made = await this.change('made a revision', () =>
      this.client.createRevision({ agent_id: agentId, config: configOf(revision) }),
    );
    this.warnings = made?.warnings ?? [];
    const buildId = made?.build_id ?? notMade;
    await this.putRubrics(agentId, buildId, revision.rubrics);
    if (this.options.promote)
      await this.change('made it the live one', () => this.client.promoteRevision({ build_id: buildId }));
    return this.finish(agentId, buildId, this.options.promote === true);
  }

  /** Does it unless nothing is to be changed, and notes it for people in either case. */
  private async change<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    const made = this.options.dryRun ? undefined : await work();
    this.changes.push(what);
    return made;
  }

  private async putRubrics(agentId: string, buildId: string, rubrics: readonly RubricInput[]): Promise<void> {
    if (this.options.dryRun) return;
    await this.client.replaceEvalRubrics({ agentId, build_id: buildId, rubrics });
  }

  private async finish(agentId: string, buildId: string | null, isLive: boolean): Promise<Pushed> {
    const isThere = agentId !== notMade;
    await this.putMemory(agentId, isThere ? await memoryOf(this.client, agentId) : {});
    await this.putSchedules(agentId, isThere ? await this.schedulesOf(agentId) : []);
    const { changes, differences, warnings } = this;
    return { agent_id: agentId, build_id: buildId, is_live: isLive, changes, differences, warnings };
  }

  /** At once: what comes after it may be refused, and then the next push would make a second one. */
  private async note(files: AgentFiles): Promise<void> {
    this.files = files;
    await this.keep(files);
  }

  private async putMemory(agentId: string, before: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, content] of Object.entries(this.files.memory)) {
      if (before[path] === content) continue;
      await this.change(`wrote the memory file ${path}`, () =>
        this.client.putAgentMemoryFile({ agent_id: agentId, path, content }),
      );
    }
    if (!this.options.prune) return;
    for (const path of Object.keys(before).filter((path) => !Object.hasOwn(this.files.memory, path)))
      await this.change(`deleted the memory file ${path}`, () =>
        this.client.deleteAgentMemoryFile({ agent_id: agentId, path }),
      );
  }

  private schedulesOf(agentId: string): Promise<Schedule[]> {
    return rowsOf(this.client.each.listAgentSchedules({ agent_id: agentId }), Infinity);
  }

  private async putSchedules(agentId: string, before: readonly Schedule[]): Promise<void> {
    for (const [index, schedule] of this.files.schedules.entries()) {
      const { schedule_id: id, ...fields } = schedule;
      const known = before.find(({ schedule_id }) => schedule_id === id);
      if (!known) {
        const made = await this.change(`made the schedule ${id ?? `number ${index + 1}`}`, () =>
          this.patient.createSchedule({ agent_id: agentId, ...fields }),
        );
        if (!made) continue;
        const schedules = this.files.schedules.with(index, { ...schedule, schedule_id: made.schedule_id });
        await this.note({ ...this.files, schedules });
      } else if (Object.entries(fields).some(([name, value]) => known[name as 'time'] !== value)) {
        const { schedule_id } = known;
        await this.change(`changed the schedule ${schedule_id}`, () =>
          this.client.updateSchedule({ agent_id: agentId, schedule_id, ...fields }),
        );
      }
    }
    if (!this.options.prune) return;
    const kept = new Set(this.files.schedules.map(({ schedule_id }) => schedule_id));
    for (const { schedule_id } of before.filter(({ schedule_id: id }) => !kept.has(id)))
      await this.change(`deleted the schedule ${schedule_id}`, () =>
        this.client.deleteSchedule({ agent_id: agentId, schedule_id }),
      );
  }
}

/** The lines that a revision changes, under the name of their file. */
function differencesOf(before: LiveRevision, after: LiveRevision): string[] {
  const text = (value: unknown) => JSON.stringify(value, null, 2);
  const files: [string, string, string][] = [
    ['procedure.md', before.procedure, after.procedure],
    ['config.json', text(before.config), text(after.config)],
    ['rubrics.json', text(before.rubrics), text(after.rubrics)],
  ];
  return files.flatMap(([name, one, other]) => {
    const lines = lineDifference(one, other);
    return lines.length === 0 ? [] : [`${name}:`, ...lines.map((line) => `  ${line}`)];
  });
}

function configOf({ config, procedure }: RevisionFiles): BuildConfigInput {
  return { version: 'v2', data: { ...config, input: procedure } };
}
