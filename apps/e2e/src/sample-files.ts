import { randomUUID } from 'node:crypto';
import {
  createSandbox,
  createSandboxUploadUrl,
  getRunSandboxFileContentByRun,
  getSandboxFileContent,
  uploadSandboxFile,
} from '@aos/contracts';
import type { QueryableDatabase } from '@aos/testing';
import type { CallOptions } from './api-client.js';
import { makeAgent, makeRun, steps } from './sample-agents.js';
import type { Team } from './team.js';

const boundary = 'the-boundary-of-a-form';

/** A form as a browser sends it. */
export function formOf(
  content: string | Buffer,
  { path, name = 'note.txt' }: { path?: string; name?: string } = {},
): Pick<CallOptions, 'rawBody' | 'headers'> {
  const parts = [
    ...(path === undefined
      ? []
      : [`--${boundary}\r\ncontent-disposition: form-data; name="path"\r\n\r\n${path}`]),
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: text/plain\r\n\r\n`,
  ];
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    rawBody: Buffer.concat([
      Buffer.from(parts.join('\r\n')),
      Buffer.from(content),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  };
}

export async function makeSandbox({ client }: Team): Promise<string> {
  return (await client.succeed<{ sandbox_id: string }>(createSandbox)).sandbox_id;
}

/** A sandbox with a file in a folder. */
export async function filledSandbox(team: Team): Promise<Record<string, string>> {
  const params = { id: await makeSandbox(team) };
  await team.client.succeed(uploadSandboxFile, { params, ...formOf('Hello', { path: 'notes/hello.txt' }) });
  return params;
}

/** A run that has written a file. */
export async function writingRun(team: Team): Promise<{ agent_id: string; run_id: string }> {
  const write = 'tool write_file {"path": "notes/a.txt", "content": "Written"}';
  const agentId = await makeAgent(team, steps(write, 'finish Done'));
  return { agent_id: agentId, run_id: await makeRun(team, agentId) };
}

export async function uploadToken(team: Team): Promise<string> {
  const request = { params: { id: await makeSandbox(team) }, body: { path: 'sent.txt' } };
  return tokenIn(
    (await team.client.succeed<{ upload_url: string }>(createSandboxUploadUrl, request)).upload_url,
  );
}

export async function downloadToken(team: Team): Promise<string> {
  const { download_url: url } = await team.client.succeed<{ download_url: string }>(getSandboxFileContent, {
    params: await filledSandbox(team),
  });
  return tokenIn(url);
}

function tokenIn(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}

/** What a browser would leave behind, stored as the product stores it: not every machine has Chromium. */
export async function browsedRun(team: Team, database: QueryableDatabase): Promise<Record<string, string>> {
  const run = await writingRun(team);
  const { path } = await team.client.succeed<{ path: string }>(getRunSandboxFileContentByRun, {
    params: run,
  });
  const [sessionId, pageId] = [randomUUID(), randomUUID()];
  await database.query(`INSERT INTO runs.browser_session VALUES ($1, $2, $3, now())`, [
    sessionId,
    run.run_id,
    team.id,
  ]);
  await database.query(
    `INSERT INTO runs.browser_page VALUES ($1, $2, 'https://example.com/', 'Example', now(), NULL)`,
    [pageId, sessionId],
  );
  await database.query(
    `INSERT INTO runs.screenshot VALUES ($1, $2, $3, $4, 'https://example.com/', 'Example', 'open', now(), 1280, 800, $5)`,
    [randomUUID(), run.run_id, sessionId, pageId, path],
  );
  return { ...run, session_id: sessionId };
}
