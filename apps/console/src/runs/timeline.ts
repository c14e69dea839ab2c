import type { HumanRequest, RunMessage, RunStep } from '@aos/client';

export type EntryKind = 'user' | 'system' | 'assistant' | 'thinking' | 'tool' | 'wait';

/** One thing that happened in a run, with the steps that it took. */
export interface Entry {
  readonly id: string;
  readonly kind: EntryKind;
  readonly at: string;
  readonly text?: string;
  readonly call?: NonNullable<RunMessage['tool_call']>;
  readonly result?: NonNullable<RunMessage['tool_result']>;
  readonly request?: HumanRequest;
  readonly steps: readonly RunStep[];
}

/**
 * Joins what a run said and what it did. A call of a tool and its step are told apart only by their order, for a step has
 * no id of a call: the first step of a tool is that of the first call of it.
 */
export function joinTimeline(
  messages: readonly RunMessage[],
  steps: readonly RunStep[],
  requests: readonly HumanRequest[],
): Entry[] {
  const results = new Map(
    messages.flatMap(({ tool_result: result }) => (result ? [[result.tool_call_id, result]] : [])),
  );
  const turns = new Turns(steps);
  const asked = [...requests].sort((one, other) => one.created_at.localeCompare(other.created_at));
  const entries: Entry[] = [];
  for (const message of messages) {
    const { id, type, role, text_content: text = '', tool_call: call, timestamp: at } = message;
    if (call) {
      const step = turns.nextOfTool(call.name);
      const request = step?.kind === 'human' ? asked.shift() : undefined;
      const own = turns.turnBefore(step?.started_at ?? at);
      entries.push({
        ...{ id, at, call, result: results.get(call.id), request, kind: 'tool' as const },
        steps: [...own, ...(step ? [step] : [])],
      });
    } else if (type === 'text' || type === 'thinking' || type === 'system') {
      const kind =
        type === 'text' ? (role === 'user' ? 'user' : role === 'system' ? 'system' : 'assistant') : type;
      entries.push({ id, at, kind, text, steps: kind === 'assistant' ? turns.turnBefore(at) : [] });
    }
  }
  for (const step of turns.left('wait')) {
    entries.push({ id: `wait-${step.index}`, at: step.started_at, kind: 'wait', steps: [step] });
  }
  return entries
    .map((entry, index) => ({ entry, index }))
    .sort(byTime)
    .map(({ entry }) => entry);
}

interface Placed {
  readonly entry: Entry;
  readonly index: number;
}

/** Messages keep their order, whatever their clocks say. */
function byTime(one: Placed, other: Placed): number {
  return one.entry.at.localeCompare(other.entry.at) || one.index - other.index;
}

/** The steps that no entry has yet. */
class Turns {
  private readonly free: RunStep[];

  constructor(steps: readonly RunStep[]) {
    this.free = [...steps].sort((one, other) => one.index - other.index);
  }

  nextOfTool(name: string): RunStep | undefined {
    const index = this.free.findIndex(
      (step) => (step.kind === 'tool' || step.kind === 'human') && step.name === name,
    );
    return index < 0 ? undefined : this.free.splice(index, 1)[0];
  }

  /** The turns of the model that led to what happened then; those of one moment go to the first that asks. */
  turnBefore(moment: string): RunStep[] {
    const found = this.free.filter((step) => step.kind === 'model' && step.started_at <= moment);
    for (const step of found) this.free.splice(this.free.indexOf(step), 1);
    return found;
  }

  left(kind: RunStep['kind']): RunStep[] {
    return this.free.filter((step) => step.kind === kind);
  }
}
