import { serviceNames } from '../services.js';
import { runDeleted } from './runs.js';
import { teamPlanSet } from './teams.js';
import { events, eventsOnlyByName, publicEventNames, publicEvents } from './index.js';

describe('the events', () => {
  it('that reach subscribers are those of the specification, and two that must be named', () => {
    expect([...eventsOnlyByName].sort()).toEqual(['budget.reached', 'budget.warning']);
    expect(publicEventNames.filter((name) => !eventsOnlyByName.includes(name)).sort()).toEqual(
      [
        'run.started',
        'run.paused',
        'run.completed',
        'run.failed',
        'run.message.created',
        'run.tool_call.completed',
        'run.file.created',
        'human_request.created',
        'human_request.responded',
        'queue.case.created',
        'queue.case.claimed',
        'queue.case.completed',
        'assignment.build.published',
        'connection.updated',
        'connection.action_required',
      ].sort(),
    );
  });

  it('have each a name of their own, a source and consumers that exist', () => {
    expect(new Set(events.map(({ name }) => name)).size).toBe(events.length);
    for (const { source, consumers } of events) {
      expect(serviceNames).toEqual(expect.arrayContaining([source, ...consumers]));
    }
  });

  it('that are public go to the dispatcher of webhooks, the others do not, but for what it must know itself', () => {
    const taken = events.filter(({ consumers }) => consumers.includes('webhook-dispatcher'));
    expect(taken.filter(({ visibility }) => visibility === 'public')).toEqual(publicEvents);
    expect(taken.filter(({ visibility }) => visibility !== 'public')).toEqual([runDeleted, teamPlanSet]);
  });

  it.each(publicEvents.map((event) => [event.name, event] as const))(
    '%s has an example that is one',
    (_, { data, example }) => {
      expect(data.parse(example)).toEqual(example);
    },
  );

  it('that go to the callback of a run name the run', () => {
    const called = publicEvents.filter(({ callback }) => callback);
    expect(called.map(({ name }) => name).sort()).toEqual([
      'human_request.created',
      'run.completed',
      'run.failed',
      'run.paused',
      'run.started',
    ]);
    for (const { example } of called) expect(example).toHaveProperty('run_id');
  });
});
