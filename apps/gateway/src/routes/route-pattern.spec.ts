import { routeParams, routePattern } from './route-pattern.js';

describe('routePattern', () => {
  it.each([
    ['/v2/teams', '/v2/teams'],
    ['/v2/teams/{teamId}/api-keys/{keyId}', '/v2/teams/:teamId/api-keys/:keyId'],
    ['/v2/agents/{agent_id}/memory/files/{path}', '/v2/agents/:agent_id/memory/files/*'],
    ['/v2/things/{path}/rest', '/v2/things/:path/rest'],
  ])('spells %s', (path, expected) => {
    expect(routePattern(path)).toBe(expected);
  });

  it('gives the rest of the path its name', () => {
    expect(routeParams({ agent_id: 'a', '*': 'notes/today.md' })).toEqual({
      agent_id: 'a',
      path: 'notes/today.md',
    });
    expect(routeParams({ agent_id: 'a' })).toEqual({ agent_id: 'a' });
  });
});
