import { randomBytes } from 'node:crypto';
import { createServer, request as httpRequest } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@aos/local-infra';
import { appEntry, startEmbedded, startServiceProcess } from '@aos/testing';

/** The product's own endpoint. The suite has no credential: a proxy in front adds one, and changes nothing else. */
export async function startProduct(): Promise<{ url: string; close(): Promise<void> }> {
  const stores = await startEmbedded();
  const port = await findFreePort();
  const adminKey = randomBytes(32).toString('base64url');
  const filesDir = await mkdtemp(join(tmpdir(), 'aos-conformance-'));
  const gateway = await startServiceProcess(appEntry('gateway'), {
    DATABASE_URL: stores.databaseUrl,
    REDIS_URL: stores.redisUrl,
    REDIS_ALLOW_NO_PASSWORD: 'true',
    SECRETS_KEYS: `conformance:${randomBytes(32).toString('base64')}`,
    FILES_DIR: filesDir,
    PORT: String(port),
    ADMIN_KEY: adminKey,
    LOG_LEVEL: 'warn',
  });
  const made = await fetch(`http://127.0.0.1:${port}/v2/teams`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: '{}',
  });
  const { api_key: apiKey } = (await made.json()) as { api_key: { key: string } };
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${apiKey.key}` };
    const forwarded = httpRequest(
      { host: '127.0.0.1', port, path: '/v2/mcp', method: incoming.method, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(proxy.address() as { port: number }).port}/mcp`,
    close: async () => {
      proxy.close();
      proxy.closeAllConnections();
      await gateway.stop();
      await stores.stop();
      await rm(filesDir, { recursive: true, force: true });
    },
  };
}
