import {
  AppError,
  continueCaseExport,
  contractTable,
  exportCases,
  findFile,
  getRun,
  hasEnded,
  notFound,
  runProgress,
  startRun,
  streamRunEvents,
  type ContractTable,
  type OperationResponse,
  type Req,
  type Run,
  type RunOutcome,
  type RunStatus,
  type StoredSandboxFile,
} from '@aos/contracts';
import { Broadcasts, Handles, HandlesInternal } from '@aos/messaging';
import { newId } from '@aos/persistence';
import { defineService, startService, type RunningService, type ServiceDefinition } from '@aos/service';
import { testConfig } from '@aos/testing';
import { Controller, Inject, Module } from '@nestjs/common';
import type { z } from 'zod';

type ExportPage = z.output<typeof exportCases.response>;
type RunEvent = OperationResponse<typeof streamRunEvents>['events'][number];

interface StoredRun {
  run: Run;
  readonly events: RunEvent[];
}

/** What becomes of a run: its new status, how many events come with it, and whether anybody is told. */
export interface Change {
  readonly status?: RunStatus;
  readonly events?: number;
  readonly textLength?: number;
  readonly told?: boolean;
  /** What who is told hears of its end. */
  readonly outcome?: RunOutcome;
  /** Whether they hear the events that came with it, too. */
  readonly withEvents?: boolean;
}

/** What an export has: so many pages, each of so many characters. */
interface Exported {
  readonly pages: number;
  readonly pageLength: number;
  /** How many of them, from the first on, have no text. */
  readonly empty?: number;
  /** Which is refused. */
  readonly refused?: number;
}

/** A service `runs` whose runs do what a test says. They outlive its process, as those in a database do. */
export class RunsStandIn {
  /** How often the state of each run, and a page of its events, was asked for. */
  readonly looks = new Map<string, number>();
  readonly pages = new Map<string, number>();
  /** What happens to a run between its commit and the answer to who started it. */
  atStart: Change | undefined;
  pageSize = 100;
  /** Whether pages are refused for the moment, as they are while a database is away. */
  busy = false;
  exported: Exported = { pages: 1, pageLength: 10 };
  /** How many of its pages were asked for. */
  exportedPages = 0;
  /** The one file that there is. */
  file: StoredSandboxFile | undefined;
  private readonly runs = new Map<string, StoredRun>();
  private service: RunningService | undefined;

  constructor(private readonly environment: Record<string, string>) {}

  async start(): Promise<void> {
    this.service = await startService(definitionOf(this), testConfig(this.environment));
  }

  async stop(): Promise<void> {
    await this.service?.close();
    this.service = undefined;
  }

  add(teamId: string, agentId: string): Run {
    const id = newId();
    const created_at = new Date().toISOString();
    const run: Run = {
      id,
      run_id: id,
      run_number: this.runs.size + 1,
      title: 'A run',
      agent_id: agentId,
      agent_name: 'An agent',
      build_id: newId(),
      team_id: teamId,
      status: 'pending',
      source: 'api',
      sandbox_id: newId(),
      user_id: null,
      case_id: null,
      case_queue_item_id: null,
      case_title: null,
      case_queue_id: null,
      case_queue_name: null,
      postponed_to: null,
      human_in_the_loop_enabled: true,
      metadata: {},
      result: null,
      error: null,
      stop_reason: null,
      pending_reason: 'queued',
      usage: { steps: 0, tool_calls: 0, input_tokens: 0, output_tokens: 0 },
      eval_summary: null,
      created_at,
      started_at: null,
      completed_at: null,
      updated_at: created_at,
    };
    this.runs.set(id, { run, events: [] });
    if (this.atStart) this.change(id, this.atStart);
    return run;
  }

