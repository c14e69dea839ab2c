import { AppError, type OperationAnswer } from '@aos/contracts';
import type { CallToolResult } from '@modelcontextprotocol/server';

/**
 * The answer of an operation as the result of a tool: the answer itself, and the same as text. A refusal is text alone,
 * for it is not what the output schema of the tool says: clients that check that would show their own error instead.
 */
export function toolResult({ status, body }: OperationAnswer): CallToolResult {
  const text = body === '' ? '{}' : body;
  const content: CallToolResult['content'] = [{ type: 'text', text }];
  if (status >= 400) return { content, isError: true };
  return { content, structuredContent: JSON.parse(text) as Record<string, unknown> };
}

/** A refusal, as the operation itself would have told it. */
export function errorResult(error: AppError): CallToolResult {
  return toolResult({ status: error.status, body: JSON.stringify(error.toBody()) });
}
