import { staleKeys } from './stale-keys';

const keysFor = (event: string, data: object) =>
  staleKeys({ event, data } as Parameters<typeof staleKeys>[0]);

describe('what an event makes old', () => {
  it('is the list of runs when one begins, waits or ends', () => {
    for (const event of ['run.started', 'run.paused', 'run.completed', 'run.failed']) {
      expect(keysFor(event, { run_id: 'r', agent_id: 'a' })).toContainEqual(['runs']);
    }
  });

  it('is the run itself, the case that it works on, and the queue that shows it', () => {
    const keys = keysFor('run.paused', { run_id: 'r', agent_id: 'a', case_id: 'c' });
    expect(keys).toEqual(expect.arrayContaining([['run', 'r'], ['case', 'c'], ['queue']]));
    expect(keysFor('run.paused', { run_id: 'r', agent_id: 'a' })).not.toContainEqual(['queue']);
  });

  it('is no list when a run only gets on', () => {
    expect(keysFor('run.message.created', { run_id: 'r' })).toEqual([]);
  });

  it('is the inbox when something is asked or answered', () => {
    const keys = keysFor('human_request.created', { run_id: 'r' });
    expect(keys).toEqual(expect.arrayContaining([['inbox'], ['run', 'r'], ['case'], ['queue']]));
  });

  it('is the queue and the case that it is about', () => {
    expect(keysFor('queue.case.claimed', { queue_id: 'q', case_id: 'c' })).toEqual([
      ['queues'],
      ['queue', 'q'],
      ['case', 'c'],
    ]);
  });

  it('is the run that works or worked on the case, whose timeline is beside it', () => {
    expect(keysFor('queue.case.completed', { queue_id: 'q', case_id: 'c', run_id: 'r' })).toContainEqual([
      'run',
      'r',
    ]);
  });

  it('is nothing for what no page shows', () => {
    expect(keysFor('something.new', {})).toEqual([]);
  });
});
