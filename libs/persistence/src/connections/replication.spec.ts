import { mayLoseCommits } from './replication.js';

describe('a failover of Postgres', () => {
  it.each([
    [{ standbys: 0, names_synchronous: false, synchronous_commit: 'on' }, false],
    [{ standbys: 0, names_synchronous: false, synchronous_commit: 'off' }, false],
    [{ standbys: 1, names_synchronous: false, synchronous_commit: 'on' }, true],
    [{ standbys: 2, names_synchronous: true, synchronous_commit: 'local' }, true],
    [{ standbys: 2, names_synchronous: true, synchronous_commit: 'off' }, true],
    [{ standbys: 2, names_synchronous: true, synchronous_commit: 'on' }, false],
    [{ standbys: 1, names_synchronous: true, synchronous_commit: 'remote_apply' }, false],
  ])('with %j may lose commits: %s', (state, expected) => {
    expect(mayLoseCommits(state)).toBe(expected);
  });
});
