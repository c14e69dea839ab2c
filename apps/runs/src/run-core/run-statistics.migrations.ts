import { ColumnStatistics } from '@aos/persistence';

/** Lists and scores of many shapes need what is known of a run; its messages and steps are read by its id alone. */
export class RunStatistics1760000009510 extends ColumnStatistics {
  readonly name = 'RunStatistics1760000009510';

  protected readonly tables = {
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
}