  change(runId: string, change: Change): void {
    const { status, events = 0, textLength = 0, told = true, outcome, withEvents = false } = change;
    const stored = this.runs.get(runId)!;
    const before = stored.events.length;
    stored.run = { ...stored.run, status: status ?? stored.run.status, ...outcome };
    for (let count = 0; count < events; count += 1) {
      stored.events.push({
        seq: stored.events.length + 1,
        id: newId(),
        event: 'run.message.created',
        created_at: new Date().toISOString(),
        data: { run_id: runId, text: 'x'.repeat(textLength) },
      });
    }
    const news = {
      run_id: runId,
      seq: stored.events.length,
      status: stored.run.status,
      outcome,
      events: withEvents ? stored.events.slice(before) : undefined,
    };
    if (told) this.service?.app.get(Broadcasts, { strict: false }).send(runProgress, [news]);
  }

  remove(runId: string): void {
    this.runs.delete(runId);
  }

  get newest(): string | undefined {
    return [...this.runs.keys()].at(-1);
  }

  find(runId: string, teamId: string): StoredRun {
    const stored = this.runs.get(runId);
    if (stored?.run.team_id !== teamId) throw notFound('The run');
    return stored;
  }
}

@Controller()
class StandInHandlers {
  constructor(@Inject(RunsStandIn) private readonly runs: RunsStandIn) {}

  @Handles(startRun)
  async start({ teamId, body }: Req<typeof startRun>) {
    const run = this.runs.add(teamId, body.agent_id);
    // As it was committed, whatever has happened since.
    return { run_id: run.id, status: run.status, run };
  }

  @Handles(getRun)
  async get({ teamId, params }: Req<typeof getRun>) {
    count(this.runs.looks, params.run_id);
    const { run } = this.runs.find(params.run_id, teamId);
    return { run_id: run.id, status: run.status, run, pending_human_request: null };
  }

  @Handles(streamRunEvents)
  async events({ teamId, params, query }: Req<typeof streamRunEvents>) {
    count(this.runs.pages, params.run_id);
    if (this.runs.busy) throw new AppError('unavailable', 'Not now.');
    const { run, events } = this.runs.find(params.run_id, teamId);
    const rest = events.filter(({ seq }) => seq > query.after);
    const page = rest.slice(0, this.runs.pageSize);
    const complete = page.length === rest.length;
    return { events: page, complete, ended: complete && hasEnded(run.status) };
  }

  @Handles(exportCases)
  async export({ params }: Req<typeof exportCases>): Promise<ExportPage> {
    return this.exportPage(params.queue_id, 1);
  }

  @HandlesInternal(continueCaseExport)
  async continueExport({ state }: z.output<typeof continueCaseExport.request>): Promise<ExportPage> {
    return this.exportPage(state.queue_id, Number(state.search));
  }

  @HandlesInternal(findFile)
  async findFile(): Promise<StoredSandboxFile> {
    if (!this.runs.file) throw notFound('The file');
    return this.runs.file;
  }

  /** The state tells the number of the next page. */
  private exportPage(queue_id: string, number: number): ExportPage {
    const { pages, pageLength, empty = 0, refused } = this.runs.exported;
    this.runs.exportedPages += 1;
    if (number === refused) throw new AppError('invalid_request', 'Too many columns.');
    const next = { queue_id, format: 'csv' as const, filters: {}, search: String(number + 1) };
    return { text: 'x'.repeat(number > empty ? pageLength : 0), next: number < pages ? next : null };
  }
}

@Module({})
class StandInModule {}

/** The operations that the gateway adds something to; the key's record is left to the pipeline. */
const table: ContractTable = {
  operations: [{ ...startRun, idempotency: 'atomic' }, getRun, streamRunEvents, exportCases],
  internalCalls: [
    ...contractTable.internalCalls.filter(({ owner }) => owner === undefined),
    continueCaseExport,
    findFile,
  ],
  events: [],
  jobs: [],
};

function definitionOf(runs: RunsStandIn): ServiceDefinition {
  const providers = [{ provide: RunsStandIn, useValue: runs }];
  return {
    ...defineService({ name: 'runs', table, model: { entities: [], tables: [] }, modules: [] }),
    modules: () => [{ module: StandInModule, controllers: [StandInHandlers], providers }],
  };
}

function count(counts: Map<string, number>, runId: string): void {
  counts.set(runId, (counts.get(runId) ?? 0) + 1);
}
