import { carryOn, ScriptedRun, steps, toolOf } from '../../test/run-loop.js';
import { MemoryJournal, plenty } from '../../test/memory-journal.js';
import { call, hang, PlayedModel, turn } from '../../test/turns.js';
import { ScriptedModel } from '../scripted/scripted-model.js';
import { ToolBox } from '../tools/tool-box.js';
import { TransientToolError } from '../tools/tool.js';

const timeout = { kind: 'fail', error: { code: 'timeout' } };

describe('the limits of a run', () => {
  it('are its steps', async () => {
    const run = new ScriptedRun(['say A', 'tool echo', 'say B'], { left: { ...plenty, steps: 2 } });
    expect(await run.carryOn()).toBe('failed');
    expect(run.journal.entries.map(({ step }) => step?.kind)).toEqual(['model', 'model', undefined]);
    expect(run.journal.entries.at(-1)).toMatchObject({
      messages: [],
      scriptPosition: 2,
      then: { kind: 'fail', error: { code: 'max_steps_exceeded' } },
    });
  });

  it('are its tokens, which also bound each answer', async () => {
    const journal = new MemoryJournal({ left: { ...plenty, tokens: 10 } });
    const usage = { inputTokens: 3, outputTokens: 2 };
    const model = new PlayedModel(
      turn({ usage, toolCalls: [call('a', 'echo')] }),
      turn({ usage, toolCalls: [call('b', 'echo')] }),
    );
    expect(await carryOn(journal, { model })).toBe('failed');
    expect(model.requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([10, 5]);
    expect(journal.entries.map(({ then }) => then)).toMatchObject([
      { kind: 'go-on' },
      { kind: 'go-on' },
      { kind: 'go-on' },
      { kind: 'fail', error: { code: 'budget_exceeded' } },
    ]);
  });

  it('do not take back an end that went over the budget', async () => {
    const journal = new MemoryJournal({ left: { ...plenty, tokens: 1 } });
    const model = new PlayedModel(turn({ text: 'Done', usage: { inputTokens: 50, outputTokens: 50 } }));
    expect(await carryOn(journal, { model })).toBe('completed');
  });

  it('leave the answers of a model without a budget alone', async () => {
    const model = new PlayedModel(turn({ text: 'Done' }));
    await carryOn(new MemoryJournal(), { model });
    expect(model.requests[0]?.maxOutputTokens).toBeUndefined();
  });

  it('are its time, by the clock', async () => {
    let ms = 0;
    const clock = { now: () => new Date(ms), monotonicMs: () => ms };
    const journal = new MemoryJournal({ left: { ...plenty, activeMs: 60_000 } });
    const model = new PlayedModel(async () => {
      ms += 60_000;
      return turn({ toolCalls: [call('a', 'echo')] });
    });
    expect(await carryOn(journal, { model, clock })).toBe('failed');
    expect(journal.entries).toMatchObject([
      { activeMs: 60_000, then: { kind: 'go-on' } },
      { activeMs: 0, messages: [], then: timeout },
    ]);
    expect(journal.entries[1]?.step).toBeUndefined();
  });

  it('shorten a wait', async () => {
    let ms = 0;
    const clock = { now: () => new Date(ms), monotonicMs: () => ms };
    const procedure = steps('wait 60000', 'finish Awake');
    const journal = new MemoryJournal({ procedure, left: { ...plenty, activeMs: 50_000 } });
    const script = new ScriptedModel(procedure);
    const model = new PlayedModel((request) => {
      ms += 10_000;
      return script.generate(request);
    });
    expect(await carryOn(journal, { model, clock })).toBe('sleeping');
    expect(journal.entries[0]).toMatchObject({ activeMs: 50_000, then: { kind: 'sleep', ms: 40_000 } });
    expect(await carryOn(journal, { model, clock })).toBe('failed');
    expect(journal.entries[1]).toMatchObject({ then: timeout });
  });
});

describe('when the time is over', () => {
  const left = { ...plenty, activeMs: 20 };

  it('a model that does not listen is left alone', async () => {
    const journal = new MemoryJournal({ left });
    const model = new PlayedModel(hang);
    expect(await carryOn(journal, { model })).toBe('failed');
    expect(journal.entries).toMatchObject([
      {
        step: { kind: 'model', status: 'failed', completedAt: expect.any(Date) },
        messages: [],
        then: timeout,
      },
    ]);
    expect(model.requests[0]?.signal.aborted).toBe(true);
  });

  it('a tool is told, and its call has ended', async () => {
    // Long enough for the model's turn before it, on a busy machine too.
    const journal = new MemoryJournal({ left: { ...plenty, activeMs: 1_000 } });
    const model = new PlayedModel(turn({ toolCalls: [call('a', 'slow')] }));
    const slow = toolOf('slow', (_args, { signal }) => {
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new Error('gone'))),
      );
    });
    expect(await carryOn(journal, { model, tools: new ToolBox([slow]) })).toBe('failed');
    const error = 'The run has worked as long as it may.';
    expect(journal.entries[1]).toMatchObject({
      step: { kind: 'tool', name: 'slow', status: 'failed', error },
      messages: [{ type: 'tool_result', toolResult: { toolCallId: 'a', error } }],
      toolCallsEnded: [{ id: 'a', ok: false, error }],
      then: timeout,
    });
  });

  it('nothing is tried again', async () => {
    const journal = new MemoryJournal({ left });
    const model = new PlayedModel(turn({ toolCalls: [call('a', 'busy')] }));
    const busy = toolOf('busy', () => Promise.reject(new TransientToolError('busy')));
    const options = { model, tools: new ToolBox([busy]), retry: { tries: Infinity } };
    expect(await carryOn(journal, options)).toBe('failed');
    expect(journal.entries[1]).toMatchObject({ then: timeout });
  });
});

