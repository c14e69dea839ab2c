import {
  askQuestions,
  ModelError,
  type BuilderOutcome,
  type BuilderTask,
  type Model,
  type ModelMessage,
  type ModelTurn,
} from '@aos/agent-runtime';
import { checkToolCall, namesOf, proposeProcedure, type CheckedCall } from './builder-tools.js';

/** How often a model is told that its answer is of no use before it is given up. */
const maxCorrections = 3;
/** A person is not asked for ever. */
const maxAnswers = 20;

const system = `You write operating procedures for autonomous agents. A procedure is Markdown: the goal, what
starts the work, the steps in order, what to do when something goes wrong, and how to tell that the work is done.
Change what the task asks for and keep the rest. If the goal, the trigger or the success condition is open, ask for
it with ${askQuestions.name}; never ask what has been answered. Else give the whole new procedure with
${proposeProcedure.name}. Always answer by calling exactly one tool.`;

/** A builder behind a language model: it proposes or asks by calling a tool, and is told when a call is no good. */
export class ModelBuilder {
  constructor(
    private readonly model: Model,
    private readonly temperature?: number,
  ) {}

  async build(task: BuilderTask, signal: AbortSignal): Promise<BuilderOutcome> {
    const tools = task.answers.length < maxAnswers ? [askQuestions, proposeProcedure] : [proposeProcedure];
    const messages: ModelMessage[] = [{ role: 'user', text: describe(task) }];
    const { temperature } = this;
    for (let corrections = 0; corrections <= maxCorrections; corrections += 1) {
      const turn = await this.model.generate({ system, messages, tools, temperature, signal });
      const checked = turn.toolCalls.map((call) => checkToolCall(call, tools, task));
      const useful = checked.find((call) => 'outcome' in call);
      if (useful) return useful.outcome;
      messages.push(...correction(turn, checked, `Call ${namesOf(tools)}.`));
    }
    throw new ModelError('permanent', `The model made no usable proposal in ${maxCorrections + 1} answers.`);
  }
}

/** The model's message and the corrections: every call gets a result, and a text without a call gets advice. */
function correction(turn: ModelTurn, checked: readonly CheckedCall[], advice: string): ModelMessage[] {
  const said: ModelMessage = { role: 'assistant', text: turn.text, toolCalls: turn.toolCalls };
  if (turn.toolCalls.length === 0) return [said, { role: 'user', text: advice }];
  const results = turn.toolCalls.map((call, index): ModelMessage => {
    const check = checked[index]!;
    const result = 'fault' in check ? check.fault : advice;
    return { role: 'tool', toolCallId: call.id, toolName: call.name, result };
  });
  return [said, ...results];
}

function describe({ prompt, procedure, answers }: BuilderTask): string {
  const present = procedure.trim() === '' ? 'There is no procedure yet.' : procedure;
  const known = answers.map(
    ({ question, answer }) => `<question>${question}</question>\n<answer>${answer}</answer>`,
  );
  return [
    `<task>\n${prompt}\n</task>`,
    `<present_procedure>\n${present}\n</present_procedure>`,
    ...known,
  ].join('\n\n');
}
