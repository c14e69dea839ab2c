import { AppError } from '@aos/contracts';
import { createLogger } from '@aos/platform';
import fastify from 'fastify';
import { answerErrors } from './error-answers.js';

const pgError = (code: string) => Object.assign(new Error('told nobody'), { code });

describe('an error that leaves the gateway', () => {
  /** How a request that ends with the error is answered, and what the log says of it. */
  async function answerTo(error: Error) {
    const written: string[] = [];
    const server = fastify();
    answerErrors(
      server,
      createLogger({
        service: 'gateway',
        level: 'info',
        destination: { write: (line) => written.push(line) },
      }),
    );
    server.get('/', async () => {
      throw error;
    });
    const answer = await server.inject({ url: '/' });
    expect(answer.body).not.toContain('told nobody');
    return {
      status: answer.statusCode,
      error: answer.json<{ error: string }>().error,
      retryAfter: answer.headers['retry-after'],
      logged: written.map((line) => (JSON.parse(line) as { level: string }).level),
    };
  }

  it.each([
    ['away', '57P01', []],
    ['too slow', '57014', ['warn']],
    ['locked for too long', '55P03', ['warn']],
  ])('is one that passes where Postgres is %s', async (_, code, logged) => {
    expect(await answerTo(pgError(code))).toEqual({
      status: 503,
      error: 'unavailable',
      retryAfter: '1',
      logged,
    });
  });

  it('is a fault where nothing else is known of it', async () => {
    const fault = { status: 500, error: 'internal_error', retryAfter: undefined, logged: ['error'] };
    expect(await answerTo(pgError('42P01'))).toEqual(fault);
  });

  it('is what was thrown on purpose', async () => {
    const refused = { status: 409, error: 'limit_reached', retryAfter: undefined, logged: [] };
    expect(await answerTo(new AppError('limit_reached', 'No more.'))).toEqual(refused);
  });
});
