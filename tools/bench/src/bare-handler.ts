// A child: the least one could write for the same read. The baseline of the read path.
import Fastify from 'fastify';
import pg from 'pg';
import { childInput } from './children.js';

const { databaseUrl } = childInput<{ databaseUrl: string }>();
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
const server = Fastify();
server.get<{ Params: { id: string } }>('/agents/:id', async (request, reply) => {
  const { rows } = await pool.query<{ id: string }>(
    'SELECT * FROM agents_and_revisions.agent WHERE id = $1 AND deleted_at IS NULL',
    [request.params.id],
  );
  const agent = rows[0];
  return agent ? { agent_id: agent.id, agent } : reply.code(404).send();
});
await server.listen({ port: 0, host: '127.0.0.1' });
const address = server.server.address();
process.send!({ port: typeof address === 'object' && address !== null ? address.port : 0 });
