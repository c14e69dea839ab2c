import type { BusEvent, EventDefinition } from '@aos/contracts';

export interface EventHandler {
  readonly events: readonly EventDefinition[];
  /** Whether it wants the data checked against its declaration. */
  readonly isChecked: boolean;
  readonly handle: (events: never) => Promise<void>;
}

/** An event of a newer version: this one cannot tell whether it concerns it. */
export class UnknownEvent extends Error {
  override readonly name = 'UnknownEvent';

  constructor(event: string) {
    super(`This version does not know ${event}`);
  }
}

/** Hands a batch to the handlers of a service: each gets its own events, in order and checked if it wants. */
export class EventDispatch {
  private readonly byName = new Map<string, { definition: EventDefinition; handler: EventHandler }>();

  /** `declared` are the events that this version knows, also those that other services consume. */
  constructor(
    handlers: readonly EventHandler[],
    private readonly declared: ReadonlySet<string>,
  ) {
    for (const handler of handlers) {
      for (const definition of handler.events) this.byName.set(definition.name, { definition, handler });
    }
  }

  knows({ event }: BusEvent): boolean {
    return this.declared.has(event);
  }

  /** What others consume is passed over. */
  async dispatch(events: readonly BusEvent[]): Promise<void> {
    const batches = new Map<EventHandler, BusEvent[]>();
    for (const event of events) {
      const known = this.byName.get(event.event);
      if (!known && this.knows(event)) continue;
      if (!known) throw new UnknownEvent(event.event);
      const given = known.handler.isChecked ? checked(event, known.definition) : event;
      const batch = batches.get(known.handler);
      if (batch) batch.push(given);
      else batches.set(known.handler, [given]);
    }
    for (const [handler, batch] of batches) await handler.handle(batch as never);
  }
}

function checked(event: BusEvent, { data }: EventDefinition): BusEvent {
  return { ...event, data: data.parse(event.data) as BusEvent['data'] };
}
