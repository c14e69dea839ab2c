import { AppError, type Channel, type KeyRecord, type Principal } from '@aos/contracts';
import { EgressGuard, type GuardOptions } from '@aos/egress';
import { newId } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { CasesRepository } from '../cases/cases.repository.js';
import { SandboxesService } from '../files/sandboxes.service.js';
import type { HumanRequestEntity } from '../lifecycle/human-requests/human-request.entity.js';
import { HumanRequestsRepository } from '../lifecycle/human-requests/human-requests.repository.js';
import { RunStops } from '../lifecycle/run-stops/run-stops.js';
import type { PublicRun } from '../run-core/run.mapper.js';
import { type FoundRun, RunsRepository } from '../run-core/runs.repository.js';
import { BuildSnapshots } from '../run-core/starts/build-snapshots.js';
import { BuildResolver } from '../run-core/starts/build-resolver.js';
import { RunStarts } from '../run-core/starts/run-starts.js';
import { RunDetailsRepository } from './run-details.repository.js';

/** Judges the addresses that runs are started with. */
export class CallbackAddresses {
  private readonly guard: EgressGuard;

  constructor(options: GuardOptions) {
    this.guard = new EgressGuard(options);
  }

  /** The address in the spelling that was judged; refused unless it is one of the outside. */
  async accept(text: string, field: string): Promise<string> {
    const verdict = await this.guard.check(text);
    if (!verdict.ok) throw new AppError('invalid_webhook_url', `${field}: ${verdict.reason}`);
    return verdict.url.href;
  }
}

export interface WantedRun {
  readonly agent_id: string;
  readonly build_id?: string;
  readonly message?: string;
  readonly sandbox_id?: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly human_in_the_loop_enabled: boolean;
  readonly webhook_url?: string;
  readonly callback_url?: string;
}

/** How a start came, beside what is wanted. */
export interface StartedBy {
  readonly keyRecord?: KeyRecord;
  readonly channel?: Channel;
}

/** The use cases of single runs. */
@Injectable()
export class RunsService {
  constructor(
    private readonly runs: RunsRepository,
    private readonly details: RunDetailsRepository,
    private readonly addresses: CallbackAddresses,
    private readonly builds: BuildResolver,
    private readonly starts: RunStarts,
    private readonly stops: RunStops,
    private readonly sandboxes: SandboxesService,
    private readonly copies: BuildSnapshots,
    private readonly humanRequests: HumanRequestsRepository,
    private readonly cases: CasesRepository,
  ) {}

  async start(
    teamId: string,
    { credentialId }: Principal,
    wanted: WantedRun,
    { keyRecord, channel = 'api' }: StartedBy,
  ): Promise<PublicRun> {
    const { agent_id, build_id } = wanted;
    // First, for it may ask DNS: the build is to be the live one when the run is stored.
    const webhookUrl = await this.callbackOf(wanted);
    const found = await this.builds.find({ team_id: teamId, agent_id, build_id });
    if (wanted.sandbox_id !== undefined) await this.sandboxes.use(teamId, wanted.sandbox_id);
    return this.starts.start({
      id: newId(),
      teamId,
      found,
      message: wanted.message ?? null,
      source: channel,
      userId: credentialId,
      scheduleId: null,
      metadata: wanted.metadata,
      humanInTheLoop: wanted.human_in_the_loop_enabled,
      webhookUrl,
      sandboxId: wanted.sandbox_id,
      keyRecord,
    });
  }

  private async callbackOf({ webhook_url: url, callback_url: alias }: WantedRun): Promise<string | null> {
    if (url !== undefined) return this.addresses.accept(url, 'webhook_url');
    return alias === undefined ? null : this.addresses.accept(alias, 'callback_url');
  }

  exists(teamId: string, runId: string): Promise<boolean> {
    return this.runs.exists(teamId, runId);
  }

  async get(teamId: string, runId: string) {
    const run = await this.details.get(teamId, runId);
    return { run, pending: await this.pendingRequest(run) };
  }

  async getAsTask(teamId: string, runId: string) {
    const run = await this.details.getAsTask(teamId, runId);
    return { run, pending: await this.pendingRequest(run), firstEnd: run.first_end };
  }

  async getOfAgent(teamId: string, agentId: string, runId: string) {
    const run = await this.details.getOfAgent(teamId, agentId, runId);
    const [build, humanRequests, filesTotal, relatedCase] = await Promise.all([
      this.copies.find(run.build_digest),
      this.humanRequests.ofRun(teamId, runId),
      this.sandboxes.countFiles(run.sandbox_id),
      run.case_id === null ? undefined : this.cases.find(teamId, run.case_id),
    ]);
    return { run, build, humanRequests, filesTotal, relatedCase };
  }

  async stop(
    { teamId, principal }: { teamId: string; principal: Principal },
    runId: string,
  ): Promise<{ status: FoundRun['status']; stopped: boolean }> {
    const { run, stopped } = await this.stops.stop(teamId, runId, 'requested', principal);
    return { status: stopped ? 'stopped' : run.status, stopped };
  }

  private async pendingRequest(run: PublicRun): Promise<HumanRequestEntity | undefined> {
    return run.status === 'waiting' ? this.humanRequests.pendingOf(run.team_id, run.id) : undefined;
  }
}
