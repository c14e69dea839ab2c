import { ModelError } from '../models/errors/model-error.js';
import type { AfterTurn, Model, ModelMessage, ModelRequest, ModelTurn, ToolCall } from '../models/model.js';
import { askHumanToolName, requestApprovalToolName } from '../tools/human-tools.js';
import { estimatedTokens } from './estimated-tokens.js';
import { InvalidScriptError } from './invalid-script-error.js';
import { Filling, knownFrom, type Known } from './placeholders.js';
import { parseSteps, type ParsedSteps, type Step } from './steps.js';

/** What one line does; the rest of a turn is the same for all. */
interface Act {
  readonly text?: string;
  readonly call?: Omit<ToolCall, 'id'>;
  readonly then?: AfterTurn;
}

const finish: AfterTurn = { kind: 'finish' };

/**
 * The built-in model: performs one line of the procedure's steps a turn. It keeps nothing between calls; the
 * position of a request tells how many turns there were, which is the number of lines done until none is left.
 */
export class ScriptedModel implements Model {
  private readonly script: ParsedSteps;

  constructor(procedure: string) {
    this.script = parseSteps(procedure);
  }

  async generate({ messages, scriptPosition = 0 }: ModelRequest): Promise<ModelTurn> {
    if (this.script.kind === 'invalid') throw new InvalidScriptError(this.script.problems);
    const lines = this.script.kind === 'steps' ? this.script.steps : [];
    const known = knownFrom(messages);
    const line = lines[scriptPosition];
    const act = line
      ? perform(line, { known, isLast: scriptPosition === lines.length - 1 })
      : afterTheEnd({ lines, messages, known });
    const toolCalls = act.call ? [{ id: `step-${scriptPosition + 1}`, ...act.call }] : [];
    return {
      text: act.text ?? '',
      thinking: '',
      toolCalls,
      usage: { inputTokens: estimatedTokens(known.message), outputTokens: estimatedTokens(writtenBy(act)) },
      then: act.then ?? { kind: 'continue' },
      scriptPosition: scriptPosition + 1,
    };
  }
}

function perform(line: Step, { known, isLast }: { known: Known; isLast: boolean }): Act {
  const filling = new Filling(known);
  const fill = (text: string): string => filling.text(text);
  switch (line.kind) {
    case 'say':
      return { text: fill(line.text), then: isLast ? finish : undefined };
    case 'finish':
      return { text: fill(line.text), then: finish };
    case 'fail':
      return { then: { kind: 'fail', message: fill(line.message) } };
    case 'wait':
      return { then: { kind: 'wait', ms: line.ms } };
    case 'tool':
      return { call: callOf(line.name, () => filling.object(line.arguments)) };
    case 'ask': {
      const options = line.options.length > 0 ? { options: line.options } : {};
      return {
        call: callOf(askHumanToolName, () => filling.object({ question: line.question, ...options })),
      };
    }
    case 'approve':
      return { call: callOf(requestApprovalToolName, () => filling.object({ title: line.title })) };
  }
}

/** Arguments that are too deep or become too long are the script's mistake: it is told so, as any model is. */
function callOf(name: string, fill: () => Record<string, unknown>): Omit<ToolCall, 'id'> {
  try {
    return { name, arguments: fill() };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { name, arguments: {}, refused: error.message };
  }
}

interface End {
  readonly lines: readonly Step[];
  readonly messages: readonly ModelMessage[];
  readonly known: Known;
}

function afterTheEnd({ lines, messages, known }: End): Act {
  const last = lines.at(-1);
  // Behind a line that ended the run it is called only because a new message came.
  const wasOver = !last || ['say', 'finish', 'fail'].includes(last.kind);
  if (!wasOver && messages.at(-1)?.role !== 'user') return { then: finish };
  const who = `I am the built-in scripted model and have no steps ${last ? 'left ' : ''}to follow.`;
  const heard = known.message === '' ? 'Nobody has sent me a message.' : `You said: ${known.message}`;
  return { text: `${who} ${heard}`, then: finish };
}

function writtenBy({ text = '', call, then }: Act): string {
  const reason = then?.kind === 'fail' ? then.message : '';
  return text + reason + (call ? JSON.stringify(call.arguments) : '');
}
