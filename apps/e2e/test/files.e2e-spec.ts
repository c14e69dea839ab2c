import { createHash, randomUUID } from 'node:crypto';
import {
  createQueue,
  createSandboxUploadUrl,
  deleteQueue,
  downloadFile,
  getRunSandboxFileContentByRun,
  getSandboxFileContent,
  importCases,
  listRunSandboxFilesByRun,
  listSandboxFiles,
  maxFormFileBytes,
  startRun,
  uploadFile,
  uploadSandboxFile,
} from '@aos/contracts';
import type { ApiAnswer, ApiClient, CallOptions } from '../src/api-client.js';
import { formOf, makeSandbox } from '../src/sample-files.js';
import { makeAgent, makeRun, steps } from '../src/sample-agents.js';
import { connectToDeployment, type Deployment } from '../src/shared-product.js';
import { connectAdmin, newTeam, type Team } from '../src/team.js';

const hostilePaths = [
  '..',
  '../x',
  'a/../../x',
  '/etc/passwd',
  '/workspace/../x',
  '/workspacex/a',
  '%2e%2e/x',
  '%252e%252e%252fx',
  'a\\..\\x',
  'a\u0000b',
  'a\nb',
  '．．/x',
  `${'a'.repeat(300)}`,
  `${'a/'.repeat(600)}x`,
  '/',
  '/workspace',
];

interface Content {
  readonly path: string;
  readonly content: string | null;
  readonly encoding: string;
  readonly content_type: string;
  readonly size_bytes: number;
  readonly download_url: string;
}

