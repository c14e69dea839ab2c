import {
  ModelError,
  type BuilderTask,
  type Model,
  type ModelRequest,
  type ModelTurn,
} from '@aos/agent-runtime';
import { ModelBuilder } from './model-builder.js';

const task: BuilderTask = { prompt: 'Answer mails', procedure: '# Mails', answers: [] };

function turn(name?: string, args: Record<string, unknown> = {}): ModelTurn {
  const toolCalls = name === undefined ? [] : [{ id: 'call-1', name, arguments: args }];
  return { text: 'Well.', thinking: '', toolCalls, usage: { inputTokens: 1, outputTokens: 1 } };
}

/** Says one turn after the other, and remembers what it was asked. */
function speaking(...turns: ModelTurn[]): Model & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    requests,
    generate: async (request) => {
      requests.push({ ...request, messages: [...request.messages] });
      return turns[Math.min(requests.length, turns.length) - 1]!;
    },
  };
}

function build(model: Model, given = task) {
  return new ModelBuilder(model, 0.5).build(given, new AbortController().signal);
}

const proposal = turn('propose_procedure', { procedure: ' # New ' });

describe('ModelBuilder', () => {
  it('tells the model the task, the procedure and what was answered', async () => {
    const model = speaking(proposal);
    const answers = [{ question: 'When?', answer: 'daily' }];
    expect(await build(model, { ...task, answers })).toEqual({ kind: 'procedure', procedure: '# New' });
    expect(model.requests).toHaveLength(1);
    const { messages, tools, temperature } = model.requests[0]!;
    expect(tools.map(({ name }) => name)).toEqual(['ask_questions', 'propose_procedure']);
    expect(temperature).toBe(0.5);
    expect(messages).toEqual([
      {
        role: 'user',
        text: '<task>\nAnswer mails\n</task>\n\n<present_procedure>\n# Mails\n</present_procedure>\n\n<question>When?</question>\n<answer>daily</answer>',
      },
    ]);
  });

  it('passes questions on', async () => {
    const questions = [{ question: 'When?', options: [{ label: 'Now' }] }, { question: 'Why?' }];
    expect(await build(speaking(turn('ask_questions', { questions })))).toEqual({
      kind: 'questions',
      questions,
    });
  });

  it.each([
    ['propose_procedure', {}, /procedure: Invalid input/],
    ['propose_procedure', { procedure: '  ' }, /procedure: Too small/],
    ['propose_procedure', { procedure: 'a\0b' }, /procedure: contains a NUL/],
    ['propose_procedure', { procedure: 'x'.repeat(200_001) }, /procedure: is too long/],
    ['ask_questions', { questions: [] }, /questions: Too small/],
    ['ask_questions', { questions: [{ question: '' }] }, /questions\.0\.question: Too small/],
    ['ask_questions', { questions: [{ question: 'a?' }, { question: 'a?' }] }, /the same text/],
    ['ask_questions', { questions: [{ question: 'a?', header: '\ud800' }] }, /unpaired surrogate/],
    ['ask_questions', { questions: [{ question: 'Who?' }] }, /"Who\?" has been answered: me/],
    ['run_code', {}, /There is no tool "run_code"\. Call ask_questions or propose_procedure\./],
  ])('tells the model what is wrong with %s %j', async (name, args, fault) => {
    const model = speaking(turn(name, args), proposal);
    const given = { ...task, answers: [{ question: 'Who?', answer: 'me' }] };
    expect(await build(model, given)).toEqual({ kind: 'procedure', procedure: '# New' });
    expect(model.requests[1]!.messages.slice(1)).toEqual([
      { role: 'assistant', text: 'Well.', toolCalls: [{ id: 'call-1', name, arguments: args }] },
      { role: 'tool', toolCallId: 'call-1', toolName: name, result: expect.stringMatching(fault) },
    ]);
  });

  it('tells a model that only talks to call a tool', async () => {
    const model = speaking(turn(), proposal);
    await build(model);
    expect(model.requests[1]!.messages.at(-1)).toEqual({
      role: 'user',
      text: 'Call ask_questions or propose_procedure.',
    });
  });

  it('gives every call of a bad turn a result', async () => {
    const calls = [
      { id: 'a', name: 'run_code', arguments: {} },
      { id: 'b', name: 'propose_procedure', arguments: {} },
    ];
    const model = speaking({ ...turn(), toolCalls: calls }, proposal);
    await build(model);
    const results = model.requests[1]!.messages.filter(({ role }) => role === 'tool');
    expect(results).toMatchObject([{ toolCallId: 'a' }, { toolCallId: 'b' }]);
  });

  it('gives up after three corrections', async () => {
    const model = speaking(turn());
    const error = await build(model).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ kind: 'permanent' });
    expect(model.requests).toHaveLength(4);
  });

  it('lets the model ask no more after twenty answers', async () => {
    const answers = Array.from({ length: 20 }, (_, index) => ({ question: `${index}?`, answer: 'yes' }));
    const model = speaking(turn('ask_questions', { questions: [{ question: 'More?' }] }), proposal);
    expect(await build(model, { ...task, answers })).toEqual({ kind: 'procedure', procedure: '# New' });
    expect(model.requests[0]!.tools.map(({ name }) => name)).toEqual(['propose_procedure']);
  });
});
