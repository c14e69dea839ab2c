import { staleKeys } from './stale-keys';

const keysFor = (event: string, data: object) =>
  staleKeys({ event, data } as Parameters<typeof staleKeys>[0]);

describe('what an event makes old', () => {
  it('is the list of runs when one begins, waits or ends', () => {
    for (const event of ['run.started', 'run.paused', 'run.completed', 'run.failed']) {
      expect(keysFor(event, { run_id: 'r', agent_id: 'a' })).toContainEqual(['runs']);
    }
  });

  it('is no list when a run only gets on', () => {
    expect(keysFor('run.message.created', { run_id: 'r' })).toEqual([]);
  });

  it('is the inbox when something is asked or answered', () => {
    expect(keysFor('human_request.created', { run_id: 'r' })).toContainEqual(['inbox']);
  });

  it('is the queue and the case that it is about', () => {
    expect(keysFor('queue.case.claimed', { queue_id: 'q', case_id: 'c' })).toEqual([
      ['queues'],
      ['queue', 'q'],
      ['case', 'c'],
    ]);
  });

  it('is nothing for what no page shows', () => {
    expect(keysFor('something.new', {})).toEqual([]);
  });
});
