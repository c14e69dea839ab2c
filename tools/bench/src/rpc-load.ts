// A child: empty requests to a service and back, beside bare PINGs to the same Redis.
import { ping } from '@aos/contracts';
import { RedisConnections, RpcClient, ServiceClient } from '@aos/messaging';
import { KeyRing } from '@aos/secrets';
import { childInput } from './children.js';
import { latency } from './latency.js';

const { redisUrl, prefix, secretsKeys, inFlight, seconds } = childInput<{
  redisUrl: string;
  prefix: string;
  secretsKeys: string;
  inFlight: number;
  seconds: number;
}>();
const connections = new RedisConnections({ url: redisUrl, prefix });
const rpc = new RpcClient({ connections, keyRing: KeyRing.parse(secretsKeys) });
const client = new ServiceClient(rpc);
await rpc.connect();

const empty = await latency(inFlight, seconds, () =>
  client.call(ping, {}, { service: 'agents-and-revisions' }),
);
const baseline = await latency(inFlight, seconds, () => connections.shared.ping());
process.send!({ empty, baseline });
