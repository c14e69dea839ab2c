import { messageBytes } from '@aos/agent-runtime';
import { events, type RunMessage } from '@aos/contracts';
import type { OutboxRow } from '@aos/persistence';

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

/** What a change of a run brings with it. */
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

/** What messages take of the room that their run has for all of them. */
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

/** Columns of a statement's input that `storeRecords` reads. */
export const recordInput =
  'message_count int, message_bytes bigint, event_count int, messages jsonb, events jsonb';

const callbackEvents = events.filter(({ callback }) => callback).map(({ name }) => `'${name}'`);

/**
 * What the log says of an event that is shown: its number, and the address of its run if it goes there too. The row
 * must give the run's webhook_url.
 */
export function publicMeta(event: string, seq: string): string {
  return `CASE WHEN webhook_url IS NOT NULL AND ${event} IN (${callbackEvents.join(', ')})
    THEN jsonb_build_object('run_seq', ${seq}, 'callback_url', webhook_url)
    ELSE jsonb_build_object('run_seq', ${seq}) END`;
}

/**
 * PreparedStatements that store the records of changed runs. `changed` must give n, at, run_id, webhook_url, message_base and
 * event_base (the numbers before the change), messages and events.
 */
export const storeRecords = `
  stored_messages AS (
    INSERT INTO run_message (run_id, seq, id, type, role, text_content, tool_call, tool_result, created_at)
    SELECT changed.run_id, changed.message_base + m.place, m.id, m.type, m.role, m.text_content, m.tool_call,
           m.tool_result, changed.at
      FROM changed CROSS JOIN LATERAL jsonb_to_recordset(changed.messages)
       AS m(place int, id uuid, type text, role text, text_content text, tool_call jsonb, tool_result jsonb)),
  noted AS (
    SELECT changed.run_id, changed.event_base + e.number AS seq, changed.n, e.place, e.id, e.event, e.team_id,
           e.data, e.meta, changed.webhook_url, changed.at
      FROM changed CROSS JOIN LATERAL jsonb_to_recordset(changed.events)
       AS e(place int, number int, id uuid, event text, team_id uuid, data jsonb, meta jsonb)),
  stored_events AS (
    INSERT INTO run_event (run_id, seq, id, event, data, created_at)
    SELECT run_id, seq, id, event, data, at FROM noted WHERE seq IS NOT NULL),
  published AS (
    INSERT INTO outbox_event (id, event, team_id, data, meta, created_at)
    SELECT id, event, team_id, data,
           CASE WHEN seq IS NULL THEN meta ELSE meta || ${publicMeta('event', 'seq')} END, at
      FROM noted ORDER BY n, place)`;
