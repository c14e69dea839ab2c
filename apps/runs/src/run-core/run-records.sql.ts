import { events } from '@aos/contracts';
import { recordedEvents } from '@aos/events';

/** Columns of a statement's input that `storeRecords` reads. */
export const recordInput =
  'message_count int, message_bytes bigint, event_count int, messages jsonb, events jsonb';

const callbackEvents = events.filter(({ callback }) => callback).map(({ name }) => `'${name}'`);

/** What the log says of a public event: the address of its run if it goes there too. The row must give the run's webhook_url. */
export function publicMeta(event: string): string {
  return `CASE WHEN webhook_url IS NOT NULL AND ${event} IN (${callbackEvents.join(', ')})
    THEN jsonb_build_object('callback_url', webhook_url) ELSE '{}'::jsonb END`;
}

/**
 * Parts of a statement that store the records of changed runs. `changed` must give n, at, run_id, webhook_url,
 * message_base and event_base (the numbers before the change), messages and events. By hand: they are stored in the
 * statement that changes the runs.
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
  ${recordedEvents('published', {
    from: 'noted',
    order: 'n, place',
    id: 'id',
    event: 'event',
    teamId: 'team_id',
    data: 'data',
    meta: `CASE WHEN seq IS NULL THEN meta ELSE meta || ${publicMeta('event')} END`,
    at: 'at',
    run: { id: 'CASE WHEN seq IS NOT NULL THEN run_id END', seq: 'seq' },
  })}`;
