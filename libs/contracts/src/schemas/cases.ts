import { z } from 'zod';
import { boundedList, boundedRecord, idSchema, timestampSchema } from './common.js';
import { named } from './named.js';

/** Stored statuses; the others are derived. */
export const caseStatuses = ['pending', 'completed', 'failed'] as const;

export type CaseStatus = (typeof caseStatuses)[number];

export const caseStatusSchema = named('CaseStatus', z.enum(caseStatuses));

export const caseDisplayStatuses = [...caseStatuses, 'in_progress', 'needs_input', 'postponed'] as const;

export type CaseDisplayStatus = (typeof caseDisplayStatuses)[number];

export const caseDisplayStatusSchema = named('CaseDisplayStatus', z.enum(caseDisplayStatuses));

/** Aliases that filters accept. */
export const caseStatusGroups = {
  claimed: ['in_progress', 'needs_input'],
} as const satisfies Record<string, readonly CaseDisplayStatus[]>;

/** claimed: a run has it, so it is `in_progress` or `needs_input`. */
export const caseStatusFilterSchema = named(
  'CaseStatusFilter',
  z.enum([...caseDisplayStatuses, ...(Object.keys(caseStatusGroups) as (keyof typeof caseStatusGroups)[])]),
);

/** From the least to the most urgent. */
export const casePriorities = ['none', 'medium', 'high'] as const;

export type CasePriority = (typeof casePriorities)[number];

export const casePrioritySchema = named('CasePriority', z.enum(casePriorities));

export const caseLimits = {
  titleLength: 500,
  labels: 50,
  casesAtOnce: 100,
  labelKeyLength: 100,
  labelValueLength: 200,
  reasonLength: 2_000,
} as const;

const labelObjectSchema = named(
  'NewCaseLabel',
  z.object({
    key: z.string().min(1).max(caseLimits.labelKeyLength),
    value: z.string().max(caseLimits.labelValueLength),
  }),
);

export const newCaseLabelFields = labelObjectSchema.shape;

/** A string is the key of a label whose value is empty. */
export const newCaseLabelSchema = z.preprocess(
  (given) => (typeof given === 'string' ? { key: given, value: '' } : given),
  labelObjectSchema,
);

export type NewCaseLabel = z.output<typeof newCaseLabelSchema>;

export const newCaseLabelsSchema = boundedList(newCaseLabelSchema, { max: caseLimits.labels });

/** A moment in a body: ISO 8601 with an offset or `Z`. */
export const momentSchema = z.iso.datetime({ offset: true });

export const newCaseSchema = named(
  'NewCaseInput',
  z.object({
    title: z.string().min(1).max(caseLimits.titleLength),
    /** Any JSON; what the agent gets to work on. */
    data: z.unknown().optional(),
    labels: newCaseLabelsSchema.optional(),
    priority: casePrioritySchema.default('none'),
    /** It is given to an agent no earlier. */
    postponed_to: momentSchema.optional(),
  }),
);

export type NewCase = z.output<typeof newCaseSchema>;

export const caseLabelSchema = named(
  'CaseLabel',
  z.object({
    id: idSchema,
    label_id: idSchema,
    key: z.string(),
    value: z.string(),
    color_hue: z.int(),
  }),
);

export const countedLabelSchema = named('CountedCaseLabel', caseLabelSchema.extend({ case_count: z.int() }));

export const caseSchema = named(
  'Case',
  z.object({
    id: idSchema,
    case_id: idSchema,
    queue_id: idSchema,
    title: z.string(),
    data: z.unknown(),
    status: caseStatusSchema,
    display_status: caseDisplayStatusSchema,
    priority: casePrioritySchema,
    labels: z.array(caseLabelSchema),
    /** The run that works on it, or that has settled it. */
    claimed_by_run_id: idSchema.nullable(),
    claimed_at: timestampSchema.nullable(),
    postponed_to: timestampSchema.nullable(),
    completed_at: timestampSchema.nullable(),
    pending_human_request_id: idSchema.nullable(),
    created_at: timestampSchema,
    updated_at: timestampSchema,
  }),
);

export type Case = z.output<typeof caseSchema>;

