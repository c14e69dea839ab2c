import { carryOn, echo, ScriptedRun, toolOf } from '../../test/run-loop.js';
import { MemoryJournal } from '../../test/memory-journal.js';
import { call, PlayedModel, turn } from '../../test/turns.js';
import { ModelError } from '../models/errors/model-error.js';
import { ToolBox } from '../tools/tool-box.js';
import { TransientToolError } from '../tools/tool.js';

const oneCall = (name: string, args: Record<string, unknown> = {}) =>
  turn({ toolCalls: [call('c1', name, args)] });
const done = turn({ text: 'Done' });

/** The result of the first tool call. */
function firstResult(journal: MemoryJournal): unknown {
  return journal.messages.find(({ type }) => type === 'tool_result')?.toolResult;
}

describe('runSteps', () => {
  it('says and finishes, one stored step after the other', async () => {
    const run = new ScriptedRun(['say Hello, {{message}}', 'finish Bye'], { message: 'Ann' });
    expect(await run.carryOn()).toBe('completed');
    expect(run.journal.said).toEqual(['Hello, Ann', 'Bye']);
    expect(run.journal.entries).toMatchObject([
      {
        step: { name: 'model turn', kind: 'model', status: 'completed', attempts: 1, toolCalls: 0 },
        messages: [{ type: 'text', role: 'assistant', text: 'Hello, Ann' }],
        scriptPosition: 1,
        then: { kind: 'go-on' },
      },
      { scriptPosition: 2, then: { kind: 'complete', result: 'Bye' } },
    ]);
  });

  it('stores thinking, text and calls in this order', async () => {
    const journal = new MemoryJournal();
    const calls = [call('a', 'echo'), call('b', 'echo', { n: 1 })];
    const model = new PlayedModel(turn({ thinking: 'Hm', text: 'Let me see', toolCalls: calls }), done);
    expect(await carryOn(journal, { model })).toBe('completed');
    expect(journal.entries.map(({ step }) => step?.kind)).toEqual(['model', 'tool', 'tool', 'model']);
    expect(journal.messages).toEqual([
      { type: 'thinking', role: 'assistant', text: 'Hm' },
      { type: 'text', role: 'assistant', text: 'Let me see' },
      { type: 'tool_call', role: 'assistant', toolCall: calls[0] },
      { type: 'tool_call', role: 'assistant', toolCall: calls[1] },
      { type: 'tool_result', role: 'tool', toolResult: { toolCallId: 'a', result: {} } },
      { type: 'tool_result', role: 'tool', toolResult: { toolCallId: 'b', result: { n: 1 } } },
      { type: 'text', role: 'assistant', text: 'Done' },
    ]);
  });

  it('shows the model the procedure, the tools and what has happened', async () => {
    const journal = new MemoryJournal({ procedure: 'Be brief.', message: 'Hi' });
    const model = new PlayedModel(oneCall('echo', { n: 1 }), done);
    await carryOn(journal, { model, tools: new ToolBox([echo]) });
    expect(model.requests[1]).toMatchObject({
      system: 'Be brief.',
      tools: [{ name: 'echo' }],
      messages: [
        { role: 'user', text: 'Hi' },
        { role: 'assistant', toolCalls: [{ id: 'c1' }] },
        { role: 'tool', toolCallId: 'c1', result: '{"n":1}' },
      ],
    });
  });

  it('shows no more than there is room for', async () => {
    const journal = new MemoryJournal({ message: 'Hi' });
    const model = new PlayedModel(oneCall('echo', { text: 'x'.repeat(1000) }), oneCall('echo'), done);
    await carryOn(journal, { model, contextChars: 500 });
    expect(model.requests[2]?.messages[1]).toEqual({
      role: 'user',
      text: '[2 earlier messages were left out here to save room.]',
    });
  });

  it.each([
    ['the text of the last turn', ['say A', 'finish B'], 'B'],
    ['the last text, if that turn has none', ['say A', 'tool echo'], 'A'],
    ['nothing, if nothing was said', ['tool echo'], null],
  ])('results in %s', async (_what, lines, result) => {
    const run = new ScriptedRun(lines);
    await run.carryOn();
    expect(run.journal.entries.at(-1)?.then).toEqual({ kind: 'complete', result });
  });

  it('fails when the agent says so', async () => {
    const run = new ScriptedRun(['fail No such customer: {{message}}'], { message: 'Ann' });
    expect(await run.carryOn()).toBe('failed');
    expect(run.journal.entries).toMatchObject([
      {
        step: { kind: 'model', status: 'failed', error: 'No such customer: Ann' },
        scriptPosition: 1,
        then: { kind: 'fail', error: { code: 'failed_by_agent', message: 'No such customer: Ann' } },
      },
    ]);
  });

  it('waits without holding anything, and counts the wait as work', async () => {
    const run = new ScriptedRun(['wait 1500', 'finish Awake']);
    const monotonicMs = () => 42.9;
    expect(await run.carryOn({ clock: { now: () => new Date(0), monotonicMs } })).toBe('sleeping');
    expect(run.journal.entries).toMatchObject([
      {
        step: { name: 'wait', kind: 'wait', status: 'running', startedAt: new Date(0), completedAt: null },
        messages: [],
        activeMs: 1500,
        then: { kind: 'sleep', ms: 1500 },
      },
    ]);
    expect(await run.carryOn()).toBe('completed');
    expect(run.journal.said).toEqual(['Awake']);
  });
});

