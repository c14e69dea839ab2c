import type { LoopMessage } from '@aos/agent-runtime';
import type { RunMessage } from '@aos/contracts';
import { newId, PreparedStatements } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { ChangedRun } from '../changes/run-change.js';
import type { RunEntity } from '../run.entity.js';
import type { MessageRecord } from './run-records.js';
import { storedEvent, storedMessage, storedMessageCount, storedRun, storedStep } from './run-records.sql.js';

/**
 * Calls back when the answers of what has just been committed have left the process: they are gathered for one turn of
 * the event loop and written at the end of the next, so that work which begins in the third delays none of them.
 */
export function afterAnswers(work: () => void): void {
  setImmediate(() => setImmediate(() => setImmediate(work)));
}

export type StoredMessage = Pick<RunMessage, 'seq' | 'type' | 'role'> & {
  readonly text_content: string | null;
  readonly tool_call: RunMessage['tool_call'] | null;
  readonly tool_result: RunMessage['tool_result'] | null;
};

export function toLoopMessage(row: StoredMessage): LoopMessage {
  const { tool_call: call, tool_result: result } = row;
  return {
    type: row.type,
    role: row.role,
    ...(row.text_content === null ? {} : { text: row.text_content }),
    ...(call ? { toolCall: call } : {}),
    ...(result
      ? { toolResult: { toolCallId: result.tool_call_id, result: result.result, error: result.error } }
      : {}),
  };
}

export function toMessageRecord({ type, role, text, toolCall, toolResult }: LoopMessage): MessageRecord {
  return {
    id: newId(),
    type,
    role,
    text_content: text,
    tool_call: toolCall && { ...toolCall, arguments: { ...toolCall.arguments } },
    tool_result: toolResult && {
      tool_call_id: toolResult.toolCallId,
      result: toolResult.result,
      error: toolResult.error,
    },
  };
}

/** Reads what is stored, for a worker whose commit got no answer. */
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
