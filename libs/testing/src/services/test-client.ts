import { RedisConnections, RpcClient, ServiceClient } from '@aos/messaging';
import { KeyRing } from '@aos/secrets';

/** A caller of services that is no service itself. */
export interface TestClient {
  readonly services: ServiceClient;
  readonly rpc: RpcClient;
  readonly connections: RedisConnections;
  close(): void;
}

export function startTestClient(environment: Record<string, string>): TestClient {
  const { REDIS_URL: url, REDIS_PREFIX: prefix, SECRETS_KEYS: keys, RPC_TIMEOUT_MS: timeoutMs } = environment;
  const connections = new RedisConnections({ url: url!, prefix: prefix! });
  const rpc = new RpcClient({
    connections,
    keyRing: KeyRing.parse(keys!),
    timeoutMs: timeoutMs === undefined ? undefined : Number(timeoutMs),
  });
  return {
    services: new ServiceClient(rpc),
    rpc,
    connections,
    close: () => {
      rpc.close();
      connections.close();
    },
  };
}
