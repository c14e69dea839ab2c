import {
  AppError,
  hasEnded,
  listRunMessages,
  postRunMessage,
  type Req,
  type RunMessage,
  runMessageLimits,
  type RunStatus,
} from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { newId, type Page, type PageRequest, Transactions } from '@aos/persistence';
import { listAnswer } from '@aos/service';
import { Controller, Injectable } from '@nestjs/common';
import type { RunChange } from '../../run-core/changes/run-change.js';
import { RunChanges } from '../../run-core/changes/run-changes.js';
import { RunDispatch } from '../../run-core/claims/run-dispatch.js';
import { TeamLimits } from '../../run-core/claims/team-limits.js';
import { RunEvents } from '../../run-core/records/run-events.js';
import type { RunMessageEntity } from '../../run-core/records/run-records.entities.js';
import {
  type MessageRecord,
  messageRecordBytes,
  type RunRecords,
} from '../../run-core/records/run-records.js';
import { after, changeBy } from '../../run-core/run-state.js';
import type { RunEntity } from '../../run-core/run.entity.js';
import { RunsRepository } from '../../run-core/runs.repository.js';
import { DeletedAgentsRepository } from '../deleted-agents/deleted-agents.events.js';
import { HumanRequestSettling } from '../human-requests/human-request-settling.js';
import { messagePage, openCalls } from './messages.sql.js';

export function toRunMessage(row: RunMessageEntity): RunMessage {
  return {
    id: row.id,
    seq: row.seq,
    type: row.type,
    role: row.role,
    text_content: row.text_content ?? undefined,
    tool_call: row.tool_call ?? undefined,
    tool_result: row.tool_result ?? undefined,
    timestamp: row.created_at.toISOString(),
  };
}

@Injectable()
export class MessagesRepository {
  constructor(private readonly transactions: Transactions) {}

  /**
   * The page after an offset: numbers begin at 1 and have no gap, so nothing is skipped over. Fewer where they are
   * large.
   */
  async page(
    teamId: string,
    runId: string,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<RunMessageEntity[]> {
    return this.transactions.query<RunMessageEntity>(messagePage, [
      teamId,
      runId,
      Math.min(offset, 2 ** 31 - 1),
      limit,
    ]);
  }

  /** The calls of a run that never got a result, oldest first. */
  async openCalls(teamId: string, runId: string): Promise<string[]> {
    const rows = await this.transactions.query<{ call_id: string }>(openCalls, [teamId, runId]);
    return rows.map((row) => row.call_id);
  }
}

export interface Posted {
  readonly status: RunStatus;
  readonly message: RunMessage;
}

@Injectable()
export class MessagesService {
  constructor(
    private readonly messages: MessagesRepository,
    private readonly runs: RunsRepository,
    private readonly changes: RunChanges,
    private readonly events: RunEvents,
    private readonly requests: HumanRequestSettling,
    private readonly deletedAgents: DeletedAgentsRepository,
    private readonly dispatch: RunDispatch,
    private readonly limits: TeamLimits,
    private readonly transactions: Transactions,
  ) {}

  async list(teamId: string, runId: string, page: PageRequest): Promise<Page<RunMessageEntity>> {
    const { message_seq: total } = await this.runs.get(teamId, runId);
    return { items: await this.messages.page(teamId, runId, page), total, ...page };
  }

  /**
   * In the operation's transaction. A run at work sees it at its next turn; one that waits for an answer goes on without
   * it; one that waits for an approval goes on waiting; an ended one is reopened.
   */
  async post(teamId: string, runId: string, text: string): Promise<Posted> {
    const run = await this.runs.lock(teamId, runId);
    if (hasEnded(run.status) && (await this.limits.of(teamId))?.countsStarts) {
      await this.limits.countStarts(teamId, 1);
    }
    const isWaitingForAnswer = run.status === 'waiting' && !(await this.requests.hasPendingApproval(run));
    const before = isWaitingForAnswer ? await this.requests.cancelPending(run) : await this.before(run);
    const message: MessageRecord = { id: newId(), type: 'text', role: 'user', text_content: text };
    const messages = [...before.messages, message];
    assertRoom(run, messages);
    const timestamp = new Date().toISOString();
    const posted = this.events.ofMessages(run, [message]);
    const reopened = hasEnded(run.status) ? 1 : undefined;
    const changed = await this.changes.apply({
      runId,
      ...moveOf(run, isWaitingForAnswer),
      messages,
      events: [...before.events, ...this.events.withUsage(run, posted, { reopened })],
    });
    const { status, message_seq: seq } = changed!;
    if (status !== run.status) {
      this.transactions.afterCommit(() => this.dispatch.add([{ runId, teamId }]));
    }
    return {
      status,
      message: { id: message.id, seq, type: 'text', role: 'user', text_content: text, timestamp },
    };
  }

  /** Results for open calls, stored before the message, since no other result will come. */
  private async before(run: RunEntity): Promise<RunRecords> {
    if (!hasEnded(run.status)) return { messages: [], events: [] };
    if (await this.deletedAgents.includes(run.team_id, run.agent_id)) {
      throw new AppError('invalid_state', 'The agent of this run was deleted.');
    }
    const messages = (await this.messages.openCalls(run.team_id, run.id)).map((callId): MessageRecord => {
      const error = 'The run ended before this call did.';
      return { id: newId(), type: 'tool_result', role: 'tool', tool_result: { tool_call_id: callId, error } };
    });
    return { messages, events: this.events.ofMessages(run, messages) };
  }
}

function assertRoom(run: RunEntity, messages: readonly MessageRecord[]): void {
  const { count, bytes } = runMessageLimits;
  if (run.message_seq + messages.length > count) {
    throw new AppError('limit_reached', `A run has at most ${count} messages.`);
  }
  if (Number(run.message_bytes) + messageRecordBytes(messages) > bytes) {
    throw new AppError('limit_reached', `The messages of a run have at most ${bytes} bytes in total.`);
  }
}

/** The change of a run to which a message is posted, from the status that it has under its lock. */
function moveOf(
  { status }: RunEntity,
  isWaitingForAnswer: boolean,
): Pick<RunChange, 'from' | 'status'> & Partial<RunChange> {
  if (isWaitingForAnswer) return { ...changeBy('settle'), closesStep: 'cancelled', requeueAfterMs: 0 };
  if (hasEnded(status)) return { ...changeBy('reopen'), reopenedFrom: status, requeueAfterMs: 0 };
  return { from: [status], status: after(status, 'post')!, keepsLease: true };
}

@Controller()
export class MessagesHandlers {
  constructor(private readonly messages: MessagesService) {}

  @Handles(listRunMessages)
  async listRunMessages({ teamId, params, query }: Req<typeof listRunMessages>) {
    return listAnswer('messages', await this.messages.list(teamId, params.run_id, query), toRunMessage);
  }

  @Handles(postRunMessage)
  async postRunMessage({ teamId, params, body }: Req<typeof postRunMessage>) {
    return { run_id: params.run_id, ...(await this.messages.post(teamId, params.run_id, body.message)) };
  }
}
