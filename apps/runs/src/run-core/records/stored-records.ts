import { PreparedStatements } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { ChangedRun } from '../changes/run-change.js';
import type { RunEntity } from '../run.entity.js';
import {
  storedEvent,
  storedMessage,
  storedMessageCount,
  storedRun,
  storedStep,
} from './stored-records.sql.js';

/** What is stored of a run, for a worker that has not heard whether a change of it was. */
@Injectable()
export class StoredRecords {
  constructor(private readonly statements: PreparedStatements) {}

  /** The run as a change of it would give it. */
  async run(runId: string): Promise<(ChangedRun & Pick<RunEntity, 'steps' | 'lease_token'>) | undefined> {
    const [row] = await this.statements.read<ChangedRun & Pick<RunEntity, 'steps' | 'lease_token'>>(
      storedRun,
      [runId],
    );
    return row;
  }

  /** The number of its latest message; undefined if it is not the worker's any more. */
  async latestMessage(runId: string, token: string): Promise<number | undefined> {
    const [row] = await this.statements.read<{ message_seq: number }>(storedMessageCount, [runId, token]);
    return row?.message_seq;
  }

  async messageNumber(runId: string, messageId: string): Promise<number | undefined> {
    const [row] = await this.statements.read<{ seq: number }>(storedMessage, [runId, messageId]);
    return row?.seq;
  }

  async hasEvent(runId: string, eventId: string): Promise<boolean> {
    const rows = await this.statements.read(storedEvent, [runId, eventId]);
    return rows.length === 1;
  }

  async hasStep(runId: string, index: number, startedAt: Date | undefined): Promise<boolean> {
    const rows = await this.statements.read(storedStep, [runId, index, startedAt]);
    return rows.length === 1;
  }
}
