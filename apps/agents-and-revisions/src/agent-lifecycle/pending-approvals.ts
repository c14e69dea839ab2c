import { AppError, awaitsApproval, cancelsApprovals, grants, type Principal } from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import { Injectable } from '@nestjs/common';

/** Shorter than the caller waits for the deletion, so that it learns what is away. */
const timeoutMs = 4_000;

/** Asks the run service for approvals that would be cancelled, outside any transaction. */
@Injectable()
export class PendingApprovals {
  constructor(private readonly services: ServiceClient) {}

  async assertCancellable(teamId: string, agentId: string, { scopes }: Principal): Promise<void> {
    if (grants(scopes, cancelsApprovals)) return;
    const request = { team_id: teamId, agent_id: agentId };
    const { awaits } = await this.services.call(awaitsApproval, request, { timeoutMs });
    if (!awaits) return;
    throw new AppError(
      'insufficient_scope',
      `A run of agent ${agentId} waits for an approval. Cancelling an approval needs the scope ${cancelsApprovals}.`,
    );
  }
}
