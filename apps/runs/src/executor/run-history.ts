import { messageBytes, type RunState } from '@aos/agent-runtime';
import { PreparedStatements, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { ClaimedRun } from '../run-core/claims/run-claims.js';
import { type StoredMessage, toLoopMessage } from '../run-core/records/stored-records.js';
import { messagesBetween, neededMessages, newestTurn } from './run-history.sql.js';

const pageSize = 20;

/** Reads what a worker needs of a run's messages. */
@Injectable()
export class RunHistory {
  constructor(
    private readonly statements: PreparedStatements,
    private readonly transactions: Transactions,
  ) {}

  /** The newest messages up to a size, and what a model may need however old it is. */
  async excerpt(run: ClaimedRun, maxBytes: number): Promise<Pick<RunState, 'messages' | 'omitted'>> {
    const { message_seq: total, messages: claimed } = run;
    // A message that came while the statement waited for the run is in the number, but not in the list.
    const all = (claimed ?? []).length === total ? (claimed ?? []) : await this.read(run, maxBytes);
    return { messages: all.map(toLoopMessage), omitted: total - all.length };
  }

  /** The messages with numbers above the first and up to the second. */
  async messages(runId: string, above: number, upTo: number): Promise<StoredMessage[]> {
    return this.statements.read<StoredMessage>(messagesBetween, [runId, above, upTo]);
  }

  private async read({ id, message_seq: total }: ClaimedRun, maxBytes: number): Promise<StoredMessage[]> {
    const [turn] = await this.transactions.query<{ seq: number }>(newestTurn, [id]);
    const newest = await this.newest(id, { total, maxBytes, atLeastFrom: turn?.seq ?? total });
    const oldest = newest.at(-1)?.seq ?? total + 1;
    const needed =
      oldest > 1 ? await this.transactions.query<StoredMessage>(neededMessages, [id, oldest]) : [];
    const bySeq = new Map([...needed, ...newest].map((message) => [message.seq, message]));
    return [...bySeq.values()].sort((a, b) => a.seq - b.seq);
  }

  /** From the newest back, page by page: they may be large. */
  private async newest(
    runId: string,
    { total, maxBytes, atLeastFrom }: { total: number; maxBytes: number; atLeastFrom: number },
  ): Promise<StoredMessage[]> {
    const found: StoredMessage[] = [];
    let bytes = 0;
    for (let upTo = total; upTo > 0 && (bytes < maxBytes || upTo >= atLeastFrom); upTo -= pageSize) {
      const page = await this.transactions.query<StoredMessage>(messagesBetween, [
        runId,
        upTo - pageSize,
        upTo,
      ]);
      found.push(...page.reverse());
      bytes += page.reduce((sum, row) => sum + messageBytes(contentOf(row)), 0);
    }
    return found;
  }
}

function contentOf({ text_content: text, tool_call: toolCall, tool_result: toolResult }: StoredMessage) {
  return { text, toolCall, toolResult };
}
