import type { BusEvent, EventDefinition, TypedBusEvent } from '@aos/contracts';
import type { Statement } from '@aos/persistence';

const consumesKey = Symbol('aos:consumes');

type BatchHandler<Event> = (events: readonly Event[]) => Promise<void>;
type StatementHandler<Event> = (events: readonly Event[]) => EventStatement | undefined;

/** The events that a method consumes, and how. */
export interface Consumed {
  readonly events: readonly EventDefinition[];
  /** Whether their data is checked against its declaration before the method gets it. */
  readonly isChecked: boolean;
  /** Whether the method returns one statement, which is all that is done. */
  readonly isStatement: boolean;
}

/** The effect of events as one statement in the database of the service. */
export interface EventStatement<Row = never> extends Statement {
  /** Called with the rows of the statement when it was committed. */
  readonly committed?: (rows: readonly Row[]) => void;
}

/**
 * Binds a provider's method to events of other services. It gets them in order, many at a time, inside the
 * transaction that also moves the position; list together what must keep its order.
 */
export function Consumes<E extends EventDefinition>(...events: E[]) {
  return marking<BatchHandler<TypedBusEvent<E>>>({ events, isChecked: true, isStatement: false });
}

/**
 * The same for a method that goes by the names and `meta` of nearly every event there is. The data comes as its owner
 * checked it when it was recorded: to do so again would be a third of what the method costs.
 */
export function ConsumesAsRecorded(...events: EventDefinition[]) {
  return marking<BatchHandler<BusEvent>>({ events, isChecked: false, isStatement: false });
}

/**
 * For a method whose effect is one statement, which it gives instead of making it: with the position it is one round trip.
 * For events that come all the time, so their data comes as recorded, too.
 */
export function ConsumesByStatement<E extends EventDefinition>(...events: E[]) {
  return marking<StatementHandler<TypedBusEvent<E>>>({ events, isChecked: false, isStatement: true });
}

function marking<Handler>(consumed: Consumed) {
  return <H extends Handler>(
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
