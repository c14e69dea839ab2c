import { ioredisFeature } from './gathering-redis.js';
import { pgFeature } from './prepared-query.js';
import { explainOff } from './versions.js';

describe('explainOff', () => {
  const feature = { name: 'Batching of writes', writtenFor: { one: '1.2.3', two: '4.5.6' } };
  const installed = (versions: Record<string, string>) => (name: string) => versions[name];

  it('has nothing to explain where the known versions are installed', () => {
    expect(explainOff(feature, installed({ one: '1.2.3', two: '4.5.6' }))).toBeUndefined();
  });

  it.each([
    [{ one: '1.2.4', two: '4.5.6' }, 'Batching of writes is off: one is 1.2.4, not 1.2.3'],
    [{ two: '5.0.0' }, 'Batching of writes is off: one is unknown, not 1.2.3, two is 5.0.0, not 4.5.6'],
  ])('names in one line what differs: %j', (versions, line) => {
    expect(explainOff(feature, installed(versions))).toBe(line);
  });

  it.each([pgFeature, ioredisFeature])('finds the versions of the lock file for: $name', (known) => {
    expect(explainOff(known)).toBeUndefined();
  });

  it('does not know a package that is not installed', () => {
    expect(explainOff({ name: 'It', writtenFor: { 'no-such-package': '1.0.0' } })).toContain('is unknown');
  });
});
