import { APICallError } from 'ai';
import { refusalOf, streamedErrorOf } from './provider-refusal.js';

const refused = (responseBody: string, statusCode = 400) =>
  refusalOf(
    new APICallError({
      ...{ message: 'Bad Request', url: 'https://models.example.com', requestBodyValues: {} },
      ...{ statusCode, responseBody, responseHeaders: { 'x-request-id': 'req_1' } },
    }),
  );

describe('the refusal of a provider', () => {
  it.each([
    ['as OpenAI writes it', '{"error":{"message":"No such model."}}'],
    ['as Google writes it', '[{"error":{"code":404,"message":"No such model"}}]'],
    ['as FastAPI writes it', '{"detail":"No such model"}'],
    ['in a list of errors', '{"errors":[{"message":"No such model"},{"message":"And more"}]}'],
    ['in a list of texts', '{"errors":["No such model"]}'],
    ['as a bare message', '{"message":"No such model"}'],
    ['as a bare error', '{"error":"No such model"}'],
    ['as plain text', 'No such model\n'],
  ])('carries the reason %s', (_, body) => {
    expect(refused(body)).toBe('answered 400: No such model (request req_1)');
  });

  it.each([
    ['HTML of a proxy', '<html><h1>Forbidden</h1></html>'],
    ['an empty body', ''],
    ['JSON without a message', '{"code":7}'],
  ])('falls back to the status for %s', (_, body) => {
    expect(refused(body)).toBe('answered 400: Bad Request (request req_1)');
  });

  it.each([
    'password: pw12345',
    'api key is pw12345',
    'secret="pw12345"',
    'AKIAIOSFODNN7EXAMPLE',
    'sk-abcdefgh12345678',
  ])('shows no credential: %s', (text) => {
    const shown = refused(JSON.stringify({ error: { message: `Wrong: ${text}` } }));
    expect(shown).toContain('[redacted]');
    expect(shown).not.toMatch(/pw12345|IOSFODNN|abcdefgh/);
  });

  it('is read from an error inside the stream, too', () => {
    expect(streamedErrorOf({ message: 'Quota exceeded' })).toBe('Quota exceeded');
    expect(streamedErrorOf('Quota exceeded.')).toBe('Quota exceeded');
    expect(streamedErrorOf(new Error('of ours'))).toBeUndefined();
    expect(streamedErrorOf({ code: 7 })).toBeUndefined();
  });
});
