import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '@aos/local-infra';
import { createAgent, procedureOf } from '../agents.js';
import { profileFlags } from '../profiles.js';
import type { RunLoad } from '../run-load.types.js';
import { createTeam } from '../teams.js';
import type { Call, Contender } from './contender.types.js';
import { answers, startServer } from './server-process.js';

export const forms = ['together', 'split'] as const;
export type Form = (typeof forms)[number];

export interface Product extends Contender {
  readonly name: Form;
  /** To drive it in another way than the peers are. */
  readonly load: Pick<RunLoad, 'base' | 'team' | 'key' | 'agentId'>;
}

const waitSeconds = 30;

/** The product as `npm start` runs it, with its embedded stores, in one process or in one for each service. */
export async function startProduct(
  form: Form,
  root: string,
  folder: string,
  signal: AbortSignal,
): Promise<Product> {
  const port = await findFreePort();
  const base = `http://127.0.0.1:${port}`;
  const { pid, stop } = await startServer(
    {
      command: process.execPath,
      args: [join(root, 'tools', 'start.mjs'), ...(form === 'together' ? ['--together'] : [])],
      cwd: root,
      environment: {
        PORT: String(port),
        AOS_DATA_DIR: folder,
        RATE_LIMIT_PER_MINUTE: '10000000',
        NODE_OPTIONS: profileFlags().join(' '),
      },
      isReady: (aborted) => answers(`${base}/readyz`, { signal: aborted }),
    },
    signal,
  );
  try {
    const noted = await readFile(join(folder, 'credentials.json'), 'utf8');
    const { admin_key: adminKey } = JSON.parse(noted) as { admin_key: string };
    const access = { base, ...(await createTeam(base, adminKey)) };
    const one = await createAgent(access, procedureOf(['finish Done.']));
    const three = await createAgent(access, procedureOf(['say Reading', 'say Thinking', 'finish Done.']));
    return {
      name: form,
      load: { ...access, agentId: one },
      calls: { 'one step': startRun(access, one), 'three steps': startRun(access, three) },
      pids: [pid],
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function startRun({ base, team, key }: { base: string; team: string; key: string }, agentId: string): Call {
  return {
    url: `${base}/v2/teams/${team}/runs`,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ agent_id: agentId, message: 'go', wait_seconds: waitSeconds }),
    completed: '"status":"completed"',
  };
}