describe('a tool', () => {
  it('gives the model its result, and whoever listens the end of the call', async () => {
    const run = new ScriptedRun(['tool echo {"n": 1}', 'finish {{result}}']);
    let ms = 0;
    const clock = { now: () => new Date(ms), monotonicMs: () => (ms += 10) };
    await run.carryOn({ clock });
    expect(run.journal.entries[1]).toMatchObject({
      step: { name: 'echo', kind: 'tool', status: 'completed', attempts: 1 },
      toolCallsEnded: [{ id: 'step-1', name: 'echo', ok: true, durationMs: 10 }],
      then: { kind: 'go-on' },
    });
    expect(run.journal.said).toEqual(['{"n":1}']);
    const { activeMs } = run.journal.load().left;
    expect(3_600_000 - activeMs).toBe(ms - 10);
  });

  it('knows the run and the call', async () => {
    const seen: unknown[] = [];
    const look = toolOf('look', async (args, { signal: _signal, ...context }) => {
      seen.push(args, context);
      return { kind: 'result', result: null };
    });
    const run = new ScriptedRun(['tool look {"at": "it"}'], { humanInTheLoop: false });
    await run.carryOn({ tools: new ToolBox([look]) });
    const context = {
      runId: 'run-1',
      teamId: 'team-1',
      agentId: 'agent-1',
      callId: 'step-1',
      humanInTheLoop: false,
      sandboxId: 'sandbox-1',
      fence: 'fence-1',
    };
    expect(seen).toEqual([{ at: 'it' }, context]);
  });

  it('may fail without failing the run', async () => {
    const broken = toolOf('broken', async () => ({ kind: 'error', message: 'No such file' }));
    const run = new ScriptedRun(['tool broken', 'finish {{result}}']);
    expect(await run.carryOn({ tools: new ToolBox([broken]) })).toBe('completed');
    expect(run.journal.entries[1]).toMatchObject({
      step: { status: 'failed', error: 'No such file' },
      messages: [
        { type: 'tool_result', role: 'tool', toolResult: { toolCallId: 'step-1', error: 'No such file' } },
      ],
      toolCallsEnded: [{ ok: false, error: 'No such file' }],
    });
    expect(run.journal.said).toEqual(['Error: No such file']);
  });

  it('may not be there', async () => {
    const run = new ScriptedRun(['tool magic', 'finish {{result}}']);
    expect(await run.carryOn()).toBe('completed');
    expect(run.journal.said).toEqual([
      'Error: There is no tool named magic. The tools are: ask_human, request_approval, echo.',
    ]);
  });

  it('may throw; only the log is told why', async () => {
    const fault = new Error('password is hunter2');
    const broken = toolOf('broken', () => Promise.reject(fault));
    const seen: unknown[] = [];
    const journal = new MemoryJournal();
    const model = new PlayedModel(oneCall('broken'), done);
    const onToolError = (error: unknown, { id }: { id: string }) => seen.push(error, id);
    expect(await carryOn(journal, { model, tools: new ToolBox([broken]), onToolError })).toBe('completed');
    expect(firstResult(journal)).toEqual({ toolCallId: 'c1', error: 'The tool failed.' });
    expect(seen).toEqual([fault, 'c1']);
  });

  it.each([
    [2, { toolCallId: 'c1', result: 'at last' }, 3],
    [9, { toolCallId: 'c1', error: 'busy' }, 5],
  ])('that fails %i times for a while is tried again', async (failures, result, attempts) => {
    let left = failures;
    const busy = toolOf('busy', async () => {
      left -= 1;
      if (left >= 0) throw new TransientToolError('busy');
      return { kind: 'result', result: 'at last' };
    });
    const journal = new MemoryJournal();
    const model = new PlayedModel(oneCall('busy'), done);
    const retry = { wait: async () => undefined };
    expect(await carryOn(journal, { model, tools: new ToolBox([busy]), retry })).toBe('completed');
    expect(firstResult(journal)).toEqual(result);
    expect(journal.entries[1]?.step?.attempts).toBe(attempts);
  });

  it.each([
    ['is not tried again', {}, 'busy Whether the call took effect is not known.', 1],
    ['is tried again if it had no effect', { hadNoEffect: true }, 'busy', 5],
  ])('that must not be repeated %s', async (_what, why, error, attempts) => {
    const pay = toolOf('pay', () => Promise.reject(new TransientToolError('busy', why)), false);
    const journal = new MemoryJournal();
    const model = new PlayedModel(oneCall('pay'), done);
    const retry = { wait: async () => undefined };
    expect(await carryOn(journal, { model, tools: new ToolBox([pay]), retry })).toBe('completed');
    expect(firstResult(journal)).toEqual({ toolCallId: 'c1', error });
    expect(journal.entries[1]?.step?.attempts).toBe(attempts);
  });

  it('may give a result that cannot be kept', async () => {
    const flood = toolOf('flood', async () => ({ kind: 'result', result: 'x'.repeat(2_000_000) }));
    const journal = new MemoryJournal();
    await carryOn(journal, { model: new PlayedModel(oneCall('flood'), done), tools: new ToolBox([flood]) });
    expect(firstResult(journal)).toMatchObject({ error: expect.stringContaining('The result is too long') });
  });

  it('is called with an id that no other call of the run has', async () => {
    const journal = new MemoryJournal();
    const model = new PlayedModel(
      turn({ toolCalls: [call('c1', 'echo'), call('c1', 'echo'), call('', 'echo')] }),
      turn({ toolCalls: [call('c1', 'echo'), call('c1-2', 'echo')] }),
      done,
    );
    expect(await carryOn(journal, { model })).toBe('completed');
    const ids = journal.messages.flatMap(({ toolCall }) => toolCall?.id ?? []);
    expect(ids).toEqual(['c1', 'c1-2', 'call', 'c1-3', 'c1-2-2']);
    const ended = journal.entries.flatMap(({ toolCallsEnded = [] }) => toolCallsEnded.map(({ id }) => id));
    expect(ended).toEqual(ids);
  });
});