describe('when the run is no longer ours', () => {
  const reason = new Error('stopped');

  it.each([plenty, { ...plenty, steps: 0 }])('nothing is begun and nothing recorded', async (left) => {
    const journal = new MemoryJournal({ left });
    const signal = AbortSignal.abort(reason);
    await expect(carryOn(journal, { model: new PlayedModel(), signal })).rejects.toBe(reason);
    expect(journal.entries).toEqual([]);
  });

  it.each([
    ['hangs', hang],
    ['ends all the same', async () => turn({ text: 'Done' })],
    ['fails', () => Promise.reject(new Error('aborted'))],
  ])('a model that %s is not recorded', async (_what, play) => {
    const journal = new MemoryJournal();
    const stop = new AbortController();
    const model = new PlayedModel(() => {
      stop.abort(reason);
      return play();
    });
    await expect(carryOn(journal, { model, signal: stop.signal })).rejects.toBe(reason);
    expect(journal.entries).toEqual([]);
  });

  it.each([
    ['hangs', hang],
    ['fails', () => Promise.reject(new Error('aborted'))],
  ])('a tool that %s is not recorded', async (_what, execute) => {
    const journal = new MemoryJournal();
    const stop = new AbortController();
    const seen: unknown[] = [];
    const slow = toolOf('slow', () => {
      stop.abort(reason);
      return execute();
    });
    const options = {
      model: new PlayedModel(turn({ toolCalls: [call('a', 'slow')] })),
      tools: new ToolBox([slow]),
      signal: stop.signal,
      onToolError: (error: unknown) => seen.push(error),
    };
    await expect(carryOn(journal, options)).rejects.toBe(reason);
    expect(journal.entries).toHaveLength(1);
    expect(seen).toEqual([]);
  });

  it('what the journal throws ends it', async () => {
    const fenced = new Error('another worker has the run');
    const journal = new MemoryJournal();
    const model = new PlayedModel(turn({ toolCalls: [call('a', 'echo')] }));
    const closed = { recordIntent: () => Promise.reject(fenced), record: () => Promise.reject(fenced) };
    await expect(carryOn(journal, { model, journal: closed })).rejects.toBe(fenced);
  });
});
