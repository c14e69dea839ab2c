import { isSameRevision, wantedRevision, type LiveRevision, type RevisionFiles } from './wanted-revision.js';

const live: LiveRevision = {
  config: {
    models: { agent: { model: 'openai/gpt-5' } },
    plugins: ['http'],
    connections: ['one'],
    sub_agents: [],
    options: { max_steps: 20, timeout_seconds: 600, max_tokens: 1000 },
  },
  procedure: 'Be kind.',
  rubrics: [
    { title: 'Polite', description: 'Says "please".', severity: 'critical', sort_order: 0 },
    { title: 'Brief', description: 'Says no more.', severity: 'low', sort_order: 1 },
  ],
};

const isSame = (files: RevisionFiles) => isSameRevision(wantedRevision(files, live), live);
const { procedure } = live;

describe('the revision that a folder asks for', () => {
  it('is the live one where the folder is as it was pulled', () => {
    expect(isSame(live)).toBe(true);
  });

  it('is the live one where the folder has the procedure alone, or nothing', () => {
    expect([isSame({ procedure }), isSame({})]).toEqual([true, true]);
    expect(wantedRevision({ procedure: 'Be brief.' }, live)).toEqual({ ...live, procedure: 'Be brief.' });
  });

  it('keeps what always has a value, where the folder does not name another', () => {
    const { plugins, options } = live.config;
    const config = { plugins, options: { max_tokens: options.max_tokens } };
    expect(isSame({ procedure, config })).toBe(true);
    const changed = wantedRevision({ procedure, config: { ...config, sub_agents: ['two'] } }, live);
    expect(changed.config).toEqual({ ...live.config, sub_agents: ['two'] });
  });

  it('is without what was taken out of the folder', () => {
    const { plugins: _plugins, ...withoutPlugins } = live.config;
    const { max_tokens: _budget, ...withoutBudget } = live.config.options;
    expect(isSame({ procedure, config: withoutPlugins })).toBe(false);
    const config = { ...live.config, options: withoutBudget };
    expect(wantedRevision({ procedure, config }, live).config.options).toEqual(withoutBudget);
    expect(isSame({ procedure, config })).toBe(false);
  });

  it('has another model where another is named, by its bare name too', () => {
    const naming = (model: string) =>
      isSame({ procedure, config: { ...live.config, models: { agent: { model } } } });
    expect(['gpt-5', 'openai/gpt-5', 'gpt-5-mini', 'compatible/gpt-5'].map(naming)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it("is not of a server of one's own where the folder has a bare name", () => {
    const models = { agent: { model: 'compatible/gpt-5' } };
    const onOwn = { ...live, config: { ...live.config, models } };
    const files = { config: { ...onOwn.config, models: { agent: { model: 'gpt-5' } } } };
    expect(wantedRevision(files, onOwn).config.models.agent.model).toBe('gpt-5');
  });

  it('has the sub-agents of the folder, by either name', () => {
    const { sub_agents: _none, ...config } = live.config;
    const asked = wantedRevision({ config: { ...config, subAgents: ['two'] } }, live);
    expect(asked.config.sub_agents).toEqual(['two']);
  });

  it('has the rubrics of the folder in their order, with the weight that they had', () => {
    const [polite, brief] = live.rubrics.map(({ title, description }) => ({ title, description })) as [
      LiveRevision['rubrics'][number],
      LiveRevision['rubrics'][number],
    ];
    expect(isSame({ procedure, rubrics: [polite, brief] })).toBe(true);
    expect(isSame({ procedure, rubrics: [polite] })).toBe(false);
    expect(isSame({ procedure, rubrics: [] })).toBe(false);
    expect(isSame({ procedure, rubrics: [{ ...polite, title: ' Polite ' }, brief] })).toBe(true);
    expect(isSame({ procedure, rubrics: live.rubrics.toReversed() })).toBe(true);
    expect(wantedRevision({ procedure, rubrics: [brief, polite] }, live).rubrics).toEqual([
      { ...brief, severity: 'low', sort_order: 0 },
      { ...polite, severity: 'critical', sort_order: 1 },
    ]);
  });
});
