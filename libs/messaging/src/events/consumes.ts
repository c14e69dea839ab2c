import type { EventDefinition, TypedBusEvent } from '@aos/contracts';

const consumesKey = Symbol('aos:consumes');

type BatchHandler<E extends EventDefinition> = (events: readonly TypedBusEvent<E>[]) => Promise<void>;

/**
 * Binds a provider's method to events of other services. It gets them in order, many at a time, inside the
 * transaction that also moves the position; list together what must keep its order.
 */
export function Consumes<E extends EventDefinition>(...events: E[]) {
  return <H extends BatchHandler<E>>(
    _target: object,
    _key: string | symbol,
    descriptor: TypedPropertyDescriptor<H>,
  ): void => {
    Reflect.defineMetadata(consumesKey, events, descriptor.value!);
  };
}

export function consumedBy(method: object): readonly EventDefinition[] | undefined {
  return Reflect.getMetadata(consumesKey, method) as readonly EventDefinition[] | undefined;
}
