import { defineTool, type Tool } from '@aos/agent-runtime';
import {
  boundedList,
  caseLimits,
  casePrioritySchema,
  idSchema,
  momentSchema,
  newCaseLabelsSchema,
  newCaseSchema,
  reasonSchema,
} from '@aos/contracts';
import { z } from 'zod';
import type { CaseWork } from './case-work.js';
import { toolResult } from '../tool-result.js';

const maxResultLength = 20_000;

/** The outcome is stored with the effect, so no intent is needed. */
const once = { instant: true, repeatable: true } as const;

/** The case of a run, and new ones. A call has its effect once, however often it is made. */
export function caseTools(work: CaseWork): Tool[] {
  return [
    defineTool({
      name: 'complete_case',
      description: 'Settles the case of this run as completed. `result` says what came of it.',
      parameters: z.object({ result: z.unknown().optional() }),
      ...once,
      execute: ({ result }, run) => toolResult(() => work.settle(run, 'completed', textOf(result))),
    }),
    defineTool({
      name: 'fail_case',
      description: 'Settles the case of this run as failed, with the reason.',
      parameters: z.object({ reason: reasonSchema }),
      ...once,
      execute: ({ reason }, run) => toolResult(() => work.settle(run, 'failed', reason)),
    }),
    defineTool({
      name: 'postpone_case',
      description: 'Lets go of the case of this run. From `until` on (ISO 8601) an agent takes it again.',
      parameters: z.object({ until: momentSchema, reason: reasonSchema.optional() }),
      ...once,
      execute: ({ until, reason = null }, run) => toolResult(() => work.postpone(run, until, reason)),
    }),
    defineTool({
      name: 'add_cases',
      description: 'Puts new cases into a queue of the team; without `queue_id` into the one of this case.',
      parameters: z.object({
        queue_id: idSchema.optional(),
        cases: boundedList(newCaseSchema, { min: 1, max: caseLimits.casesAtOnce }),
      }),
      ...once,
      // Others begin to work for it, which the database may have forgotten.
      knownByDatabase: true,
      execute: ({ queue_id: queueId, cases }, run) => toolResult(() => work.add(run, queueId, cases)),
    }),
    defineTool({
      name: 'hand_over_case',
      description: 'Gives the case of this run to another queue of the team, where it is pending.',
      parameters: z.object({ queue_id: idSchema, reason: reasonSchema.optional() }),
      ...once,
      // Others begin to work for it, which the database may have forgotten.
      knownByDatabase: true,
      execute: ({ queue_id: queueId, reason = null }, run) =>
        toolResult(() => work.handOver(run, queueId, reason)),
    }),
    defineTool({
      name: 'update_case',
      description: 'Changes what the case of this run says. `labels` replaces them all.',
      parameters: z.object({
        title: z.string().min(1).max(caseLimits.titleLength).optional(),
        data: z.unknown().optional(),
        priority: casePrioritySchema.optional(),
        labels: newCaseLabelsSchema.optional(),
      }),
      ...once,
      execute: (changes, run) => toolResult(() => work.update(run, changes)),
    }),
  ];
}

/** A result is kept in the history of the case. */
function textOf(result: unknown): string | null {
  if (result === undefined || result === null) return null;
  const text = typeof result === 'string' ? result : JSON.stringify(result);
  // A character that the cut has halved would be refused.
  return text.length <= maxResultLength ? text : `${text.slice(0, maxResultLength - 1).toWellFormed()}…`;
}