describe('files over HTTP', () => {
  let product: Deployment;
  let admin: ApiClient;
  let team: Team;

  beforeAll(async () => {
    product = await connectToDeployment();
    admin = await connectAdmin(product);
    team = await newTeam(admin);
  });

  afterAll(async () => {
    await product?.disconnect();
  });

  const token = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

  async function uploadUrl(id: string, path: string): Promise<string> {
    const request = { params: { id }, body: { path } };
    return (await team.client.succeed<{ upload_url: string }>(createSandboxUploadUrl, request)).upload_url;
  }

  function put(url: string, rawBody: string | Buffer, more: CallOptions = {}): Promise<ApiAnswer> {
    return admin.call(uploadFile, { token: null, params: { token: token(url) }, rawBody, ...more });
  }

  function read(id: string, path?: string): Promise<Content> {
    const query: Record<string, string> = path === undefined ? {} : { path };
    return team.client.succeed<Content>(getSandboxFileContent, { params: { id }, query });
  }

  function get(url: string, headers: Record<string, string> = {}): Promise<ApiAnswer> {
    return admin.call(downloadFile, { token: null, params: { token: token(url) }, headers });
  }

  it('what is sent with a key to a sandbox or queue that is not there is answered as it was the first time', async () => {
    const [id, key] = [randomUUID(), randomUUID()];
    const upload = (content: string) => {
      const { rawBody, headers } = formOf(content, { path: 'a.txt' });
      const request = { params: { id }, rawBody, headers: { ...headers, 'idempotency-key': key } };
      return team.client.call(uploadSandboxFile, request);
    };
    const [first, again] = [await upload('Ten apples'), await upload('Ten apples')];
    expect([first.status, first.headers['idempotency-replayed']]).toEqual([404, undefined]);
    expect([again.status, again.text, again.headers['idempotency-replayed']]).toEqual([
      404,
      first.text,
      'true',
    ]);
    const other = await upload('Two pears');
    expect([other.status, other.body]).toMatchObject([409, { error: 'idempotency_conflict' }]);

    const { queue_id: queueId } = await team.client.succeed<{ queue_id: string }>(createQueue, {
      params: { teamId: team.id },
      body: { name: 'Short-lived' },
    });
    const rows = {
      params: { queue_id: queueId },
      rawBody: 'title\none\n',
      headers: { 'content-type': 'text/csv', 'idempotency-key': randomUUID() },
    };
    const imported = await team.client.call(importCases, rows);
    expect([imported.status, imported.body]).toMatchObject([200, { accepted: 1 }]);
    await team.client.succeed(deleteQueue, { params: { queue_id: queueId } });
    const replayed = await team.client.call(importCases, rows);
    expect([replayed.status, replayed.text, replayed.headers['idempotency-replayed']]).toEqual([
      200,
      imported.text,
      'true',
    ]);
  });

  it('a file that was uploaded is what a run reads, and what it writes can be read', async () => {
    const id = await makeSandbox(team);
    const form = formOf('Ten apples', { path: 'in/list.txt' });
    const uploaded = await team.client.succeed(uploadSandboxFile, { params: { id }, ...form });
    expect(uploaded).toMatchObject({
      path: '/workspace/in/list.txt',
      size_bytes: 10,
      file: { name: 'list.txt', type: 'file', size_bytes: 10 },
    });
    const agentId = await makeAgent(
      team,
      steps(
        'tool read_file {"path": "in/list.txt"}',
        'tool write_file {"path": "out/answer.txt", "content": "Read: {{result}}"}',
        'finish Done',
      ),
    );
    const runId = await makeRun(team, agentId, { sandbox_id: id });
    const params = { run_id: runId };
    const { files } = await team.client.succeed<{ files: object[] }>(listRunSandboxFilesByRun, { params });
    expect(files).toMatchObject([
      { name: 'in', path: '/workspace/in', type: 'dir', size_bytes: 10 },
      { name: 'out', path: '/workspace/out', type: 'dir', size_bytes: 16 },
    ]);
    const latest = await team.client.succeed<Content>(getRunSandboxFileContentByRun, { params });
    expect(latest).toMatchObject({
      path: '/workspace/out/answer.txt',
      content: 'Read: Ten apples',
      encoding: 'utf-8',
      content_type: 'text/plain',
      size_bytes: 16,
    });
    expect((await get(latest.download_url)).text).toBe('Read: Ten apples');
  });

  it.each(['"', 'ü', "'", '%'])(
    'a path that is as long as it may be, all of %s, has links that work',
    async (sign) => {
      const id = await makeSandbox(team);
      const name = sign.repeat(200 / Buffer.byteLength(sign));
      const path = [name, name, name, name, name].join('/');
      expect((await put(await uploadUrl(id, path), 'far away')).status).toBe(200);
      expect((await get((await read(id, path)).download_url)).text).toBe('far away');
    },
  );

  it('bytes that are no text come as base64, and a file without bytes is one', async () => {
    const id = await makeSandbox(team);
    const bytes = Buffer.from([0, 255, 1, 254]);
    expect((await put(await uploadUrl(id, 'a.bin'), bytes)).status).toBe(200);
    expect(await read(id, 'a.bin')).toMatchObject({
      content: bytes.toString('base64'),
      encoding: 'base64',
      content_type: 'application/octet-stream',
    });
    expect((await put(await uploadUrl(id, 'empty.txt'), '')).body).toMatchObject({ file: { size_bytes: 0 } });
    expect(await read(id, 'empty.txt')).toMatchObject({ content: '', size_bytes: 0 });
    expect((await get((await read(id, 'empty.txt')).download_url)).text).toBe('');
  });

  it('the name of the file is its path unless another is given', async () => {
    const id = await makeSandbox(team);
    const form = formOf('x', { name: 'Übersicht.txt' });
    const answer = await team.client.succeed(uploadSandboxFile, { params: { id }, ...form });
    expect(answer).toMatchObject({ path: '/workspace/Übersicht.txt' });
  });

  it('what is sent again replaces what was there', async () => {
    const id = await makeSandbox(team);
    const url = await uploadUrl(id, 'a.txt');
    await put(url, 'first');
    const { download_url: link } = await read(id, 'a.txt');
    await put(url, 'second');
    expect((await read(id)).content).toBe('second');
    expect((await get(link)).text).toBe('second');
    const { files } = await team.client.succeed<{ files: object[] }>(listSandboxFiles, { params: { id } });
    expect(files).toHaveLength(1);
  });

  it.each(hostilePaths)('the path %j is refused wherever a path is taken', async (path) => {
    const id = await makeSandbox(team);
    const refused = { error: 'invalid_request', message: expect.stringContaining('path') };
    const answers = [
      await team.client.call(createSandboxUploadUrl, { params: { id }, body: { path } }),
      await team.client.call(getSandboxFileContent, { params: { id }, query: { path } }),
      await team.client.call(uploadSandboxFile, { params: { id }, ...formOf('x', { path }) }),
    ];
    expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [400, refused]));
    if (!path.startsWith('/workspace') && path !== '/') {
      const listed = await team.client.call(listSandboxFiles, { params: { id }, query: { path } });
      expect([400, 404]).toContain(listed.status);
    }
    const run = await makeRun(team, await makeAgent(team));
    const own = { params: { run_id: run }, query: { path } };
    expect((await team.client.call(getRunSandboxFileContentByRun, own)).status).toBe(400);
  });

  it('parts of a file', async () => {
    const id = await makeSandbox(team);
    await put(await uploadUrl(id, 'digits.txt'), '0123456789');
    const { download_url: link } = await read(id, 'digits.txt');
    const whole = await get(link);
    expect(whole.headers).toMatchObject({ 'accept-ranges': 'bytes', 'content-length': '10' });
    const parts: [string, number, string, string?][] = [
      ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
      ['bytes=7-', 206, '789', 'bytes 7-9/10'],
      ['bytes=-2', 206, '89', 'bytes 8-9/10'],
      ['bytes=5-100', 206, '56789', 'bytes 5-9/10'],
      ['bytes=0-1,4-5', 200, '0123456789'],
      ['lines=1-2', 200, '0123456789'],
    ];
    for (const [range, status, text, contentRange] of parts) {
      const answer = await get(link, { range });
      expect([range, answer.status, answer.text, answer.headers['content-range']]).toEqual([
        range,
        status,
        text,
        contentRange,
      ]);
    }
    const past = await get(link, { range: 'bytes=10-' });
    expect([past.status, past.headers['content-range']]).toEqual([416, 'bytes */10']);
    const etag = whole.headers.etag!;
    expect((await get(link, { 'if-none-match': etag })).status).toBe(304);
    expect((await get(link, { range: 'bytes=0-0', 'if-range': etag })).text).toBe('0');
    expect((await get(link, { range: 'bytes=0-0', 'if-range': '"other"' })).text).toBe('0123456789');
  });

  it('what could bring script into this origin is saved, not shown', async () => {
    const id = await makeSandbox(team);
    await put(await uploadUrl(id, 'evil.html'), '<script>alert(1)</script>');
    const { headers } = await get((await read(id, 'evil.html')).download_url);
    expect(headers).toMatchObject({
      'content-disposition': "attachment; filename*=UTF-8''evil.html",
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
  });

  it('forms that are none are refused, and nothing is half-written', async () => {
    const id = await makeSandbox(team);
    const send = (more: CallOptions) => team.client.call(uploadSandboxFile, { params: { id }, ...more });
    const form = formOf('Hello', { path: 'a.txt' });
    const text = Buffer.from(form.rawBody!).toString();
    const two = text.replace(
      /--the-boundary-of-a-form--/,
      `${text.slice(text.lastIndexOf('--the-boundary-of-a-form\r\n'))}`,
    );
    const bad: [string, CallOptions, number][] = [
      ['no body', { headers: form.headers }, 400],
      ['JSON', { body: { path: 'a' } }, 415],
      ['no boundary', { ...form, headers: { 'content-type': 'multipart/form-data' } }, 415],
      ['another boundary', { ...form, headers: { 'content-type': 'multipart/form-data; boundary=x' } }, 400],
      ['cut off', { ...form, rawBody: text.slice(0, -20) }, 400],
      [
        'no file',
        { ...form, rawBody: text.replace('name="file"; filename="note.txt"', 'name="other"') },
        400,
      ],
      ['a file under another name', { ...form, rawBody: text.replace('name="file"', 'name="data"') }, 400],
      ['two files', { ...form, rawBody: two }, 400],
      ['compressed', { ...form, headers: { ...form.headers, 'content-encoding': 'gzip' } }, 415],
      ['too large', formOf(Buffer.alloc(maxFormFileBytes + 1), { path: 'a.txt' }), 413],
    ];
    for (const [name, request, status] of bad) {
      expect([name, (await send(request)).status]).toEqual([name, status]);
    }
    const { files } = await team.client.succeed<{ files: object[] }>(listSandboxFiles, { params: { id } });
    expect(files).toEqual([]);
    expect((await send(formOf(Buffer.alloc(maxFormFileBytes), { path: 'a.txt' }))).status).toBe(201);
  });

  it('a run in a sandbox that is unknown or another team’s is refused', async () => {
    const other = await newTeam(admin, 'Other');
    const foreign = await makeSandbox(other);
    const agentId = await makeAgent(team);
    for (const sandboxId of [foreign, '0198c0de-0000-7000-8000-000000000000']) {
      const body = { agent_id: agentId, sandbox_id: sandboxId };
      const answer = await team.client.call(startRun, { params: { teamId: team.id }, body });
      expect(answer.status).toBe(404);
    }
  });

  it('what is larger than an answer should be is downloaded', async () => {
    const id = await makeSandbox(team);
    const bytes = Buffer.alloc(1024 * 1024 + 1, 'x');
    await put(await uploadUrl(id, 'large.txt'), bytes);
    const shown = await read(id, 'large.txt');
    expect(shown).toMatchObject({ content: null, size_bytes: bytes.length });
    const { text } = await get(shown.download_url);
    expect(createHash('sha256').update(text).digest('hex')).toBe(
      createHash('sha256').update(bytes).digest('hex'),
    );
  });
});
