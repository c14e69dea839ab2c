import type { z } from 'zod';
import type { RunError, RunErrorCode, shownRunErrorSchema } from './runs.js';

/** For each reason why a run fails: what the one who reads it can do. */
export const runErrorAdvice: Readonly<Record<RunErrorCode, string>> = {
  model_error:
    'The model gave no answer. Where its provider said why, mend that: its key, its name, its limits. Then send a message to go on.',
  invalid_script:
    'The procedure has a line that the built-in model cannot follow. Mend it in a draft of the agent.',
  failed_by_agent: 'The agent itself gave up. Its last words say why.',
  timeout:
    'It took longer than its procedure allows (timeout_seconds). Raise the limit in a draft, or send a message to go on.',
  max_steps_exceeded:
    'It took more steps than its procedure allows (max_steps). Look at its last steps for a circle, or raise the limit in a draft.',
  budget_exceeded:
    'It used as many tokens as one run may (max_tokens). Raise the limit in a draft, or ask for less at a time.',
  human_request_expired: 'Nobody answered in time. Send a message to go on without the answer.',
  agent_unavailable: 'An agent that it calls is gone. Take it out of the procedure, or make it again.',
  connection_unavailable: 'A connection that it needs is broken or gone. Mend it under Connections.',
  output_too_large: 'It wrote a text of more than 1 MiB. Have it write to a file, or ask for less at a time.',
  output_truncated:
    'The answer was too long for the model or the budget. Ask for less at a time, or choose a model or a budget (max_tokens) with room for more.',
  content_filtered:
    'The provider of the model filtered the answer. Change what is asked, or choose another model.',
  model_protocol_error:
    'The model cannot make calls of tools as they must be made. Choose another model, or fewer and simpler tools.',
  limit_reached: 'It has as many messages as a run may have. Start another run.',
  worker_lost: 'The processes that worked on it ended again and again. An operator finds why in their logs.',
  internal_error: 'The service failed. An operator finds the reason in its logs, by the id of the run.',
};

export function shownRunError({ code, message }: RunError): z.output<typeof shownRunErrorSchema> {
  return { code, message, advice: runErrorAdvice[code] };
}
