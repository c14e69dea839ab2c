import type { EventMeta } from '@aos/contracts';
import type { SpanDraft, Tracing } from '@aos/platform';

/** As much of an event as its span tells of it. */
interface TracedEvent {
  readonly id: string;
  readonly event: string;
  readonly meta: EventMeta;
}

/**
 * Handles a batch with a span for each event, in the trace of what recorded the event: those who handle it next find that
 * span in its `meta`.
 */
export async function handleTraced<Event extends TracedEvent>(
  tracing: Tracing,
  step: 'publish' | 'process',
  events: readonly Event[],
  handle: (events: readonly Event[]) => Promise<void>,
): Promise<void> {
  if (!tracing.enabled) return handle(events);
  const spans = tracing.openMessages(
    events,
    ({ meta }) => meta.traceparent,
    (event) => spanOf(step, event),
  );
  let failure: unknown;
  try {
    await handle(
      events.map((event) => {
        const span = spans.get(event);
        return span ? { ...event, meta: { ...event.meta, traceparent: span.context.traceparent } } : event;
      }),
    );
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    for (const span of spans.values()) span.end(failure);
  }
}

function spanOf(step: 'publish' | 'process', { id, event, meta }: TracedEvent): SpanDraft {
  return {
    name: `${step} ${event}`,
    kind: step === 'publish' ? 'producer' : 'consumer',
    attributes: {
      'messaging.system': 'aos',
      'messaging.operation.type': step === 'publish' ? 'send' : 'process',
      'messaging.destination.name': meta.source,
      'messaging.message.id': id,
      'aos.event': event,
    },
  };
}
