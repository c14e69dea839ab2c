import { BackgroundLoops, type WakeableLoop } from '@aos/background';
import { AppError, scheduledRunEnded, scheduleFired, teamOf, type TypedBusEvent } from '@aos/contracts';
import { Consumes, Outbox } from '@aos/events';
import { DueRows, Transactions } from '@aos/persistence';
import { Logger } from '@aos/platform';
import { Injectable } from '@nestjs/common';
import { BuildResolver } from '../../run-core/starts/build-resolver.js';
import { RunStarts } from '../../run-core/starts/run-starts.js';
import { ScheduledStartEntity } from './scheduled-start.entity.js';
import { addStarts, anyStartDue, takeDueStarts } from './scheduled-starts.sql.js';

type Row = ScheduledStartEntity;

const attemptEveryMs = 5_000;

@Injectable()
export class ScheduledStartsRepository {
  constructor(private readonly transactions: Transactions) {}

  async add(starts: readonly Omit<Row, 'attempts' | 'next_attempt_at'>[]): Promise<void> {
    await this.transactions.query(addStarts, [JSON.stringify(starts)]);
  }

  /** Takes what is due; another replica takes others, and these come again if nothing becomes of them. */
  async takeDue(limit: number): Promise<Row[]> {
    return this.transactions.query<Row>(takeDueStarts, [limit, attemptEveryMs]);
  }

  async drop(runId: string): Promise<boolean> {
    const { affected } = await this.transactions.repository(ScheduledStartEntity).delete({ run_id: runId });
    return affected === 1;
  }
}

const lookEveryMs = 2_000;
const batchSize = 50;

/**
 * Starts the runs of schedules. A firing is stored with the position of its event, and becomes a run in a second
 * step: what the run is made of must be asked for, and no transaction is kept open for an answer of another service.
 */
@Injectable()
export class ScheduledStartsEvents {
  private readonly starting: WakeableLoop;

  constructor(
    private readonly scheduled: ScheduledStartsRepository,
    private readonly builds: BuildResolver,
    private readonly starts: RunStarts,
    private readonly transactions: Transactions,
    private readonly outbox: Outbox,
    loops: BackgroundLoops,
    dueRows: DueRows,
    private readonly logger: Logger,
  ) {
    this.starting = loops.add({
      name: 'the start of scheduled runs',
      idleMs: lookEveryMs,
      isTimed: true,
      mayHaveWork: () => dueRows.any(anyStartDue),
      mayBeLeft: true,
      work: () => this.startDue(),
    });
  }

  @Consumes(scheduleFired)
  async schedulesFired(events: readonly TypedBusEvent<typeof scheduleFired>[]): Promise<void> {
    await this.scheduled.add(
      events.map(({ data: { run_id, schedule_id, agent_id, message }, meta }) => ({
        run_id,
        schedule_id,
        agent_id,
        team_id: teamOf(meta),
        message,
      })),
    );
    this.transactions.afterCommit(() => this.starting.wake());
  }

  private async startDue(): Promise<boolean> {
    const due = await this.scheduled.takeDue(batchSize);
    await Promise.all(due.map((firing) => this.start(firing)));
    return due.length === batchSize;
  }

  private async start(firing: ScheduledStartEntity): Promise<void> {
    const { run_id: id, team_id: teamId, agent_id, schedule_id: scheduleId, message } = firing;
    try {
      const found = await this.builds.find({ team_id: teamId, agent_id });
      await this.starts.start({
        id,
        teamId,
        found,
        message,
        source: 'schedule',
        userId: null,
        scheduleId,
        metadata: {},
        humanInTheLoop: true,
        webhookUrl: null,
      });
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') {
        return this.giveUp(firing, { reason: 'the agent does not exist' });
      }
      if (error instanceof AppError && isOverLimit(error)) {
        return this.giveUp(firing, { reason: error.message, skipped: true });
      }
      // It comes again: the agents service is away, for instance.
      this.logger.warn(
        { err: error, run_id: id, schedule_id: scheduleId },
        'a scheduled run has not started',
      );
    }
  }

  private async giveUp(
    { run_id: runId, schedule_id, team_id: teamId }: ScheduledStartEntity,
    why: { reason: string; skipped?: true },
  ): Promise<void> {
    await this.transactions.run(async () => {
      if (!(await this.scheduled.drop(runId))) return;
      const data = { schedule_id, run_id: runId, ok: false, ...why };
      await this.outbox.record({ event: scheduledRunEnded, teamId, data });
    });
  }
}

/** The plan or the budget of the team allows no more: that is no fault of the schedule. */
function isOverLimit({ code }: AppError): boolean {
  return code === 'entitlement_exceeded' || code === 'budget_exceeded';
}
