import { buildConfigSchema, type builderRunSchema } from '@aos/contracts';
import type { z } from 'zod';
import { progressOf } from './builder-run-state.js';
import type { BuilderRunEntity } from './builder-run.entity.js';

export type BuilderRun = z.output<typeof builderRunSchema>;

/** Parsing fills in what a config stored by an earlier version lacks. */
export function toBuilderRun(row: BuilderRunEntity): BuilderRun {
  return {
    id: row.id,
    builder_run_id: row.id,
    build_id: row.build_id,
    agent_id: row.agent_id,
    status: row.status,
    prompt: row.prompt,
    progress: progressOf(row.phase),
    pending_user_questions: row.pending_user_questions,
    checkpoint_config: buildConfigSchema.parse(row.checkpoint_config),
    proposed_config: row.proposed_config && buildConfigSchema.parse(row.proposed_config),
    error: row.error,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    completed_at: row.completed_at?.toISOString() ?? null,
  };
}

export function builderRunAnswer(row: BuilderRunEntity): {
  builder_run_id: string;
  status: BuilderRun['status'];
  builder_run: BuilderRun;
} {
  return { builder_run_id: row.id, status: row.status, builder_run: toBuilderRun(row) };
}
