import type { RedisConnections } from '../redis/redis-connections.js';

export const rpcGroup = 'replicas';

export function requestStream(connections: RedisConnections, service: string): string {
  return connections.key('rpc', service);
}

export function replyChannel(connections: RedisConnections, client: string): string {
  return connections.key('rpc-reply', client);
}

export function waitingAnswer(connections: RedisConnections, id: string): string {
  return connections.key('rpc-answer', id);
}

export function sealContext(name: string): string {
  return `rpc:${name}`;
}
