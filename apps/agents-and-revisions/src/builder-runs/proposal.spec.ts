import { buildConfigSchema } from '@aos/contracts';
import { faultOf, withProcedure } from './proposal.js';

const scripted = buildConfigSchema.parse({ data: { plugins: ['files'], options: { max_steps: 7 } } });
const other = buildConfigSchema.parse({ data: { models: { agent: { model: 'openai/gpt' } } } });

describe('a proposal', () => {
  it('changes the procedure and nothing else', () => {
    const proposal = withProcedure(scripted, 'Be kind.');
    expect(proposal).toEqual({ ...scripted, data: { ...scripted.data, input: 'Be kind.' } });
    expect(scripted.data.input).toBe('');
  });

  it.each(['Be kind.', '```steps\nsay Hi\n```', 'x'.repeat(200_000)])('is sound', (procedure) => {
    expect(faultOf(withProcedure(scripted, procedure))).toBeUndefined();
  });

  it('may not be longer than a procedure can be', () => {
    expect(faultOf(withProcedure(other, 'x'.repeat(200_001)))).toMatch(/^data\.input: Too big/);
  });

  it('of the built-in model may not hold steps that cannot run', () => {
    const procedure = '```steps\nsay\n```';
    expect(faultOf(withProcedure(scripted, procedure))).toBe('line 2: say needs a text');
    expect(faultOf(withProcedure(other, procedure))).toBeUndefined();
  });
});
