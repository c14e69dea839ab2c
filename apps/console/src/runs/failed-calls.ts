import type { RunMessage } from '@aos/client';

/** How many calls of tools a run made, and how many of them gave an error. */
export interface CallCounts {
  readonly made: number;
  readonly failed: number;
}

export function countCalls(messages: readonly RunMessage[]): CallCounts {
  const made = messages.filter(({ tool_call: call }) => call !== undefined).length;
  const failed = messages.filter(({ tool_result: result }) => result?.error !== undefined).length;
  return { made, failed };
}
