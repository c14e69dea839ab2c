import { notFound } from '@aos/contracts';
import type { RunStartPart } from '../run-core/statement-parts.js';

/** Looked at in the statement that makes runs: none starts once its agent is known to be deleted. */
export const refusedOfDeletedAgents: RunStartPart = {
  refusal: {
    when: 'EXISTS (SELECT FROM deleted_agent WHERE deleted_agent.agent_id = input.agent_id)',
    reason: 'agent deleted',
    error: () => notFound(),
  },
};
