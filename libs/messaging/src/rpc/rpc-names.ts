import { frontRole } from '@aos/contracts';
import type { KeyNames } from '../redis/redis-connections.js';

export const rpcGroup = 'replicas';

const repliesPart = 'rpc-reply';
const answersPart = 'rpc-answer';

/**
 * Where the requests of a role to a service lie. Redis lets each role write to its own streams alone, so that the stream
 * tells who asks; what the front role asks, for clients with a principal, is in the stream without a name.
 */
export function requestStream(names: KeyNames, service: string, caller: string = frontRole): string {
  return caller === frontRole ? names.key('rpc', service) : names.key('rpc', service, caller);
}

/** The channels on which the processes of a role get their answers; the name of one is added to it. */
export function replyChannels(names: KeyNames, role: string): string {
  return `${names.key(repliesPart, role)}:`;
}

/** The keys under which answers to a role wait. */
export function waitingAnswers(names: KeyNames, role: string): string {
  return `${names.key(answersPart, role)}:`;
}

/** Where an answer to the process with this reply channel waits: in the keys of its role, as the channel tells. */
export function waitingAnswer(names: KeyNames, replyTo: string, id: string): string {
  const caller = replyTo.slice(names.key(repliesPart, '').length);
  return names.key(answersPart, caller, id);
}

/** Whether a key can be that of a waiting answer, and not of something else that the caller may read. */
export function isWaitingAnswer(names: KeyNames, key: string): boolean {
  return key.startsWith(names.key(answersPart, ''));
}

export function sealContext(name: string): string {
  return `rpc:${name}`;
}
