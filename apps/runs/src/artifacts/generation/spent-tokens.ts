import type { TokenUsage } from '@aos/agent-runtime';
import { artifactUsed } from '@aos/contracts';
import { newEvent, Outbox } from '@aos/events';
import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { ArtifactEntity } from '../artifact.entities.js';

/** The tokens of one attempt at a page that nobody has been told of yet. */
export class TokenCount {
  private inputTokens = 0;
  private outputTokens = 0;

  readonly add = (usage: TokenUsage): void => {
    this.inputTokens += usage.inputTokens;
    this.outputTokens += usage.outputTokens;
  };

  take(): { input_tokens: number; output_tokens: number } | undefined {
    const taken = { input_tokens: this.inputTokens, output_tokens: this.outputTokens };
    this.inputTokens = this.outputTokens = 0;
    return taken.input_tokens + taken.output_tokens > 0 ? taken : undefined;
  }
}

/** Tells billing what pages have cost. */
@Injectable()
export class SpentTokens {
  constructor(
    private readonly outbox: Outbox,
    private readonly transactions: Transactions,
  ) {}

  /** In the open transaction, if there is one: what came of them is stored together with them. */
  async record({ id, team_id: teamId, model }: ArtifactEntity, count: TokenCount): Promise<void> {
    const tokens = count.take();
    if (!tokens) return;
    const usage = { model, ...tokens };
    await this.transactions.run(() =>
      this.outbox.record(newEvent({ event: artifactUsed, teamId, data: { artifact_id: id }, usage })),
    );
  }
}
