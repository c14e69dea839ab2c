/** What a message holds, wherever it is kept. */
export interface MessageContent {
  readonly text?: string | null;
  readonly toolCall?: unknown;
  readonly toolResult?: unknown;
}

/** What a message takes of the room that a run has for all of its messages. */
export function messageBytes({ text, toolCall, toolResult }: MessageContent): number {
  return Buffer.byteLength(text ?? '') + jsonBytes(toolCall) + jsonBytes(toolResult);
}

function jsonBytes(value: unknown): number {
  return value ? Buffer.byteLength(JSON.stringify(value)) : 0;
}
