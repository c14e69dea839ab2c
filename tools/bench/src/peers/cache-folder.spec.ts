import { cacheFolder } from './cache-folder.js';

describe('cacheFolder', () => {
  it('is below the cache folder of the user', () => {
    expect(cacheFolder({}, '/home/ada')).toBe('/home/ada/.cache/agent-operations-service/peers');
  });

  it('is where XDG_CACHE_HOME says', () => {
    const environment = { XDG_CACHE_HOME: '/var/cache/ada' };
    expect(cacheFolder(environment, '/home/ada')).toBe('/var/cache/ada/agent-operations-service/peers');
  });

  it.each(['', 'cache', './cache'])('takes no notice of "%s", which would depend on the folder', (value) => {
    expect(cacheFolder({ XDG_CACHE_HOME: value }, '/home/ada')).toBe(
      '/home/ada/.cache/agent-operations-service/peers',
    );
  });
});
