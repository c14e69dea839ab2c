import type { RunState } from '../streams/runs/run-waits.js';
import type { ToolCall } from './tool-server.js';

/** Tells a client that has asked for it how its run gets on. Nothing depends on whether it hears of it. */
export function progressOf({ meta, context }: ToolCall): ((state: RunState) => void) | undefined {
  const { progressToken } = meta;
  if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return undefined;
  let progress = 0;
  return ({ run_id: id, status }) => {
    progress += 1;
    const params = { progressToken, progress, message: `The run ${id} is ${status}.` };
    context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}
