import { AppError, caseClaimed, type NewCaseLabel } from '@aos/contracts';
import { Outbox } from '@aos/events';
import { newId, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { TeamLimits } from '../../run-core/claims/team-limits.js';
import { BuildResolver } from '../../run-core/starts/build-resolver.js';
import type { ResolvedBuild, NewRun } from '../../run-core/starts/new-run.js';
import { type AppliedStarts, RunStarts } from '../../run-core/starts/run-starts.js';
import type { CaseEntity } from '../case.entities.js';
import { priorityOf } from '../case.mapper.js';
import type { CaseTriggerEntity } from '../triggers/case-trigger.entity.js';
import { CaseTriggersRepository } from '../triggers/case-triggers.repository.js';
import {
  forgottenQueues,
  freeTriggers,
  lockTrigger,
  nextCases,
  slotsOfTrigger,
} from './case-dispatch.sql.js';

export type TakenCase = CaseEntity & { readonly labels: readonly NewCaseLabel[] };

type Facts = Pick<TakenCase, 'id' | 'title' | 'data' | 'labels' | 'rank'>;

/** Deep data is a hundred times as long when it is indented; a case may have a megabyte of it. */
const maxIndentedLength = 4_000;

/** Builds the first message of a case's run. Each JSON line begins with a brace or a blank, so none ends the fence. */
export function firstMessage({ id, title, data, labels, rank }: Facts): string {
  const facts = { case_id: id, data, labels, priority: priorityOf(rank) };
  return `${title}\n\n\`\`\`json\n${readable(facts)}\n\`\`\``;
}

function readable(facts: object): string {
  const plain = JSON.stringify(facts);
  return plain.length > maxIndentedLength ? plain : JSON.stringify(facts, null, 2);
}

/** A trigger with room for a run. */
interface FreeTrigger extends Pick<CaseTriggerEntity, 'id' | 'team_id' | 'agent_id' | 'agent_name'> {
  readonly slots: number;
}

const maxConcurrent = 50;
const maxForgotten = 100;

/**
 * Gives cases to runs. What a trigger takes is one transaction: the cases are claimed, their runs made, the history and
 * the log written, under the lock of the queue, so that cases are taken in their order and triggers keep to their number.
 */
@Injectable()
export class CaseDispatch {
  constructor(
    private readonly transactions: Transactions,
    private readonly starts: RunStarts,
    private readonly builds: BuildResolver,
    private readonly limits: TeamLimits,
    private readonly outbox: Outbox,
    private readonly triggers: CaseTriggersRepository,
  ) {}

  /** Starts runs for cases of the queue; true if there may be more to do at once. */
  async serve(queueId: string): Promise<boolean> {
    const free = await this.transactions.query<FreeTrigger>(freeTriggers, [queueId]);
    let more = false;
    for (const trigger of free) {
      const found = await this.buildOf(trigger);
      if (!found) continue;
      const taken = await this.take(queueId, trigger, found);
      more ||= taken === maxConcurrent;
    }
    return more;
  }

  async forgotten(): Promise<string[]> {
    const rows = await this.transactions.query<{ queue_id: string }>(forgottenQueues, [maxForgotten]);
    return rows.map(({ queue_id: id }) => id);
  }

  /** Triggers of agents that were deleted go with them. */
  async sweep(): Promise<void> {
    await this.triggers.deleteOfDeletedAgents();
  }

  /** Asked before the transaction, each time anew; undefined if there is no such agent any more. */
  private async buildOf({ team_id, agent_id }: FreeTrigger): Promise<ResolvedBuild | undefined> {
    try {
      return await this.builds.find({ team_id, agent_id });
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return undefined;
      throw error;
    }
  }

  /** How many runs were made. */
  private async take(queueId: string, trigger: FreeTrigger, found: ResolvedBuild): Promise<number> {
    let applied: AppliedStarts | undefined;
    try {
      const runs = await this.transactions.run(async () => {
        applied?.release();
        applied = undefined;
        const cases = await this.claim(queueId, trigger, found);
        if (cases.length > 0) applied = await this.starts.apply(cases);
        return cases.length;
      });
      applied?.begin();
      return runs;
    } catch (error) {
      applied?.release();
      throw error;
    }
  }

  /** Locks the queue's order and the trigger, then sees what there is; each a statement, for each must see the last. */
  private async claim(queueId: string, trigger: FreeTrigger, found: ResolvedBuild): Promise<NewRun[]> {
    await this.transactions.lock(`the order of queue ${queueId}`);
    const [locked] = await this.transactions.query<{ queue_name: string }>(lockTrigger, [
      trigger.id,
      queueId,
    ]);
    if (!locked) return [];
    await this.refreshName(trigger, found);
    const [room] = await this.transactions.query<{ slots: number }>(slotsOfTrigger, [trigger.id]);
    const wanted = Math.min(room!.slots, maxConcurrent, await this.roomForStarts(trigger.team_id));
    if (wanted <= 0) return [];
    const cases = await this.transactions.query<TakenCase>(nextCases, [queueId, wanted, trigger.agent_id]);
    return cases.map((row) => this.runOf(row, locked.queue_name, found));
  }

  /** Cases beyond the plan and the budget of the team stay pending. */
  private async roomForStarts(teamId: string): Promise<number> {
    const limit = await this.limits.of(teamId);
    return limit?.countsStarts ? this.limits.roomForStarts(teamId) : Infinity;
  }

  private async refreshName(
    { id, team_id: teamId, agent_name: known }: FreeTrigger,
    { agent_name: name }: ResolvedBuild,
  ): Promise<void> {
    if (name === known) return;
    await this.triggers.setAgentName(teamId, id, name);
  }

  private runOf(row: TakenCase, queueName: string, found: ResolvedBuild): NewRun {
    const id = newId();
    const { team_id: teamId, id: caseId, queue_id: queueId, title } = row;
    const data = { case_id: caseId, queue_id: queueId, title, status: 'pending' as const, run_id: id };
    return {
      id,
      teamId,
      found,
      message: firstMessage(row),
      source: 'case',
      userId: null,
      scheduleId: null,
      metadata: {},
      humanInTheLoop: true,
      webhookUrl: null,
      case: { id: caseId, title, queueId, queueName },
      events: [this.outbox.toRow({ event: caseClaimed, teamId, data })],
    };
  }
}
