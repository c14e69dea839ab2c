import { ApiError, type BuildConfig } from '@aos/client';
import { changes, draftOf, edited, fieldErrors, since } from './draft';

const config: BuildConfig = {
  version: 'v2',
  data: {
    models: { agent: { model: 'builtin/scripted' } },
    input: 'Be kind.',
    connections: ['a', 'b'],
    sub_agents: [],
    options: { max_steps: 50, timeout_seconds: 60 },
  },
};

describe('a draft', () => {
  it('is the config with what was edited, and all else as it is', () => {
    const next = edited(config, {
      model: 'openai/x',
      plugins: ['files'],
      connections: ['b'],
      subAgents: ['c'],
    });
    expect(next).toEqual({
      version: 'v2',
      data: {
        ...config.data,
        models: { agent: { model: 'openai/x' } },
        plugins: ['files'],
        connections: ['b'],
        sub_agents: ['c'],
      },
    });
    expect(edited(config, {})).toEqual(config);
  });

  it('names no tools where all are meant, which is another thing than none', () => {
    const some = edited(config, { plugins: [] });
    expect(some.data.plugins).toEqual([]);
    expect(edited(some, { plugins: undefined }).data).not.toHaveProperty('plugins');
    expect(changes(some, { plugins: undefined })).toEqual({ plugins: undefined });
  });

  it('is not changed by what leads back, in whatever order', () => {
    expect(changes(config, draftOf(config))).toEqual({});
    expect(changes(config, { connections: ['b', 'a'], procedure: 'Be kind.' })).toEqual({});
    expect(changes(config, { connections: ['a'] })).toEqual({ connections: ['a'] });
  });

  it('keeps what was edited while it was being saved', () => {
    expect(since({ model: 'x' }, { model: 'x', procedure: 'more' })).toEqual({ procedure: 'more' });
    expect(since({ model: 'x' }, { model: 'xy' })).toEqual({ model: 'xy' });
  });
});

describe('the limits of a draft', () => {
  const limits = { max_steps: '50', timeout_seconds: '60', max_tokens: '', temperature: '' };

  it('are those of the config, and an empty one is none', () => {
    expect(draftOf(config).limits).toEqual(limits);
    expect(changes(config, { limits })).toEqual({});
  });

  it('are changed, set and taken away', () => {
    const next = edited(config, {
      limits: { ...limits, max_steps: '80', max_tokens: '9000', temperature: '0' },
    });
    expect(next.data.options).toEqual({
      max_steps: 80,
      timeout_seconds: 60,
      max_tokens: 9000,
      temperature: 0,
    });
    expect(edited(next, { limits }).data.options).toEqual({ max_steps: 50, timeout_seconds: 60 });
  });

  it('leave options alone that are not shown here', () => {
    const options = { ...config.data.options, later: true };
    const known = { ...config, data: { ...config.data, options } } as BuildConfig;
    expect(edited(known, { limits: { ...limits, max_steps: '7' } }).data.options).toEqual({
      max_steps: 7,
      timeout_seconds: 60,
      later: true,
    });
  });
});

describe('fieldErrors', () => {
  const refused = (status: number, message: string) =>
    new ApiError(status, 'invalid_request', message, null, null);

  it('puts what the service said beside its field', () => {
    const said = 'config.data.models.agent.model: Invalid model';
    expect(fieldErrors(refused(400, said))).toEqual({ model: said });
    expect(fieldErrors(refused(400, 'config.data.connections.0: Invalid id'))).toHaveProperty('connections');
  });

  it('puts nothing where it said something else', () => {
    expect(fieldErrors(refused(400, 'name: too long'))).toEqual({});
    expect(fieldErrors(refused(409, 'config.data.input'))).toEqual({});
    expect(fieldErrors(new Error('away'))).toEqual({});
    expect(fieldErrors(null)).toEqual({});
  });
});
