import { newId } from '@aos/persistence';
import { idOfTime } from './run-deletion.js';

describe('idOfTime', () => {
  it('stands between the ids made before and after', () => {
    const now = Date.now();
    const id = newId();
    expect(idOfTime(now - 1) < id).toBe(true);
    expect(idOfTime(now + 1_000) > id).toBe(true);
  });

  it('is a UUID for every moment', () => {
    for (const time of [-1, 0, 1, Date.now(), 2 ** 47]) {
      expect(idOfTime(time)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7000-8000-0{12}$/);
    }
  });
});
