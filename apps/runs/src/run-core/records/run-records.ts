import { messageBytes } from '@aos/agent-runtime';
import type { RunMessage } from '@aos/contracts';
import type { OutboxRow } from '@aos/events';

/** A message to be stored with a change of its run; numbered by the statement. */
export interface MessageRecord {
  readonly id: string;
  readonly type: RunMessage['type'];
  readonly role: RunMessage['role'];
  readonly text_content?: string;
  readonly tool_call?: RunMessage['tool_call'];
  readonly tool_result?: RunMessage['tool_result'];
}

/** An event to be stored with a change of its run. Public ones are numbered within the run. */
export interface EventRecord extends OutboxRow {
  readonly isPublic: boolean;
}

export interface RunRecords {
  readonly messages: readonly MessageRecord[];
  readonly events: readonly EventRecord[];
}

export interface RecordColumns {
  readonly message_count: number;
  readonly message_bytes: number;
  readonly event_count: number;
  readonly messages: readonly object[];
  readonly events: readonly object[];
}

/** The bytes that count against the run's limit of messages. */
export function messageRecordBytes(messages: readonly MessageRecord[]): number {
  return messages.reduce(
    (sum, { text_content: text, tool_call: toolCall, tool_result: toolResult }) =>
      sum + messageBytes({ text, toolCall, toolResult }),
    0,
  );
}

/** The records as the statements take them: each knows its place. */
export function recordColumns({ messages, events }: RunRecords): RecordColumns {
  let numbered = 0;
  return {
    message_count: messages.length,
    message_bytes: messageRecordBytes(messages),
    event_count: events.filter((event) => event.isPublic).length,
    messages: messages.map((message, index) => ({ ...message, place: index + 1 })),
    events: events.map(({ isPublic, ...event }, index) => ({
      ...event,
      place: index + 1,
      number: isPublic ? (numbered += 1) : null,
    })),
  };
}
