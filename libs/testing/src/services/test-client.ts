import { RedisConnections, RpcClient, ServiceClient, type InProcessServices } from '@aos/messaging';
import { KeyRing } from '@aos/secrets';
import { loadServiceConfig, redisOf, serviceConfigSchema } from '@aos/service';

/** A caller of services that is no service itself. */
export interface TestClient {
  readonly services: ServiceClient;
  readonly rpc: RpcClient;
  readonly connections: RedisConnections;
  close(): void;
}

/** @param neighbours The services of this process, to call them as another of them would. */
export function startTestClient(
  environment: Record<string, string>,
  neighbours?: InProcessServices,
  { maxSilenceMs }: { readonly maxSilenceMs?: number } = {},
): TestClient {
  const { SECRETS_KEYS: keys, RPC_TIMEOUT_MS: timeoutMs } = environment;
  const connections = new RedisConnections(
    redisOf(loadServiceConfig('test', serviceConfigSchema, environment)),
  );
  const rpc = new RpcClient({
    connections,
    keyRing: KeyRing.parse(keys!),
    neighbours,
    maxSilenceMs,
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
