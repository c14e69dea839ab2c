import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createQueue } from '@aos/contracts';
import { findFreePort } from '@aos/local-infra';
import {
  createProductDatabase,
  startServiceProcess,
  testEnvironment,
  type ServiceProcess,
  type TestDatabase,
} from '@aos/testing';
import { ScratchCopy } from '../../src/scratch-copy.js';
import { connectAdmin, newKey, newTeam } from '../../src/team.js';

interface Step {
  readonly file: string;
  readonly code: string;
}

/** The blocks of code under "One operation more", each with the file that is named last before it. */
async function stepsOf(guide: URL): Promise<Step[]> {
  const text = await readFile(guide, 'utf8');
  const chapter = text.slice(text.indexOf('## One operation more')).split('\n## ')[0]!;
  const indent = /^ {3}/gm;
  return [...chapter.matchAll(/```ts\n([\s\S]*?)```/g)].map((block) => {
    const files = [...chapter.slice(0, block.index).matchAll(/`((?:apps|libs)\/[^`]+\/src\/[^`]+\.ts)`/g)];
    return { file: files.at(-1)![1]!, code: block[1]!.replace(indent, '') };
  });
}

/** A method goes to the end of the class, anything else to the end of the file. */
function withCode(text: string, code: string): string {
  if (code.startsWith('export ')) return `${text}\n${code}`;
  const end = text.indexOf('\n}\n', text.indexOf('export class'));
  const imported = /@Handles\((\w+)\)/.exec(code)?.[1];
  const changed = `${text.slice(0, end)}\n\n${code}${text.slice(end)}`;
  return imported ? `import { ${imported} } from '@aos/contracts';\n${changed}` : changed;
}

describe('CONTRIBUTING.md', () => {
  let copy: ScratchCopy;
  let steps: Step[];
  let database: TestDatabase;
  const processes: ServiceProcess[] = [];

  beforeAll(async () => {
    [copy, steps] = await Promise.all([
      ScratchCopy.make(),
      stepsOf(new URL('../../../../CONTRIBUTING.md', import.meta.url)),
    ]);
    for (const { file, code } of steps) await copy.change(file, (text) => withCode(text, code));
    database = await createProductDatabase();
  });

  afterAll(async () => {
    await Promise.all(processes.map((one) => one.stop()));
    await database?.drop();
    await copy?.remove();
  });

  it('says in three steps how an operation is added, and the compiler takes them', async () => {
    expect(steps.map(({ file }) => file.split('/').slice(0, 2).join('/'))).toEqual([
      'libs/contracts',
      'apps/runs',
      'apps/runs',
    ]);
    await copy.typecheck(steps.map(({ file }) => file));
  });

  it('and what comes of them answers, to the team that may ask', async () => {
    for (const { file } of steps) await copy.build(file);
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}`;
    const adminKey = `aos_admin_${randomBytes(32).toString('base64url')}`;
    const environment = testEnvironment({ DATABASE_URL: database.url, PUBLIC_BASE_URL: url });
    const start = (app: string, own: Record<string, string> = {}) =>
      startServiceProcess(copy.path(`apps/${app}/dist/main.js`), { ...environment, ...own });
    processes.push(
      ...(await Promise.all([start('gateway', { PORT: String(port), ADMIN_KEY: adminKey }), start('runs')])),
    );
    const admin = await connectAdmin({ urls: [url], adminKey });
    const [team, stranger] = [await newTeam(admin, 'One'), await newTeam(admin, 'Other')];
    const { queue_id: queueId } = await team.client.succeed<{ queue_id: string }>(createQueue, {
      params: { teamId: team.id },
      body: { name: 'Letters' },
    });
    const path = `/v2/queues/${queueId}/labels/count`;
    expect(await team.client.request('GET', path)).toMatchObject({ status: 200, body: { labels: 0 } });
    await team.client.request('POST', `/v2/queues/${queueId}/labels`, {
      body: { key: 'kind', value: 'bill' },
    });
    expect(await team.client.request('GET', path)).toMatchObject({ status: 200, body: { labels: 1 } });
    expect((await stranger.client.request('GET', path)).status).toBe(404);
    const { key } = await newKey(team, { scopes: ['runs:read'] });
    expect((await team.client.request('GET', path, { token: key })).status).toBe(403);
    const document = await team.client.request('GET', '/v2/openapi.json');
    expect(document.text).toMatch(/"operationId": ?"countCaseLabels"/);
  });
});
