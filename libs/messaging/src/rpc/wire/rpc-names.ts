import { frontRole } from '@aos/contracts';
import type { KeyNames } from '../../redis/redis-connections.js';

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

/** The channels on which the processes of a role get the answers of a service; the name of one is added to it. */
export function replyChannels(names: KeyNames, service: string, role: string): string {
  return `${names.key(repliesPart, service, role)}:`;
}

/** The keys under which answers of a service to a role wait. */
export function waitingAnswers(names: KeyNames, service: string, role: string): string {
  return `${names.key(answersPart, service, role)}:`;
}

/** Where an answer to the process with this reply channel waits: in the keys of the two, as the channel tells. */
export function waitingAnswer(names: KeyNames, replyTo: string, id: string): string {
  const serviceAndCaller = replyTo.slice(names.key(repliesPart, '').length);
  return names.key(answersPart, serviceAndCaller, id);
}

export function sealContext(name: string): string {
  return `rpc:${name}`;
}
