import type { EventEnvelope } from '@aos/contracts';

/** An event with its number within what is followed, behind which a client resumes. */
export type NumberedEvent = EventEnvelope & { readonly seq: number };

export const eventStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Asks nginx and its like to pass every event on at once.
  'x-accel-buffering': 'no',
} as const;

/**
 * A client that was cut off comes back after a second. The number behind which the stream begins is for one that is cut
 * off before the first event: without it a feed would go on from what is then now.
 */
export function openingFrame(start: number): string {
  return `retry: 1000\nid: ${start}\n\n`;
}

export const keepAliveFrame = ': keep-alive\n\n';

/** One server-sent event. JSON has no raw line break, so the envelope is one line whatever its texts contain. */
export function eventFrame({ seq, id, event, created_at, data }: NumberedEvent): string {
  const name = event.replace(/[\r\n]+/g, ' ');
  return `id: ${seq}\nevent: ${name}\ndata: ${JSON.stringify({ id, event, created_at, data })}\n\n`;
}
