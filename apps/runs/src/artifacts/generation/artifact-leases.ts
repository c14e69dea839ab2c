import { makeArtifact, type Question } from '@aos/contracts';
import { newId, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { endsOf, type ArtifactMove } from '../artifact-state.js';
import type { ArtifactEntity } from '../artifact.entities.js';
import {
  askForArtifact,
  claimNextArtifact,
  completeArtifact,
  failArtifact,
  handBackArtifact,
  renewArtifact,
  replaceArtifactJob,
  restArtifact,
  unclaimedArtifacts,
} from '../artifacts.sql.js';

/** The right to write to an artifact whose page is being made. */
export interface Lease {
  readonly artifactId: string;
  readonly token: string;
}

/** Another worker has it, or it was stopped or deleted: nothing that this one still does may count. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor(artifactId: string) {
    super(`The artifact ${artifactId} has another worker, or none any more`);
  }
}

export type UnclaimedArtifact = Pick<ArtifactEntity, 'id' | 'job_id'>;

type Row = ArtifactEntity;

export interface ClaimedArtifact {
  readonly artifact: ArtifactEntity;
  readonly lease: Lease;
}

/** Writes of workers. Every write but the claim requires the lease. */
@Injectable()
export class ArtifactLeases {
  constructor(private readonly transactions: Transactions) {}

  /**
   * Takes one whose page is to be made or whose worker has let go of it, of the team whose turn it is; undefined if there is
   * nothing to take but for teams that are passed over.
   */
  async claimNext(passedOver: readonly string[], leaseMs: number): Promise<ClaimedArtifact | undefined> {
    const { from, to } = endsOf('start');
    const token = newId();
    const [artifact] = await this.transactions.query<Row>(claimNextArtifact, [
      passedOver,
      from,
      to,
      token,
      leaseMs,
    ]);
    return artifact && { artifact, lease: { artifactId: artifact.id, token } };
  }

  /** False if another worker has it, or it has ended. */
  async renew(lease: Lease, leaseMs: number): Promise<boolean> {
    try {
      await this.write(lease, renewArtifact, [leaseMs]);
      return true;
    } catch (error) {
      if (error instanceof LeaseLost) return false;
      throw error;
    }
  }

  async ask(lease: Lease, questions: readonly Question[]): Promise<Row> {
    return this.move(lease, 'ask', askForArtifact, [JSON.stringify({ questions })]);
  }

  /** The page is there; its version is the next. The row stays locked until the transaction ends. */
  async complete(lease: Lease, title: string): Promise<Row> {
    return this.move(lease, 'complete', completeArtifact, [title]);
  }

  async fail(lease: Lease, error: { code: string; message: string }): Promise<Row> {
    return this.move(lease, 'fail', failArtifact, [JSON.stringify(error)]);
  }

  /** Lets go of it, so that another worker goes on at once; it has not tried. */
  async handBack(lease: Lease): Promise<void> {
    await this.write(lease, handBackArtifact, []);
  }

  /** Lets go of it, and has it tried again after a while. */
  async rest(lease: Lease, forMs: number): Promise<void> {
    await this.write(lease, restArtifact, [forMs]);
  }

  /** Lists unclaimed artifacts of all teams in the order of their IDs. */
  async unclaimed(afterId: string, limit: number): Promise<UnclaimedArtifact[]> {
    const ofTeam = makeArtifact.concurrency;
    return this.transactions.query<UnclaimedArtifact>(unclaimedArtifacts, [afterId, limit, ofTeam]);
  }

  /** Compare-and-set: one caller wins. */
  async replaceJob({ id, job_id: oldJobId }: UnclaimedArtifact, newJobId: string): Promise<boolean> {
    const rows = await this.transactions.query(replaceArtifactJob, [id, oldJobId, newJobId]);
    return rows.length === 1;
  }

  /** Ends the work on it for now: the lease goes with it. */
  private async move(lease: Lease, move: ArtifactMove, statement: string, values: unknown[]): Promise<Row> {
    const { to } = endsOf(move);
    return this.write(lease, statement, [to, ...values]);
  }

  private async write({ artifactId, token }: Lease, statement: string, values: unknown[]): Promise<Row> {
    const [row] = await this.transactions.query<Row>(statement, [artifactId, token, ...values]);
    if (!row) throw new LeaseLost(artifactId);
    return row;
  }
}
