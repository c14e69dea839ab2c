import type { TellUsage } from '@aos/agent-runtime';
import { builderUsed } from '@aos/contracts';
import { newEvent, Outbox } from '@aos/events';
import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { AgentEntity } from '../agents/agent.entity.js';
import type { BuilderRunEntity } from './builder-run.entity.js';

/**
 * Tells billing what the models of builders use: each answer when it comes, in a transaction of its own, since it is paid
 * for also where its worker has lost the run.
 */
@Injectable()
export class BuilderMeter {
  constructor(
    private readonly transactions: Transactions,
    private readonly outbox: Outbox,
  ) {}

  of({ id, team_id: teamId, agent_id: agentId }: BuilderRunEntity, model: string): TellUsage {
    return async ({ inputTokens, outputTokens }) => {
      if (inputTokens + outputTokens === 0) return;
      await this.transactions.run(async () => {
        const agent = await this.transactions
          .repository(AgentEntity)
          .findOneBy({ id: agentId, team_id: teamId });
        await this.outbox.record(
          newEvent({
            event: builderUsed,
            teamId,
            data: { builder_run_id: id },
            usage: {
              agent_id: agentId,
              agent_name: agent?.name,
              model,
              input_tokens: inputTokens,
              output_tokens: outputTokens,
            },
          }),
        );
      });
    };
  }
}
