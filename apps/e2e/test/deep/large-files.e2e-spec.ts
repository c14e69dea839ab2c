import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  createSandboxUploadUrl,
  getSandboxFileContent,
  listSandboxFiles,
  maxFileBytes,
} from '@aos/contracts';
import { growthDuring } from '../../src/memory-growth.js';
import { makeSandbox } from '../../src/sample-files.js';
import { startStack, type Stack } from '../../src/stack.js';
import { connectAdmin, newTeam, type Team } from '../../src/team.js';

const mebibyte = 1024 * 1024;
const allowedGrowth = 50 * mebibyte;

/** The same bytes each time, without having them all at once. */
function* bytesOf(size: number): Generator<Buffer> {
  const block = randomBytes(mebibyte);
  for (let sent = 0; sent < size; sent += block.length) {
    yield block.subarray(0, Math.min(block.length, size - sent));
  }
}

describe('files as large as they may be', () => {
  let stack: Stack;
  let team: Team;

  beforeAll(async () => {
    stack = await startStack({ services: ['runs', 'agents-and-revisions'] });
    team = await newTeam(await connectAdmin(stack));
  });

  afterAll(async () => {
    await stack?.stop();
  });

  async function uploadUrl(id: string, path: string): Promise<string> {
    const sent = { params: { id }, body: { path } };
    return (await team.client.succeed<{ upload_url: string }>(createSandboxUploadUrl, sent)).upload_url;
  }

  /** Sends a file in chunks; gives the status and the digest of what was sent. */
  async function upload(url: string, size: number): Promise<{ status: number; digest: string }> {
    const hash = createHash('sha256');
    const outgoing = request(url, { method: 'PUT', headers: { 'content-type': 'image/x-anything' } });
    const answered = new Promise<number>((resolve, reject) => {
      outgoing.on('response', (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode!));
      });
      outgoing.on('error', reject);
    });
    const source = Readable.from(bytesOf(size)).on('data', (chunk: Buffer) => hash.update(chunk));
    await Promise.all([pipeline(source, outgoing).catch(() => undefined), answered]);
    return { status: await answered, digest: hash.digest('hex') };
  }

  async function download(url: string): Promise<string> {
    const answer = await fetch(url);
    const hash = createHash('sha256');
    for await (const chunk of answer.body!) hash.update(chunk as Uint8Array);
    return hash.digest('hex');
  }

  it('100 MiB go in and out without any process holding them', async () => {
    const id = await makeSandbox(team);
    // What a process takes once, it takes before the measurement.
    await upload(await uploadUrl(id, 'warm-up.bin'), 20 * mebibyte);
    const params = { id };
    const warm = { params, query: { path: 'warm-up.bin' } };
    await download(
      (await team.client.succeed<{ download_url: string }>(getSandboxFileContent, warm)).download_url,
    );
    const growth = await growthDuring(stack, async () => {
      const sent = await upload(await uploadUrl(id, 'large.bin'), maxFileBytes);
      expect(sent.status).toBe(200);
      const shown = await team.client.succeed<{ download_url: string; size_bytes: number }>(
        getSandboxFileContent,
        { params, query: { path: 'large.bin' } },
      );
      expect(shown.size_bytes).toBe(maxFileBytes);
      expect(await download(shown.download_url)).toBe(sent.digest);
    });
    const grown = Object.entries(growth).filter(([, bytes]) => bytes >= allowedGrowth);
    expect(grown).toEqual([]);
  });

  it('one byte more is refused, also when the length is not told before, and leaves no file', async () => {
    const id = await makeSandbox(team);
    expect((await upload(await uploadUrl(id, 'large.bin'), maxFileBytes + 1)).status).toBe(413);
    const { files } = await team.client.succeed<{ files: object[] }>(listSandboxFiles, { params: { id } });
    expect(files).toEqual([]);
  });
});
