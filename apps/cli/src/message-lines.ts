import type { RunMessage } from '@aos/client';
import type { Output } from './output.js';
import { oneLine, safeText } from './safe-text.js';

const longest = 2_000;

/** A message of a run, as a person wants to see it. */
export function messageLines(message: RunMessage, output: Output): string[] {
  const { tool_call: call, tool_result: result, text_content: text } = message;
  const lines: string[] = [];
  if (text) lines.push(`${output.style('bold', message.role)}  ${safeText(text)}`);
  if (call) {
    lines.push(
      output.style('cyan', `→ ${oneLine(call.name)} ${oneLine(JSON.stringify(call.arguments), longest)}`),
    );
  }
  if (result?.error !== undefined) lines.push(output.style('red', `← ${oneLine(result.error, longest)}`));
  else if (result) lines.push(output.style('dim', `← ${oneLine(textOf(result.result), longest)}`));
  return lines;
}

function textOf(result: unknown): string {
  return typeof result === 'string' ? result : (JSON.stringify(result) ?? '');
}
