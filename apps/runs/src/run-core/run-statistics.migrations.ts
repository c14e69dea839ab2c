import { sampleAsUsual, sampleColumns, type SampledColumns } from '@aos/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists and scores of many shapes need what is known of a run; its messages and steps are read by its id alone. */
const sampled: Readonly<Record<string, SampledColumns>> = {
  run: {
    never: [
      ...['build_digest', 'metadata', 'result', 'error', 'stop_reason', 'webhook_url', 'case_queue_name'],
      ...['tool_calls', 'input_tokens', 'output_tokens', 'limits_from_steps', 'limits_from_tokens'],
      ...['active_ms', 'script_position', 'event_seq', 'traceparent'],
    ],
  },
  run_message: {
    never: ['text_content', 'tool_call', 'tool_result'],
    little: ['run_id', 'seq', 'id', 'type', 'role', 'created_at'],
  },
  run_step: {
    never: ['error'],
    little: [
      ...['run_id', 'step_index', 'name', 'kind', 'status', 'attempts', 'input_tokens', 'output_tokens'],
      ...['tool_calls', 'started_at', 'completed_at'],
    ],
  },
  run_evaluation: { never: ['results'] },
};

export class RunStatistics1760000009510 implements MigrationInterface {
  readonly name = 'RunStatistics1760000009510';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, columns] of Object.entries(sampled)) await sampleColumns(runner, table, columns);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, columns] of Object.entries(sampled)) await sampleAsUsual(runner, table, columns);
  }
}
