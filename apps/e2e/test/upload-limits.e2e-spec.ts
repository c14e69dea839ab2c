import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import {
  createSandboxUploadUrl,
  getTeam,
  listSandboxFiles,
  uploadFile,
  uploadSandboxFile,
} from '@aos/contracts';
import { eventually } from '@aos/testing';
import type { ApiAnswer, ApiClient } from '../src/api-client.js';
import { formOf, makeSandbox } from '../src/sample-files.js';
import { startStack, type Stack } from '../src/stack.js';
import { connectAdmin, newKey, newTeam, type Team } from '../src/team.js';

const maxBytes = 100_000;
const maxFiles = 3;
const requestsAllowed = 60;

describe('what is sent to a sandbox', () => {
  let stack: Stack;
  let admin: ApiClient;
  let team: Team;
  let id: string;

  beforeAll(async () => {
    stack = await startStack({
      services: ['runs', 'agents-and-revisions'],
      environment: {
        SANDBOX_MAX_BYTES: String(maxBytes),
        SANDBOX_MAX_FILES: String(maxFiles),
        RATE_LIMIT_PER_MINUTE: String(requestsAllowed),
      },
    });
    admin = await connectAdmin(stack);
  });

  afterAll(async () => {
    await stack?.stop();
  });

  beforeEach(async () => {
    team = await newTeam(admin);
    id = await makeSandbox(team);
  });

  async function uploadUrl(path: string, client = team.client): Promise<string> {
    const wanted = { params: { id }, body: { path } };
    return (await client.succeed<{ upload_url: string }>(createSandboxUploadUrl, wanted)).upload_url;
  }

  function put(url: string, rawBody: string | Buffer): Promise<ApiAnswer> {
    const params = { token: url.slice(url.lastIndexOf('/') + 1) };
    return admin.call(uploadFile, { token: null, params, rawBody });
  }

  /** What lies in the store for the sandbox, whether or not it is a file. */
  async function stored(): Promise<string[]> {
    const all = await readdir(process.env['TEST_FILES_DIR']!, { recursive: true, withFileTypes: true });
    return all.filter((entry) => entry.isFile() && entry.parentPath.includes(id)).map(({ name }) => name);
  }

  async function files(): Promise<number> {
    return (await team.client.succeed<{ files: object[] }>(listSandboxFiles, { params: { id } })).files
      .length;
  }

  /** Sends the head of a request and as much of a body as it is given; resolves with the answer. */
  async function begin(
    url: string,
    headers: Record<string, string>,
    chunks: () => Iterable<Buffer>,
  ): Promise<{ status: number; sent: number; error: string }> {
    const outgoing = request(url, { method: 'PUT', headers });
    let [sent, answered] = [0, false];
    const answer = new Promise<{ status: number; text: string }>((resolve, reject) => {
      outgoing.on('error', reject);
      outgoing.on('response', (incoming) => {
        let text = '';
        answered = true;
        incoming.on('data', (chunk: Buffer) => (text += chunk.toString()));
        incoming.on('end', () => resolve({ status: incoming.statusCode!, text }));
      });
    });
    outgoing.flushHeaders();
    for (const chunk of chunks()) {
      if (answered) break;
      sent += chunk.length;
      if (!outgoing.write(chunk)) {
        await Promise.race([answer, new Promise((resolve) => outgoing.once('drain', resolve))]);
      }
    }
    const { status, text } = await answer;
    outgoing.destroy();
    return { status, sent, error: (JSON.parse(text) as { error: string }).error };
  }

  it('is refused before a byte is taken when it tells its size and has no room', async () => {
    const url = await uploadUrl('large.bin');
    const told = { 'content-length': String(maxBytes + 1) };
    const refused = await begin(url, told, () => []);
    expect([refused.status, refused.error]).toEqual([409, 'limit_reached']);
    expect(await stored()).toEqual([]);
    expect((await put(url, 'x'.repeat(maxBytes))).status).toBe(200);
    // There is room for what replaces as much.
    expect((await put(url, 'y'.repeat(maxBytes))).status).toBe(200);
    expect((await put(await uploadUrl('more.bin'), 'z')).status).toBe(409);
    expect((await put(await uploadUrl('empty.bin'), '')).status).toBe(200);
  });

  it('is cut off where the room ends when it does not tell its size', async () => {
    function* endless(): Generator<Buffer> {
      for (let count = 0; count < 2_000; count += 1) yield Buffer.alloc(16 * 1024);
    }
    const url = await uploadUrl('endless.bin');
    const refused = await begin(url, { 'transfer-encoding': 'chunked' }, endless);
    expect([refused.status, refused.error]).toEqual([409, 'limit_reached']);
    await eventually(async () => expect(await stored()).toEqual([]));
    expect(await files()).toBe(0);
  });

  it('is one file too many before its bytes are taken', async () => {
    for (const name of ['a', 'b', 'c']) expect((await put(await uploadUrl(name), name)).status).toBe(200);
    const refused = await begin(await uploadUrl('d'), { 'content-length': '50000' }, () => []);
    expect([refused.status, refused.error]).toEqual([409, 'limit_reached']);
    expect((await put(await uploadUrl('a'), 'anew')).status).toBe(200);
  });

  it('leaves nothing behind when it is refused in the end', async () => {
    expect((await put(await uploadUrl('a'), 'a file')).status).toBe(200);
    expect((await put(await uploadUrl('a/b'), 'in the way')).status).toBe(409);
    const form = formOf('in the way', { path: 'a/c' });
    expect((await team.client.call(uploadSandboxFile, { params: { id }, ...form })).status).toBe(409);
    const large = formOf('x'.repeat(maxBytes), { path: 'large' });
    expect((await team.client.call(uploadSandboxFile, { params: { id }, ...large })).status).toBe(409);
    await eventually(async () => expect(await stored()).toHaveLength(1));
    expect(await files()).toBe(1);
  });

  it('leaves nothing behind when it is a replay', async () => {
    const send = () =>
      team.client.call(uploadSandboxFile, {
        params: { id },
        ...formOf('once', { path: 'a' }),
        headers: { ...formOf('once', { path: 'a' }).headers, 'idempotency-key': 'once' },
      });
    const first = await send();
    const again = await send();
    expect([first.status, again.status, again.headers['idempotency-replayed']]).toEqual([201, 201, 'true']);
    await eventually(async () => expect(await stored()).toHaveLength(1));
  });

  it('is refused under its key for want of room, and again when there is room', async () => {
    const large = 'x'.repeat(maxBytes + 1);
    const form = formOf(large, { path: 'large' });
    const sendForm = (key: string) =>
      team.client.call(uploadSandboxFile, {
        params: { id },
        ...form,
        headers: { ...form.headers, 'idempotency-key': key },
      });
    const told = await uploadUrl('told');
    expect((await put(told, 'y'.repeat(maxBytes))).status).toBe(200);
    const more = await uploadUrl('more');
    const sendBytes = (key: string) =>
      admin.call(uploadFile, {
        token: null,
        params: { token: more.slice(more.lastIndexOf('/') + 1) },
        rawBody: 'more',
        headers: { 'idempotency-key': key },
      });
    for (const send of [sendForm, sendBytes]) {
      const first = await send('once');
      expect([first.status, first.body]).toMatchObject([409, { error: 'limit_reached' }]);
    }
    await team.client.call(uploadFile, {
      token: null,
      params: { token: told.slice(told.lastIndexOf('/') + 1) },
      rawBody: '',
    });
    for (const send of [sendForm, sendBytes]) {
      const again = await send('once');
      expect([again.status, again.headers['idempotency-replayed']]).toEqual([409, 'true']);
    }
    expect((await sendBytes('another')).status).toBe(200);
    expect(await files()).toBe(2);
  });

  it('counts for the credential that made the address, and for no other', async () => {
    const { key } = await newKey(team);
    const url = await uploadUrl('a', team.client.as(key));
    const uses = requestsAllowed - 1;
    const answers = await Promise.all(Array.from({ length: uses + 5 }, () => put(url, 'x')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(uses);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
    const params = { teamId: team.id };
    expect((await team.client.as(key).call(getTeam, { params })).status).toBe(429);
    expect((await team.client.call(getTeam, { params })).status).toBe(200);
  });
});
