import type { BusEvent, EventDefinition } from '@aos/contracts';
import type { Consumed, EventStatement } from './consumes.js';

/** Makes the statement of a handler; resolves when it is made. */
export type PerformStatement = (statement: EventStatement) => Promise<void>;

export interface EventHandler extends Consumed {
  readonly handle: (events: never, perform: PerformStatement) => Promise<void>;
}

/** An event of a newer version: whether it concerns this service is unknown. */
export class UnknownEvent extends Error {
  override readonly name = 'UnknownEvent';

  constructor(event: string) {
    super(`This version does not know ${event}`);
  }
}

/** Hands a batch to the handlers of a service: each gets its own events, in order and checked if it wants. */
export class EventDispatch {
  private readonly byName = new Map<string, { definition: EventDefinition; handler: EventHandler }>();

  /** `declared`: the owner of each event, also of those that other services consume. */
  constructor(
    handlers: readonly EventHandler[],
    private readonly declared: ReadonlyMap<string, string>,
  ) {
    for (const handler of handlers) {
      for (const definition of handler.events) this.byName.set(definition.name, { definition, handler });
    }
  }

  /** An event from another service than the one that declares it is unknown. */
  knows({ event, meta }: BusEvent): boolean {
    return this.declared.get(event) === meta.source;
  }

  /** Whether the effects of these events are statements alone. */
  isByStatement(events: readonly BusEvent[]): boolean {
    return events.every((event) => this.handlerOf(event)?.handler.isStatement ?? this.knows(event));
  }

  /** One handler after the other: they share a transaction. */
  async dispatch(events: readonly BusEvent[], perform: PerformStatement): Promise<void> {
    for (const [handler, batch] of this.batches(events)) await handler.handle(batch as never, perform);
  }

  /** The handlers of events whose effects are statements alone, each ready to give its statement. */
  handlersOf(events: readonly BusEvent[]): ((perform: PerformStatement) => Promise<void>)[] {
    return [...this.batches(events)].map(
      ([handler, batch]) =>
        (perform) =>
          handler.handle(batch as never, perform),
    );
  }

  private handlerOf(event: BusEvent) {
    const known = this.byName.get(event.event);
    return known?.definition.source === event.meta.source ? known : undefined;
  }

  /** Skips events that only others consume. */
  private batches(events: readonly BusEvent[]): ReadonlyMap<EventHandler, BusEvent[]> {
    const batches = new Map<EventHandler, BusEvent[]>();
    for (const event of events) {
      const known = this.handlerOf(event);
      if (!known && this.knows(event)) continue;
      if (!known) throw new UnknownEvent(event.event);
      const given = known.handler.isChecked ? checked(event, known.definition) : event;
      const batch = batches.get(known.handler);
      if (batch) batch.push(given);
      else batches.set(known.handler, [given]);
    }
    return batches;
  }
}

function checked(event: BusEvent, { data }: EventDefinition): BusEvent {
  return { ...event, data: data.parse(event.data) as BusEvent['data'] };
}
