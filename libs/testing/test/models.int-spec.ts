import { ModelCatalog, ModelError, type ModelRequest, type ToolDescription } from '@aos/agent-runtime';
import { startModelServer, type ModelServer } from '../src/index.js';

const weather: ToolDescription = {
  name: 'weather',
  description: 'Tells the weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

function request(overrides: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: 'Be brief.',
    messages: [{ role: 'user', text: 'Hi' }],
    tools: [],
    signal: new AbortController().signal,
    ...overrides,
  };
}

async function faultOf(work: Promise<unknown>): Promise<ModelError> {
  const fault = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (fault instanceof ModelError) return fault;
  throw new Error(`expected a ModelError, got ${String(fault)}`);
}

describe('models over HTTP', () => {
  let server: ModelServer;
  let catalog: ModelCatalog;

  beforeAll(async () => {
    server = await startModelServer();
    catalog = new ModelCatalog({
      openai: { apiKey: 'sk-test', baseUrl: server.openAiUrl },
      anthropic: { apiKey: 'sk-test', baseUrl: server.anthropicUrl },
      compatible: { baseUrl: server.openAiUrl },
      timeoutMs: 5_000,
    });
  });

  afterAll(() => server.close());

  describe.each(['openai/stand-in', 'anthropic/stand-in', 'compatible/stand-in'])('%s', (name) => {
    it('streams a text and counts tokens', async () => {
      server.script({ kind: 'turn', text: 'All is well.' });
      const turn = await catalog.find(name).generate(request());
      expect(turn).toMatchObject({
        text: 'All is well.',
        toolCalls: [],
        usage: { inputTokens: 7, outputTokens: 5 },
      });
    });

    it('calls tools and is given their results', async () => {
      server.script({ kind: 'turn', toolCalls: [{ name: 'weather', arguments: { city: 'Oslo' } }] });
      const turn = await catalog.find(name).generate(request({ tools: [weather] }));
      expect(turn.toolCalls).toEqual([{ id: 'call-1', name: 'weather', arguments: { city: 'Oslo' } }]);
      server.script({ kind: 'turn', text: 'Rain.' });
      const messages = [
        { role: 'user', text: 'Weather?' },
        { role: 'assistant', text: '', toolCalls: turn.toolCalls },
        { role: 'tool', toolCallId: 'call-1', toolName: 'weather', result: 'heavy rain' },
      ] as const;
      const next = await catalog.find(name).generate(request({ messages, tools: [weather] }));
      expect(next.text).toBe('Rain.');
      expect(JSON.stringify(server.requests.at(-1))).toContain('heavy rain');
    });

    it.each([429, 500, 503, 529])('tries again after %i', async (status) => {
      server.script({ kind: 'status', status }, { kind: 'turn', text: 'Better now.' });
      expect((await catalog.find(name).generate(request())).text).toBe('Better now.');
    });

    it.each([400, 401, 404])('does not try again after %i', async (status) => {
      server.script({ kind: 'status', status }, { kind: 'turn', text: 'Never said.' });
      const fault = await faultOf(catalog.find(name).generate(request()));
      expect(fault).toMatchObject({
        kind: 'permanent',
        message: `${name} answered ${status}: stand-in answers ${status}.`,
      });
    });

    it.each(['garbage', 'cut'] as const)('tries again after an answer that is %s', async (kind) => {
      server.script({ kind }, { kind: 'turn', text: 'Readable.' });
      expect((await catalog.find(name).generate(request())).text).toBe('Readable.');
    });

    it('gives up a call that hangs, and tells the provider', async () => {
      server.script({ kind: 'hang' }, { kind: 'turn', text: 'Awake.' });
      const impatient = new ModelCatalog({
        openai: { apiKey: 'k', baseUrl: server.openAiUrl },
        anthropic: { apiKey: 'k', baseUrl: server.anthropicUrl },
        compatible: { baseUrl: server.openAiUrl },
        timeoutMs: 200,
      });
      const before = server.abandoned;
      expect((await impatient.find(name).generate(request())).text).toBe('Awake.');
      expect(server.abandoned).toBe(before + 1);
    });

    it('ends at once when it is aborted', async () => {
      server.script({ kind: 'hang' });
      const stop = new AbortController();
      const call = catalog.find(name).generate(request({ signal: stop.signal }));
      const reason = new Error('stopped');
      stop.abort(reason);
      await expect(call).rejects.toBe(reason);
    });
  });

  it('waits as long as Retry-After says', async () => {
    server.script({ kind: 'status', status: 429, retryAfter: '1' }, { kind: 'turn', text: 'Thanks.' });
    const startedAt = performance.now();
    await catalog.find('compatible/stand-in').generate(request());
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
  });

  it('says that a model is not configured', () => {
    expect(() => new ModelCatalog({}).find('openai/gpt')).toThrow('The model openai/gpt is not configured');
  });
});
