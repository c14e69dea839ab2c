import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@aos/testing';
import { startCommand, type Account, type RunningCommand } from '../../src/command-line.js';

const runId = '00000000-0000-7000-8000-000000000001';
const row = { run_id: runId, status: 'pending', agent_name: 'a', created_at: 'now', title: 'A run' };

/** A service that takes requests and leaves them without an answer, but for those that a test answers. */
class SilentService {
  readonly asked: string[] = [];
  answer: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  private readonly server: Server = createServer((request, response) => {
    request.resume();
    this.asked.push(`${request.method} ${request.url}`);
    this.answer(request, response);
  });

  async start(): Promise<Account> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return { baseUrl: `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`, key: 'a-key' };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

describe('a command that is under way', () => {
  let service: SilentService;
  let account: Account;
  let folder: string;

  beforeEach(async () => {
    service = new SilentService();
    account = await service.start();
    folder = await mkdtemp(join(tmpdir(), 'command-line-ends-'));
  });

  afterEach(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  const start = (...args: string[]): RunningCommand =>
    startCommand(account, args, { AOS_TEAM_ID: '00000000-0000-7000-8000-000000000002' });

  const commands: [string, string[]][] = [
    ['a list', ['runs', 'list']],
    ['a run by the name of its agent', ['runs', 'start', '--agent', 'Greeter']],
    ['a file', ['runs', 'files', runId, 'a.txt']],
    ['a run that is followed', ['runs', 'follow', runId]],
    ['events that are forwarded', ['webhooks', 'listen', '--forward-to', 'http://127.0.0.1:9']],
    ['a queue that is filled', ['queues', 'import', runId, 'cases.csv']],
    ['the team of a key', ['--key', 'another', 'whoami']],
  ];

  it.each(commands)('ends at once with Ctrl-C, and says no more: %s', async (_, args) => {
    const cases = join(folder, 'cases.csv');
    await writeFile(cases, 'title\nLamp\n');
    const command = start(...args.map((arg) => (arg === 'cases.csv' ? cases : arg)));
    await eventually(() => expect(service.asked).toHaveLength(1));
    command.stop();
    expect(await command.ended).toMatchObject({ exitCode: 130, out: '', err: '' });
    expect(service.asked).toHaveLength(1);
  });

  it('ends with SIGTERM as with Ctrl-C, and tells it apart', async () => {
    const command = start('runs', 'list');
    await eventually(() => expect(service.asked).toHaveLength(1));
    command.stop('SIGTERM');
    expect(await command.ended).toMatchObject({ exitCode: 143, err: '' });
  });

  it('stops following in the middle of what it follows', async () => {
    const event = { event: 'run.file.created', data: { path: 'a.txt', size_bytes: 1 } };
    service.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`id: 1\nevent: ${event.event}\ndata: ${JSON.stringify(event)}\n\n`);
    };
    const command = start('runs', 'follow', runId);
    await eventually(() => expect(command.err()).toContain('file a.txt'));
    command.stop();
    expect((await command.ended).exitCode).toBe(130);
  });

  it('leaves nothing of a file that it was writing', async () => {
    service.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/csv' });
      response.write('title\n');
    };
    const command = start('queues', 'export', runId, '-o', join(folder, 'all.csv'));
    await eventually(async () => expect(await readdir(folder)).toHaveLength(1));
    expect(await readdir(folder)).not.toContain('all.csv');
    command.stop();
    expect((await command.ended).exitCode).toBe(130);
    expect(await readdir(folder)).toEqual([]);
  });

  it('ends quietly when nobody reads it any longer', async () => {
    service.answer = (_, response) =>
      response.end(JSON.stringify({ data: Array.from({ length: 100 }, () => row), total: 1_000_000 }));
    const command = start('runs', 'list', '--limit', '300');
    command.stopReading();
    expect(await command.ended).toMatchObject({ exitCode: 0, err: '' });
  });
});
