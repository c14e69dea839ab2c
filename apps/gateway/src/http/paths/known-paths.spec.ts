import fastify from 'fastify';
import { KnownPaths } from './known-paths.js';

const paths = new KnownPaths();
const server = fastify({ exposeHeadRoutes: false });
paths.observe(server);
const answer = async () => 'said';
server.get('/v2/things', answer);
server.post('/v2/things', answer);
server.delete('/v2/things/:id', answer);
server.patch('/v2/things/:id', answer);
server.get('/v2/files/*', answer);
server.get('/docs/a.b.js', answer);
void server.register(async (scope) => void scope.put('/v2/things/:id/parts/:part', answer));

describe('KnownPaths', () => {
  beforeAll(() => server.ready());

  it.each([
    ['/v2/things', 'GET HEAD POST OPTIONS'],
    ['/v2/things/1', 'PATCH DELETE OPTIONS'],
    ['/v2/things/%2F', 'PATCH DELETE OPTIONS'],
    ['/v2/things/', 'PATCH DELETE OPTIONS'],
    ['/v2/things/1/parts/a%20b', 'PUT OPTIONS'],
    ['/v2/files/a/b/c', 'GET HEAD OPTIONS'],
    ['/v2/%74hings', 'GET HEAD POST OPTIONS'],
    ['/docs/a.b.js', 'GET HEAD OPTIONS'],
  ])('%s has %s', (path, methods) => {
    expect(paths.methodsOf(path).join(' ')).toBe(methods);
  });

  it.each([
    '',
    '/',
    '*',
    '/v2',
    '/v2/thing',
    '/v2/things/1/2',
    '/V2/things',
    '/docs/aXb.js',
    '/v2/things/%zz/x',
  ])('%s is no path', (path) => {
    expect(paths.methodsOf(path)).toEqual([]);
  });

  it('gives HEAD to what has GET', async () => {
    const { statusCode, headers } = await server.inject({ method: 'HEAD', url: '/v2/things' });
    expect([statusCode, headers['content-length']]).toEqual([200, '4']);
  });

  it('takes no route whose first segment a public path could have', () => {
    const other = fastify();
    new KnownPaths().observe(other);
    expect(() => other.get('/elsewhere/things', answer)).toThrow('ownSegments');
  });
});
