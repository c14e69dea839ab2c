import { AppError } from '@aos/contracts';
import type { OperationAnswer } from '@aos/messaging';
import type { CallToolResult } from '@modelcontextprotocol/server';

/** The answer of an operation as the result of a tool: the answer itself, and the same as text. */
export function toolResult({ status, body }: OperationAnswer): CallToolResult {
  const text = body === '' ? '{}' : body;
  return {
    content: [{ type: 'text', text }],
    structuredContent: JSON.parse(text) as Record<string, unknown>,
    ...(status >= 400 ? { isError: true } : {}),
  };
}

/** A refusal, as the operation itself would have told it. */
export function errorResult(error: AppError): CallToolResult {
  return toolResult({ status: error.status, body: JSON.stringify(error.toBody()) });
}
