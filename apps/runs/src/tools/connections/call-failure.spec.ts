import { TransientToolError } from '@aos/agent-runtime';
import { McpFailure, type McpFailureKind } from '@aos/mcp-client';
import { outcomeOfFailure } from './call-failure.js';

const doubt = 'Whether the call took effect is not known.';

function outcome(kind: McpFailureKind, status?: number) {
  return [true, false].map((isRepeatable) => {
    try {
      const { message } = outcomeOfFailure(new McpFailure(kind, 'Why.', status), isRepeatable) as {
        message: string;
      };
      return message;
    } catch (error) {
      return error instanceof TransientToolError ? 'again' : 'thrown';
    }
  });
}

describe('a call to a server that fails', () => {
  it.each([
    // What                  of a call that may be repeated, of another
    ['unsent', undefined, ['again', 'again']],
    ['http', 429, ['again', 'again']],
    ['broken', undefined, ['again', `Why. ${doubt}`]],
    ['http', 503, ['again', `Why. ${doubt}`]],
    ['timeout', undefined, ['Why.', `Why. ${doubt}`]],
    ['http', 403, ['Why.', 'Why.']],
    ['http', 500, ['Why.', 'Why.']],
    ['rpc', undefined, ['Why.', 'Why.']],
    ['invalid', undefined, ['Why.', 'Why.']],
    ['forbidden', undefined, ['Why.', 'Why.']],
  ] as const)('%s %s', (kind, status, expected) => {
    expect(outcome(kind, status)).toEqual(expected);
  });
});
