import type { BusEvent, EventDefinition, TypedBusEvent } from '@aos/contracts';

const consumesKey = Symbol('aos:consumes');

type BatchHandler<Event> = (events: readonly Event[]) => Promise<void>;

/** What a method wants to hear of. */
export interface Consumed {
  readonly events: readonly EventDefinition[];
  /** Whether their data is checked against its declaration before the method gets it. */
  readonly isChecked: boolean;
}

/**
 * Binds a provider's method to events of other services. It gets them in order, many at a time, inside the
 * transaction that also moves the position; list together what must keep its order.
 */
export function Consumes<E extends EventDefinition>(...events: E[]) {
  return marking<TypedBusEvent<E>>({ events, isChecked: true });
}

/**
 * The same for a method that goes by the names and `meta` of nearly every event there is. The data comes as its owner
 * checked it when it was recorded: to do so again would be a third of what the method costs.
 */
export function ConsumesAsRecorded(...events: EventDefinition[]) {
  return marking<BusEvent>({ events, isChecked: false });
}

function marking<Event>(consumed: Consumed) {
  return <H extends BatchHandler<Event>>(
    _target: object,
    _key: string | symbol,
    descriptor: TypedPropertyDescriptor<H>,
  ): void => {
    Reflect.defineMetadata(consumesKey, consumed, descriptor.value!);
  };
}

export function consumedBy(method: object): Consumed | undefined {
  return Reflect.getMetadata(consumesKey, method) as Consumed | undefined;
}
