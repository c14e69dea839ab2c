import { streamRunEvents, hasEnded, type OperationRequest, type OperationResponse } from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { Statements } from '@aos/persistence';
import { Controller, Inject } from '@nestjs/common';
import { RunsRepository } from '../runs/runs.repository.js';
import type { RunEventEntity } from './run-event.entity.js';

const pageSize = 200;

@Controller()
export class RunEventsHandlers {
  constructor(
    @Inject(RunsRepository) private readonly runs: RunsRepository,
    @Inject(Statements) private readonly statements: Statements,
  ) {}

  /** The run is read first: what it had told by then is on the page, or on those after it. */
  @Handles(streamRunEvents)
  async streamRunEvents({
    teamId,
    params,
    query,
  }: OperationRequest<typeof streamRunEvents>): Promise<OperationResponse<typeof streamRunEvents>> {
    const run = await this.runs.get(teamId, params.run_id);
    const rows = await this.statements.read<RunEventEntity>(
      'SELECT * FROM run_event WHERE run_id = $1 AND seq > $2 ORDER BY seq LIMIT $3',
      [run.id, query.after, pageSize],
    );
    const last = rows.at(-1)?.seq ?? query.after;
    return {
      events: rows.map(({ id, seq, event, data, created_at: at }) => ({
        id,
        seq,
        event,
        data,
        created_at: at.toISOString(),
      })),
      ended: hasEnded(run.status) && last >= run.event_seq,
    };
  }
}
