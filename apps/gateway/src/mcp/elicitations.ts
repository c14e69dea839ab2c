import type { HumanRequest } from '@aos/contracts';
import type { InputRequestV2 } from '@modelcontextprotocol/ext-tasks/core/v2';

type Question = NonNullable<HumanRequest['questions']>[number];

/** Converts a human request into an elicitation form. */
export function elicitationOf(request: HumanRequest): InputRequestV2 {
  const message = [request.title, request.description].filter((part) => part).join('\n\n');
  return {
    method: 'elicitation/create',
    params: { mode: 'form', message, requestedSchema: formOf(request) },
  } as InputRequestV2;
}

function formOf({ type, questions = [] }: HumanRequest): object {
  if (type === 'approval') {
    return {
      type: 'object',
      properties: {
        approved: { type: 'boolean', title: 'Approved' },
        comment: { type: 'string', title: 'Comment' },
      },
      required: ['approved'],
    };
  }
  return {
    type: 'object',
    // Keyed by their text, as answers are.
    properties: Object.fromEntries(questions.map((question) => [question.question, fieldOf(question)])),
    required: questions.map(({ question }) => question),
  };
}

function fieldOf({ question, header, options = [], multi_select: many = false }: Question): object {
  const title = header ?? question;
  const description = [
    ...(header === undefined ? [] : [question]),
    ...options.flatMap(({ label, description }) => (description ? [`${label}: ${description}`] : [])),
  ].join('\n');
  const shown = { title, ...(description === '' ? {} : { description }) };
  if (options.length === 0) return { type: 'string', ...shown };
  const labels = options.map(({ label }) => label);
  if (!many) return { type: 'string', ...shown, enum: labels };
  return { type: 'array', ...shown, items: { type: 'string', enum: labels } };
}

/** Converts the client's answer into the body of respondToHumanRequest; undefined if the person declined. */
export function responseOf(request: HumanRequest, given: unknown): object | undefined {
  const { action, content } = (given ?? {}) as { action?: unknown; content?: unknown };
  if (action !== 'accept') return undefined;
  return request.type === 'approval' ? { ...(content as object) } : { answers: content ?? {} };
}
