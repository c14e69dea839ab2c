import { runStopped } from '@aos/contracts';
import { Broadcasts } from '@aos/messaging';
import { BackgroundLoops, Statements } from '@aos/persistence';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { RunsSettings, type RunsConfig } from '../runs.config.js';

/** The run has been stopped, or another worker has it: nothing that this one still does may count. */
export class RunLost extends Error {
  override readonly name = 'RunLost';

  constructor(runId: string) {
    super(`The run ${runId} is in other hands or has ended`);
  }
}

interface Held {
  readonly runId: string;
  readonly token: string;
  readonly lost: AbortController;
  renewedAt: number;
}

export interface Hold {
  /** Aborted with `RunLost` when the run is no longer this worker's. */
  readonly signal: AbortSignal;
  release(): void;
}

/** The part of the lease after which it is renewed, and after which abandoned runs are looked for. */
export const leaseShare = 4;
/** A run that was stopped is noticed after this time even if Redis did not bring the news. */
const lookEveryMs = 700;

/** The runs that this process works on: renews their leases, and notices when one is taken away. */
@Injectable()
export class HeldRuns implements OnApplicationBootstrap {
  private readonly held = new Map<string, Held>();

  constructor(
    @Inject(Statements) private readonly statements: Statements,
    @Inject(Broadcasts) private readonly broadcasts: Broadcasts,
    @Inject(BackgroundLoops) loops: BackgroundLoops,
    @Inject(RunsSettings) private readonly settings: RunsConfig,
  ) {
    loops.add({
      name: 'the watch over runs at work',
      idleMs: lookEveryMs,
      // After the workers, which need their leases to the end.
      until: 'close',
      work: async () => {
        this.giveUpExpired();
        await this.look();
        return false;
      },
    });
  }

  onApplicationBootstrap(): void {
    this.broadcasts.listen(runStopped, ({ run_id: runId }) => this.lose(this.held.get(runId)));
  }

  hold(runId: string, token: string): Hold {
    const held: Held = { runId, token, lost: new AbortController(), renewedAt: Date.now() };
    this.held.set(runId, held);
    return {
      signal: held.lost.signal,
      release: () => {
        if (this.held.get(runId) === held) this.held.delete(runId);
      },
    };
  }

  private async look(): Promise<void> {
    const now = Date.now();
    const all = [...this.held.values()].filter(({ renewedAt }) => now - renewedAt >= lookEveryMs / 2);
    const due = all.filter(({ renewedAt }) => now - renewedAt >= this.settings.RUN_LEASE_MS / leaseShare);
    const young = all.filter((held) => !due.includes(held));
    await this.renew(due);
    await this.check(young);
  }

  private async renew(due: readonly Held[]): Promise<void> {
    if (due.length === 0) return;
    const asked = Date.now();
    const rows = await this.statements.write<{ id: string }>(
      `UPDATE run SET lease_until = now() + $3::bigint * interval '1 ms'
         FROM unnest($1::uuid[], $2::uuid[]) AS held(id, token)
        WHERE run.id = held.id AND run.lease_token = held.token AND run.status = 'running' RETURNING run.id`,
      [due.map(({ runId }) => runId), due.map(({ token }) => token), this.settings.RUN_LEASE_MS],
    );
    const ours = new Set(rows.map(({ id }) => id));
    for (const held of due) {
      if (ours.has(held.runId)) held.renewedAt = asked;
      else this.lose(held);
    }
  }

  private async check(young: readonly Held[]): Promise<void> {
    if (young.length === 0) return;
    const rows = await this.statements.read<{ id: string }>(
      `SELECT run.id FROM run JOIN unnest($1::uuid[], $2::uuid[]) AS held(id, token)
           ON run.id = held.id AND run.lease_token = held.token AND run.status = 'running'`,
      [young.map(({ runId }) => runId), young.map(({ token }) => token)],
    );
    const ours = new Set(rows.map(({ id }) => id));
    for (const held of young) if (!ours.has(held.runId)) this.lose(held);
  }

  /** Without the database nobody can tell; whoever has been frozen for long must not go on. */
  private giveUpExpired(): void {
    const now = Date.now();
    for (const held of this.held.values()) {
      if (now - held.renewedAt >= this.settings.RUN_LEASE_MS) this.lose(held);
    }
  }

  private lose(held: Held | undefined): void {
    // Whoever has let go of it in the meantime has lost nothing.
    if (held && this.held.get(held.runId) === held) held.lost.abort(new RunLost(held.runId));
  }
}
