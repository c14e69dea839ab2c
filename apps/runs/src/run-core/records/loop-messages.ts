import type { LoopMessage } from '@aos/agent-runtime';
import type { RunMessage } from '@aos/contracts';
import { newId } from '@aos/persistence';
import type { MessageRecord } from './run-records.js';

export type StoredMessage = Pick<RunMessage, 'seq' | 'type' | 'role'> & {
  readonly text_content: string | null;
  readonly tool_call: RunMessage['tool_call'] | null;
  readonly tool_result: RunMessage['tool_result'] | null;
};

export function toLoopMessage(row: StoredMessage): LoopMessage {
  const { tool_call: call, tool_result: result } = row;
  return {
    type: row.type,
    role: row.role,
    ...(row.text_content === null ? {} : { text: row.text_content }),
    ...(call ? { toolCall: call } : {}),
    ...(result
      ? { toolResult: { toolCallId: result.tool_call_id, result: result.result, error: result.error } }
      : {}),
  };
}

export function toMessageRecord({ type, role, text, toolCall, toolResult }: LoopMessage): MessageRecord {
  return {
    id: newId(),
    type,
    role,
    text_content: text,
    tool_call: toolCall && { ...toolCall, arguments: { ...toolCall.arguments } },
    tool_result: toolResult && {
      tool_call_id: toolResult.toolCallId,
      result: toolResult.result,
      error: toolResult.error,
    },
  };
}
