import type { RunMessage } from '@aos/contracts';
import type { RunMessageEntity } from '../../run-core/records/run-message.entity.js';

export function toRunMessage(row: RunMessageEntity): RunMessage {
  return {
    id: row.id,
    seq: row.seq,
    type: row.type,
    role: row.role,
    text_content: row.text_content ?? undefined,
    tool_call: row.tool_call ?? undefined,
    tool_result: row.tool_result ?? undefined,
    timestamp: row.created_at.toISOString(),
  };
}
