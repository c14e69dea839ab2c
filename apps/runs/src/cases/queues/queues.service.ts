import {
  type CaseStatus,
  deleteQueue,
  type KeyRecord,
  type OperationResponse,
  type Principal,
} from '@aos/contracts';
import { Entitlements } from '@aos/entitlements';
import { type Page, type PageRequest, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { CaseSelection, deletedCases, type WalkState } from '../bulk/case-selection.js';
import { CaseMoves } from '../case-moves.js';
import { CasesRepository } from '../cases.repository.js';
import { CaseProgress } from '../progress/case-progress.js';
import { CaseTriggersRepository } from '../triggers/case-triggers.repository.js';
import type { QueueEntity } from './queue.entities.js';
import { QueuesRepository } from './queues.repository.js';

export function toQueue(queue: CountedQueue) {
  const { id, team_id, name, description, counts, has_approvals, created_at, updated_at } = queue;
  return {
    id,
    queue_id: id,
    team_id,
    name,
    description,
    folder_id: null,
    has_approvals,
    case_counts: counts,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}

/** A queue, how many cases it has, and whether one of them waits for an approval. */
export type CountedQueue = QueueEntity & {
  readonly counts: Readonly<Record<CaseStatus, number>>;
  readonly has_approvals: boolean;
};

@Injectable()
export class QueuesService {
  constructor(
    private readonly queues: QueuesRepository,
    private readonly cases: CasesRepository,
    private readonly triggers: CaseTriggersRepository,
    private readonly moves: CaseMoves,
    private readonly selection: CaseSelection,
    private readonly progress: CaseProgress,
    private readonly entitlements: Entitlements,
    private readonly transactions: Transactions,
  ) {}

  async page(teamId: string, page: PageRequest): Promise<Page<CountedQueue>> {
    const found = await this.queues.page(teamId, page);
    return { ...found, items: await this.counted(found.items) };
  }

  async get(teamId: string, queueId: string): Promise<CountedQueue> {
    return (await this.counted([await this.queues.get(teamId, queueId)]))[0]!;
  }

  async create(teamId: string, name: string, description: string | null): Promise<CountedQueue> {
    await this.entitlements.assertRoom(teamId, 'queues', () => this.queues.countOf(teamId));
    return (await this.counted([await this.queues.insert(teamId, name, description)]))[0]!;
  }

  async update(
    teamId: string,
    queueId: string,
    { name, description }: { name?: string; description?: string | null },
  ): Promise<CountedQueue> {
    const changes = {
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
    };
    return (await this.counted([await this.queues.update(teamId, queueId, changes)]))[0]!;
  }

  async agents(
    teamId: string,
    queueId: string,
  ): Promise<{
    queue_name: string;
    producers: { agent_id: string; name: string }[];
    consumers: {
      agent_id: string;
      name: string;
      trigger_id: string;
      enabled: boolean;
      concurrency: number | null;
    }[];
  }> {
    const { name } = await this.queues.get(teamId, queueId);
    const consumers = await this.triggers.ofQueue(teamId, queueId);
    const producers = await this.queues.producers(queueId);
    return {
      queue_name: name,
      producers: producers.map(({ agent_id, agent_name }) => ({ agent_id, name: agent_name })),
      consumers: consumers.map(({ id, agent_id, agent_name, enabled, concurrency }) => ({
        agent_id,
        name: agent_name,
        trigger_id: id,
        enabled,
        concurrency,
      })),
    };
  }

  /** Its triggers go first, so that no run takes a case meanwhile; the queue goes with the last of its cases. */
  async delete(
    teamId: string,
    queueId: string,
    principal: Principal,
    keyRecord: KeyRecord | undefined,
  ): Promise<OperationResponse<typeof deleteQueue>> {
    const first = await this.selection.begin(teamId, queueId);
    await this.moves.assertNoneHeld(teamId, queueId, principal);
    await this.transactions.run(() => this.triggers.deleteOfQueue(teamId, queueId));
    return this.progress.run<WalkState, typeof deleteQueue>({
      operation: deleteQueue,
      keyRecord,
      first,
      next: async (state) => {
        // Cases that came since are deleted too.
        const { ids } = (await this.selection.next(queueId, {}, { ...state, until: latest })) ?? { ids: [] };
        if (ids.length === 0 && (await this.deleteIfEmpty(teamId, queueId))) return undefined;
        const { touched, interruptedRunIds } = await this.moves.delete(teamId, queueId, ids, { principal });
        return {
          ...state,
          touched: state.touched + touched.length,
          interrupted: [...state.interrupted, ...interruptedRunIds],
        };
      },
      answer: deletedCases,
    });
  }

  /** Nothing is deleted if a case came before the queue was locked. A trigger may have been made since the others went. */
  private async deleteIfEmpty(teamId: string, queueId: string): Promise<boolean> {
    await this.queues.lock(teamId, queueId);
    const { ids } = (await this.selection.next(queueId, {}, emptyWalk)) ?? { ids: [] };
    if (ids.length > 0) return false;
    await this.triggers.deleteOfQueue(teamId, queueId);
    await this.queues.delete(teamId, queueId);
    return true;
  }

  private async counted(rows: readonly QueueEntity[]): Promise<CountedQueue[]> {
    const ids = rows.map(({ id }) => id);
    const counts = await this.cases.counts(ids);
    const withApprovals = new Set(await this.cases.queuesWithApprovals(ids));
    const countOf = (queueId: string, status: CaseStatus) =>
      Number(counts.find((row) => row.queue_id === queueId && row.status === status)?.cases ?? 0);
    return rows.map((row) => ({
      ...row,
      has_approvals: withApprovals.has(row.id),
      counts: {
        pending: countOf(row.id, 'pending'),
        completed: countOf(row.id, 'completed'),
        failed: countOf(row.id, 'failed'),
      },
    }));
  }
}

const latest = '9999-12-31T23:59:59.999Z';
const emptyWalk: WalkState = { until: latest, touched: 0, skipped: 0, interrupted: [] };
