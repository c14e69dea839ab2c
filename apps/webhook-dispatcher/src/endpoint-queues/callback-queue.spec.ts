import { uuidv7 } from 'uuidv7';
import { callbackQueue } from './callback-queue.js';

const team = '01890a5d-ac96-774b-bcce-b302099a8057';
const queue = callbackQueue(team, 'https://hooks.example.com/a');

describe('callbackQueue', () => {
  it('is the same whenever it is asked for', () => {
    // A queue that is stored must be found again by the processes of the next version.
    expect(queue).toBe('f4e6efd6-0142-8224-a57e-04b21bd52216');
  });

  it('is a UUID of version 8', () => {
    for (let count = 0; count < 100; count += 1) {
      expect(callbackQueue(uuidv7(), 'https://hooks.example.com/')).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
    }
  });

  it.each([
    ['path', 'https://hooks.example.com/b'],
    ['query', 'https://hooks.example.com/a?run=1'],
    ['default port', 'https://hooks.example.com:443/a'],
    ['case', 'HTTPS://Hooks.Example.COM/a'],
  ])('does not depend on the %s', (_, url) => {
    expect(callbackQueue(team, url)).toBe(queue);
  });

  it.each([
    ['host', team, 'https://other.example.com/a'],
    ['port', team, 'https://hooks.example.com:8443/a'],
    ['scheme', team, 'http://hooks.example.com/a'],
    ['team', '01890a5d-ac96-774b-bcce-b302099a8058', 'https://hooks.example.com/a'],
  ])('is another for another %s', (_, teamId, url) => {
    expect(callbackQueue(teamId, url)).not.toBe(queue);
  });
});
