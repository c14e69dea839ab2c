import { randomBytes } from 'node:crypto';
import {
  createSandboxUploadUrl,
  getRunSandboxFileContentByRun,
  getSandboxFileContent,
  uploadSandboxFile,
} from '@aos/contracts';
import { startFauxqs, type FauxqsServer } from 'fauxqs';
import { formOf, makeSandbox } from '../../src/sample-files.js';
import { makeAgent, makeRun, steps } from '../../src/sample-agents.js';
import { startStack, type Stack } from '../../src/stack.js';
import { connectAdmin, newTeam, type Team } from '../../src/team.js';

const bucket = 'agents';
/** More than goes up in one piece. */
const largeBytes = 12 * 1024 * 1024;

describe('files in an S3-compatible store', () => {
  let s3: FauxqsServer;
  let stack: Stack;
  let team: Team;

  beforeAll(async () => {
    s3 = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false });
    s3.createBucket(bucket);
    stack = await startStack({
      services: ['runs', 'agents-and-revisions'],
      environment: {
        S3_ENDPOINT: `http://127.0.0.1:${s3.port}`,
        S3_BUCKET: bucket,
        S3_ACCESS_KEY_ID: 'anybody',
        S3_SECRET_ACCESS_KEY: 'anything',
      },
    });
    team = await newTeam(await connectAdmin(stack));
  });

  afterAll(async () => {
    await stack?.stop();
    await s3?.stop();
  });

  async function content(id: string, path: string) {
    const request = { params: { id }, query: { path } };
    return team.client.succeed<{ content: string; download_url: string }>(getSandboxFileContent, request);
  }

  it('go in by a form, through a run, and out again', async () => {
    const id = await makeSandbox(team);
    await team.client.succeed(uploadSandboxFile, {
      params: { id },
      ...formOf('Ten apples', { path: 'a.txt' }),
    });
    const write = 'tool write_file {"path": "b.txt", "content": "Read: {{result}}"}';
    const agentId = await makeAgent(team, steps('tool read_file {"path": "a.txt"}', write, 'finish Done'));
    const runId = await makeRun(team, agentId, { sandbox_id: id });
    const shown = await team.client.succeed(getRunSandboxFileContentByRun, { params: { run_id: runId } });
    expect(shown).toMatchObject({ path: '/workspace/b.txt', content: 'Read: Ten apples' });
  });

  it('go in and out by links, whole and in parts', async () => {
    const id = await makeSandbox(team);
    const bytes = randomBytes(largeBytes);
    const request = { params: { id }, body: { path: 'large.bin' } };
    const { upload_url: url } = await team.client.succeed<{ upload_url: string }>(
      createSandboxUploadUrl,
      request,
    );
    expect((await fetch(url, { method: 'PUT', body: bytes })).status).toBe(200);
    const { download_url: link } = await content(id, 'large.bin');
    const whole = Buffer.from(await (await fetch(link)).arrayBuffer());
    expect(whole.equals(bytes)).toBe(true);
    const part = await fetch(link, { headers: { range: 'bytes=5000000-5000009' } });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(5_000_000, 5_000_010))).toBe(true);
  });

  it('are a 503 while the store is away, and there again when it is back', async () => {
    const id = await makeSandbox(team);
    const { port } = s3;
    await s3.stop();
    const answer = await team.client.call(uploadSandboxFile, {
      params: { id },
      ...formOf('x', { path: 'a.txt' }),
    });
    expect([answer.status, answer.body]).toEqual([503, expect.objectContaining({ error: 'unavailable' })]);
    s3 = await startFauxqs({ port, host: '127.0.0.1', logger: false });
    s3.createBucket(bucket);
    await team.client.succeed(uploadSandboxFile, { params: { id }, ...formOf('x', { path: 'a.txt' }) });
    expect((await content(id, 'a.txt')).content).toBe('x');
  });
});
