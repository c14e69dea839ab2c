import type { HumanRequest, RunMessage, RunStep } from '@aos/client';
import { joinTimeline } from './timeline';

const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;

const text = (seq: number, second: number, role: 'user' | 'assistant', content: string): RunMessage => ({
  ...{ id: `m${seq}`, seq, type: 'text', role, text_content: content, timestamp: at(second) },
});
const call = (seq: number, second: number, id: string, name: string): RunMessage => ({
  ...{ id: `m${seq}`, seq, type: 'tool_call', role: 'assistant', timestamp: at(second) },
  tool_call: { id, name, arguments: {} },
});
const result = (seq: number, second: number, id: string, value: unknown): RunMessage => ({
  ...{ id: `m${seq}`, seq, type: 'tool_result', role: 'tool', timestamp: at(second) },
  tool_result: { tool_call_id: id, result: value },
});
const step = (index: number, kind: RunStep['kind'], name: string, second: number): RunStep => ({
  ...{ index, kind, name, status: 'completed', attempts: 1 },
  ...{ started_at: at(second), completed_at: at(second + 1), duration_ms: 1000 },
});
const request = (id: string, second: number) => ({ id, created_at: at(second) }) as HumanRequest;

describe('the timeline of a run', () => {
  it('joins a call with its result, its step and the turn that made it', () => {
    const entries = joinTimeline(
      [
        text(1, 0, 'user', 'Hello'),
        call(2, 2, 'c1', 'write_file'),
        result(3, 4, 'c1', 'ok'),
        text(4, 6, 'assistant', 'Done'),
      ],
      [
        step(1, 'model', 'model turn', 1),
        step(2, 'tool', 'write_file', 3),
        step(3, 'model', 'model turn', 5),
      ],
      [],
    );
    expect(entries.map(({ kind, steps }) => [kind, steps.map(({ index }) => index)])).toEqual([
      ['user', []],
      ['tool', [1, 2]],
      ['assistant', [3]],
    ]);
    expect(entries[1]!.result?.result).toBe('ok');
  });

  it('tells calls of one tool apart by their order, and a call without a result is there', () => {
    const entries = joinTimeline(
      [call(1, 1, 'a', 'http_request'), call(2, 1, 'b', 'http_request'), result(3, 3, 'a', 1)],
      [step(1, 'tool', 'http_request', 2), step(2, 'tool', 'http_request', 2)],
      [],
    );
    expect(
      entries.map(({ call: made, result: given, steps }) => [made!.id, given?.result, steps[0]!.index]),
    ).toEqual([
      ['a', 1, 1],
      ['b', undefined, 2],
    ]);
  });

  it('puts what a person was asked where it was asked', () => {
    const entries = joinTimeline(
      [call(1, 1, 'a', 'ask_human'), call(2, 5, 'b', 'request_approval')],
      [step(1, 'human', 'ask_human', 2), step(2, 'human', 'request_approval', 6)],
      [request('second', 6), request('first', 2)],
    );
    expect(entries.map(({ request: asked }) => asked?.id)).toEqual(['first', 'second']);
  });

  it('shows a wait between what came before and after it', () => {
    const entries = joinTimeline(
      [text(1, 0, 'user', 'x'), text(2, 9, 'assistant', 'y')],
      [step(1, 'wait', 'wait', 4), step(2, 'model', 'model turn', 8)],
      [],
    );
    expect(entries.map(({ kind }) => kind)).toEqual(['user', 'wait', 'assistant']);
  });

  it('is what was said, where nothing is known of the steps', () => {
    expect(joinTimeline([text(1, 0, 'user', 'x')], [], [])).toMatchObject([
      { kind: 'user', text: 'x', steps: [] },
    ]);
  });
});
