import type { TellUsage } from '@aos/agent-runtime';
import { judgeUsed, type CopiedBuild } from '@aos/contracts';
import { newEvent, Outbox } from '@aos/events';
import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { DueEvaluation } from './judging.repository.js';

/**
 * Tells billing what judges use: each answer when it comes, in a transaction of its own, since it is paid for also where
 * it gives no verdict, or its worker has lost the run.
 */
@Injectable()
export class JudgeMeter {
  constructor(
    private readonly transactions: Transactions,
    private readonly outbox: Outbox,
  ) {}

  of(
    { run_id: runId, team_id: teamId, agent_id: agentId }: DueEvaluation,
    { config }: CopiedBuild,
  ): TellUsage {
    const { model } = config.data.models.agent;
    return async ({ inputTokens, outputTokens }) => {
      if (inputTokens + outputTokens === 0) return;
      const usage = {
        agent_id: agentId,
        model,
        input_tokens: inputTokens,
        output_tokens: outputTokens,
      };
      const event = newEvent({ event: judgeUsed, teamId, data: { run_id: runId }, usage });
      await this.transactions.run(() => this.outbox.record(event));
    };
  }
}
