import type { Connection, OutputOf } from '@aos/client';

export interface Check {
  readonly answer: OutputOf<'probeMcpServer'>;
  readonly at: string;
}

export interface Health {
  readonly tone: 'good' | 'bad' | 'warn' | '';
  readonly word: string;
  readonly detail?: string;
}

type Known = Pick<Connection, 'status' | 'broken_reason' | 'type'>;

/** Only an answer of the server proves that a connection works; stored credentials do not. */
export function healthOf({ status, broken_reason: reason, type }: Known, check: Check | undefined): Health {
  if (status === 'broken') return { tone: 'bad', word: 'Broken', ...(reason ? { detail: reason } : {}) };
  if (status === 'pending') return { tone: 'warn', word: 'Waiting for consent' };
  if (!check) return { tone: '', word: type === 'native' ? 'Authorized' : 'Not checked' };
  const { success, tools = [], error } = check.answer;
  if (!success) return { tone: 'bad', word: 'Failing', detail: error ?? 'The server did not answer.' };
  return { tone: 'good', word: 'Working', detail: tools.length === 1 ? '1 tool' : `${tools.length} tools` };
}
