import { z } from 'zod';
import { defineTool } from './define-tool.js';
import type { ToolContext } from './tool.js';
import { ToolBox } from './tool-box.js';

const context: ToolContext = {
  runId: 'run-1',
  teamId: 'team-1',
  agentId: 'agent-1',
  sandboxId: 'sandbox-1',
  fence: 'fence-1',
  callId: 'call-1',
  humanInTheLoop: true,
  signal: new AbortController().signal,
};

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers',
  parameters: z.object({ a: z.number(), b: z.number().default(1) }),
  execute: async ({ a, b }) => ({ kind: 'result', result: a + b }),
});

describe('defineTool', () => {
  it('describes what a caller may give', () => {
    expect(add).toMatchObject({ name: 'add', description: 'Adds two numbers' });
    expect(add.parameters).toEqual({
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number', default: 1 } },
      required: ['a'],
    });
  });

  it('is given checked arguments, with defaults', async () => {
    expect(await add.execute({ a: 2, more: true }, context)).toEqual({ kind: 'result', result: 3 });
  });

  it('names every bad field', async () => {
    expect(await add.execute({ b: 'x' }, context)).toEqual({
      kind: 'error',
      message:
        'The arguments are not valid: a: Invalid input: expected number, received undefined; b: Invalid input: expected number, received string',
    });
  });

  it('does not write a book about them', async () => {
    const sum = defineTool({
      name: 'sum',
      description: 'Adds numbers',
      parameters: z.object({ all: z.array(z.number()) }),
      execute: async () => ({ kind: 'result', result: 0 }),
    });
    const outcome = await sum.execute({ all: Array.from({ length: 500 }, () => 'x') }, context);
    expect(outcome).toMatchObject({ message: expect.stringMatching(/all\.19: [^;]+; and 480 more$/) });
  });
});

describe('ToolBox', () => {
  const box = new ToolBox([add]);

  it('finds tools by name', () => {
    expect(box.find('add')).toBe(add);
    expect(box.find('constructor')).toBeUndefined();
    expect(box.descriptions()).toEqual([
      { name: 'add', description: 'Adds two numbers', parameters: add.parameters },
    ]);
  });

  it('calls them', async () => {
    const call = { id: 'call-1', name: 'add', arguments: { a: 1 } };
    expect(await box.execute(call, context)).toEqual({ kind: 'result', result: 2 });
  });

  it.each([
    [box, 'There is no tool named sub. The tools are: add.'],
    [new ToolBox([]), 'There is no tool named sub. The tools are: none.'],
  ])('says which tools there are', async (tools, message) => {
    const call = { id: 'call-1', name: 'sub', arguments: {} };
    expect(await tools.execute(call, context)).toEqual({ kind: 'error', message });
  });

  it('refuses two of one name', () => {
    expect(() => new ToolBox([add, add])).toThrow('There are two tools named add.');
  });
});
