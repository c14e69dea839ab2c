import {
  askQuestions,
  checkAskedQuestions,
  type BuilderOutcome,
  type BuilderTask,
  type ToolCall,
  type ToolDescription,
} from '@aos/agent-runtime';
import { buildConfigSchema } from '@aos/contracts';
import { z } from 'zod';

export const proposeProcedure: ToolDescription = {
  name: 'propose_procedure',
  description: 'Proposes the whole new operating procedure of the agent, in Markdown.',
  parameters: parametersOf(z.object({ procedure: z.string() })),
};

/** The parsed tool call, or the correction for the model. */
export type CheckedCall = { readonly outcome: BuilderOutcome } | { readonly fault: string };

export function checkToolCall(
  call: ToolCall,
  offered: readonly ToolDescription[],
  task: BuilderTask,
): CheckedCall {
  if (!offered.some(({ name }) => name === call.name)) {
    return { fault: `There is no tool "${call.name}". Call ${namesOf(offered)}.` };
  }
  return call.name === askQuestions.name ? checkQuestions(call, task) : checkProposal(call);
}

export function namesOf(tools: readonly ToolDescription[]): string {
  return tools.map(({ name }) => name).join(' or ');
}

const proposalSchema = z.object({
  procedure: z
    .string()
    .trim()
    .min(1)
    .refine(isStorable, 'contains a NUL or an unpaired surrogate')
    .refine((input) => buildConfigSchema.safeParse({ data: { input } }).success, 'is too long'),
});

function checkProposal(call: ToolCall): CheckedCall {
  const { data, error } = proposalSchema.safeParse(call.arguments);
  return data ? { outcome: { kind: 'procedure', procedure: data.procedure } } : { fault: describe(error) };
}

function checkQuestions(call: ToolCall, { answers }: BuilderTask): CheckedCall {
  const checked = checkAskedQuestions(call, answers);
  return 'fault' in checked ? checked : { outcome: { kind: 'questions', questions: checked.questions } };
}

/** By Postgres. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

function describe({ issues }: z.ZodError): string {
  const faults = issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  return `The arguments are not valid: ${faults.join('; ')}`;
}

function parametersOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _draft, ...json } = z.toJSONSchema(schema, { io: 'input' });
  return json;
}