describe('a model', () => {
  it.each([
    [new ModelError('transient', 'busy', { attempts: 5 }), 'busy', 5],
    [new ModelError('permanent', 'wrong key'), 'wrong key', 1],
  ])('that fails ends the run', async (failure, message, attempts) => {
    const journal = new MemoryJournal();
    expect(await carryOn(journal, { model: new PlayedModel(failure) })).toBe('failed');
    expect(journal.entries).toMatchObject([
      {
        step: { kind: 'model', status: 'failed', attempts, error: message },
        messages: [],
        then: { kind: 'fail', error: { code: 'model_error', message } },
      },
    ]);
  });

  it('cannot follow a script that cannot be read', async () => {
    const run = new ScriptedRun(['say Hi', 'dance']);
    expect(await run.carryOn()).toBe('failed');
    expect(run.journal.entries[0]?.then).toMatchObject({
      error: { code: 'invalid_script', message: expect.stringContaining('line 3: unknown step "dance"') },
    });
  });

  it('that breaks is for the caller to judge', async () => {
    const journal = new MemoryJournal();
    const fault = new TypeError('a bug');
    await expect(carryOn(journal, { model: new PlayedModel(fault) })).rejects.toBe(fault);
    expect(journal.entries).toEqual([]);
  });

  it('may write what cannot be stored', async () => {
    const journal = new MemoryJournal();
    const model = new PlayedModel(
      turn({ thinking: 'a\0', text: 'b\uD800', toolCalls: [call('c\0', 'echo', { 'd\0': ['e\uDC00'] })] }),
      turn({ then: { kind: 'fail', message: 'f\0' } }),
    );
    expect(await carryOn(journal, { model })).toBe('failed');
    const toolCall = { id: 'c\uFFFD', name: 'echo', arguments: { 'd\uFFFD': ['e\uFFFD'] } };
    expect(journal.messages).toEqual([
      { type: 'thinking', role: 'assistant', text: 'a\uFFFD' },
      { type: 'text', role: 'assistant', text: 'b\uFFFD' },
      { type: 'tool_call', role: 'assistant', toolCall },
      {
        type: 'tool_result',
        role: 'tool',
        toolResult: { toolCallId: 'c\uFFFD', result: { 'd\uFFFD': ['e\uFFFD'] } },
      },
    ]);
    expect(journal.entries.at(-1)).toMatchObject({
      step: { error: 'f\uFFFD' },
      then: { error: { message: 'f\uFFFD' } },
    });
  });

  it('tells how often it was called', async () => {
    const journal = new MemoryJournal();
    await carryOn(journal, { model: new PlayedModel({ ...done, attempts: 3 }) });
    expect(journal.entries[0]?.step?.attempts).toBe(3);
  });
});
