import type { BusEvent, EventDefinition } from '@aos/contracts';
import { EventDispatch, UnknownEvent } from './event-dispatch.js';

const planSet = { name: 'team.plan_set', source: 'gateway' } as EventDefinition;

function event(source: string, name = planSet.name): BusEvent {
  return { id: 'e', event: name, created_at: '', data: {}, meta: { team_id: 't', source, position: 1 } };
}

describe('EventDispatch', () => {
  const handled: BusEvent[] = [];
  const handle = async (events: readonly BusEvent[]) => void handled.push(...events);
  const dispatch = new EventDispatch(
    [{ events: [planSet], isChecked: false, isStatement: false, handle: handle as never }],
    new Map([
      [planSet.name, planSet.source],
      ['run.completed', 'runs'],
    ]),
  );
  const perform = async () => undefined;

  it('hands an event over that comes from the service which declares it', async () => {
    await dispatch.dispatch([event('gateway')], perform);
    expect(handled).toEqual([event('gateway')]);
  });

  it('takes an event that another service tells for none that it knows', async () => {
    await expect(dispatch.dispatch([event('runs')], perform)).rejects.toThrow(UnknownEvent);
    expect(handled).toHaveLength(1);
  });

  it('passes over what others consume, from the service which declares it', async () => {
    await dispatch.dispatch([event('runs', 'run.completed')], perform);
    await expect(dispatch.dispatch([event('billing', 'run.completed')], perform)).rejects.toThrow(
      UnknownEvent,
    );
  });
});
