import { z } from 'zod';
import { eventEnvelopeSchema } from './event.js';
import { idSchema } from '../schemas/common.js';
import { runSchema, runStatusSchema } from '../schemas/runs.js';
import { runWorkers, type RoleName } from '../services.js';

/** A notification for the processes that happen to listen. It may be lost: a listener also polls now and then. */
export interface Broadcast<Item extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly item: Item;
  readonly senders: readonly RoleName[];
  readonly listeners: readonly RoleName[];
}

/** Public fields that change with the end of a run, beside its status. */
const runOutcomeSchema = runSchema
  .pick({
    result: true,
    error: true,
    stop_reason: true,
    usage: true,
    started_at: true,
    completed_at: true,
    updated_at: true,
  })
  // While versions are exchanged, an older process does not tell how the run was judged with its end.
  .extend(runSchema.pick({ eval_summary: true }).partial().shape);

export type RunOutcome = z.output<typeof runOutcomeSchema>;

const runProgressItem = z.object({
  run_id: idSchema,
  seq: z.int(),
  status: runStatusSchema,
  /** The result of a completed run, unless it is large; saves waiting callers a request. */
  outcome: runOutcomeSchema.optional(),
  /** The latest public events of a run that has ended, for whoever follows them; absent where they are large. */
  events: z.array(eventEnvelopeSchema.extend({ seq: z.int() })).optional(),
});

/** A run has got on: the number of its latest public event, and its status. */
export const runProgress: Broadcast<typeof runProgressItem> = {
  name: 'run-progress',
  item: runProgressItem,
  senders: ['runs', runWorkers],
  listeners: ['gateway', 'runs', runWorkers],
};

export type RunProgress = z.output<typeof runProgressItem>;

const feedProgressItem = z.object({ team_id: idSchema });

/** The feed of a team has grown. */
export const feedProgress: Broadcast<typeof feedProgressItem> = {
  name: 'feed-progress',
  item: feedProgressItem,
  senders: ['webhook-dispatcher'],
  listeners: ['gateway'],
};

const runStoppedItem = z.object({ run_id: idSchema });

const artifactStoppedItem = z.object({ artifact_id: idSchema });

/** The worker that has a page made is to let go of it at once. */
export const artifactStopped: Broadcast<typeof artifactStoppedItem> = {
  name: 'artifact-stopped',
  item: artifactStoppedItem,
  senders: ['runs'],
  listeners: ['runs', runWorkers],
};

/** The worker that executes the run is to let go of it at once. */
export const runStopped: Broadcast<typeof runStoppedItem> = {
  name: 'run-stopped',
  item: runStoppedItem,
  senders: ['runs', runWorkers],
  listeners: ['runs', runWorkers],
};

export const broadcasts: readonly Broadcast[] = [runProgress, feedProgress, artifactStopped, runStopped];
