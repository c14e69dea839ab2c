import { parseToolsets } from './toolsets.js';

const known = new Set(['runs', 'queues', 'human-requests']);

describe('toolsets', () => {
  it.each([undefined, '', ' , '])('%j means all operations, and no agents', (text) => {
    const toolsets = parseToolsets(text, known);
    expect([toolsets.includes('runs'), toolsets.includes('queues'), toolsets.agents]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('narrow to those named', () => {
    const toolsets = parseToolsets('runs, human-requests', known);
    expect(['runs', 'human-requests', 'queues'].map((name) => toolsets.includes(name))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('with agents-as-tools: it adds the agents, and alone there are only agents', () => {
    const beside = parseToolsets('queues,agents-as-tools', known);
    expect([beside.agents, beside.includes('queues'), beside.includes('runs')]).toEqual([true, true, false]);
    const alone = parseToolsets('agents-as-tools', known);
    expect([alone.agents, alone.includes('runs')]).toEqual([true, false]);
  });

  it.each(['run', 'Runs', 'runs,constructor', '__proto__'])('%s is refused by name', (text) => {
    const unknown = text.split(',').at(-1)!;
    expect(() => parseToolsets(text, known)).toThrow(
      expect.objectContaining({ code: 'invalid_request', message: expect.stringContaining(`"${unknown}"`) }),
    );
  });
});