export const caseEventTypes = [
  'created',
  'claimed',
  'postponed',
  'released',
  'completed',
  'failed',
  'reprocessed',
  'updated',
  'handed_over',
] as const;

export type CaseEventType = (typeof caseEventTypes)[number];

export const caseEventTypeSchema = named('CaseEventType', z.enum(caseEventTypes));

/** A credential, a run of an agent, or the service itself. */
export const caseActorSchema = named(
  'CaseActor',
  z.object({ type: z.enum(['credential', 'run', 'system']), id: idSchema.nullable() }),
);

export type CaseActor = z.output<typeof caseActorSchema>;

export const caseEventSchema = named(
  'CaseEvent',
  z.object({
    id: idSchema,
    type: caseEventTypeSchema,
    actor: caseActorSchema,
    reason: z.string().nullable(),
    created_at: timestampSchema,
  }),
);

export const queueSchema = named(
  'Queue',
  z.object({
    id: idSchema,
    queue_id: idSchema,
    team_id: idSchema,
    name: z.string(),
    description: z.string().nullable(),
    /** Queues have no folders here. */
    folder_id: z.null(),
    /** Whether the run of one of its cases waits for a person's approval. */
    has_approvals: z.boolean(),
    /** By stored status. */
    case_counts: z.object({ pending: z.int(), completed: z.int(), failed: z.int() }),
    created_at: timestampSchema,
    updated_at: timestampSchema,
  }),
);

/** An agent whose enabled trigger is on the same queue. */
export const conflictingAgentSchema = z.object({ agent_id: idSchema, name: z.string() });

export const caseTriggerSchema = named(
  'CaseTrigger',
  z.object({
    id: idSchema,
    trigger_id: idSchema,
    agent_id: idSchema,
    case_queue_id: idSchema,
    case_queue_name: z.string(),
    enabled: z.boolean(),
    /** Runs at the same time; null means 5. */
    concurrency: z.int().nullable(),
    /** Whether another enabled trigger takes cases of the same queue. */
    has_conflict: z.boolean(),
    conflicting_agents: z.array(conflictingAgentSchema),
    created_at: timestampSchema,
    updated_at: timestampSchema,
  }),
);

export const reasonSchema = z.string().min(1).max(caseLimits.reasonLength);

const labelFilterSchema = boundedRecord(
  z.string().min(1).max(caseLimits.labelKeyLength),
  boundedList(z.string().max(caseLimits.labelValueLength), { min: 1, max: 50 }),
  { max: caseLimits.labels },
);

/** Filters of cases; all must match. */
export const caseFiltersSchema = named(
  'CaseFilters',
  z.object({
    /** `pending` means all that are not settled; `in_progress`, `needs_input` and `postponed` are among them. */
    status: boundedList(caseStatusFilterSchema, { min: 1, max: 10 }).optional(),
    priority: boundedList(casePrioritySchema, { min: 1, max: 10 }).optional(),
    created_at_from: momentSchema.optional(),
    created_at_to: momentSchema.optional(),
    updated_at_from: momentSchema.optional(),
    updated_at_to: momentSchema.optional(),
    /** For each key the values that are wanted. */
    labels: labelFilterSchema.optional(),
  }),
);

export type CaseFilters = z.output<typeof caseFiltersSchema>;

/** A part of the title or of the data, in any script, whatever the case. */
export const caseSearchSchema = z.string().min(1).max(200);

export const caseSortFields = ['created_at', 'updated_at', 'priority', 'postponed_to'] as const;

export type CaseSortField = (typeof caseSortFields)[number];

const caseCursorSchema = z.object({ created_at: timestampSchema, id: idSchema });
const caseColumnsSchema = z.object({ labels: z.array(z.string()), data: z.array(z.string()) });

/** The cursor of an export. */
export const exportStateSchema = z.object({
  queue_id: idSchema,
  format: z.enum(['csv', 'ndjson']),
  filters: caseFiltersSchema,
  search: z.string().optional(),
  after: caseCursorSchema.optional(),
  columns: caseColumnsSchema.optional(),
  /** Until all columns are known: those of the cases so far. */
  gathered: z.object({ columns: caseColumnsSchema, after: caseCursorSchema.optional() }).optional(),
  /** Cases that were made later are not meant. */
  until: timestampSchema.optional(),
});
