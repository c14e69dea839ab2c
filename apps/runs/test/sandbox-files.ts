import { commitFile, createSandbox, stageFile, type StagedFile } from '@aos/contracts';
import { Files, type FileStore } from '@aos/file-store';
import { ServiceClient } from '@aos/messaging';
import type { RunsUnderTest } from './runs-under-test.js';

/** Spellings that name something outside a sandbox, or would elsewhere. */
export const badPaths: readonly string[] = [
  '../outside.txt',
  'a/../../outside.txt',
  '/etc/passwd',
  '/workspace/../etc/passwd',
  '/workspacefoo/a.txt',
  '%2e%2e/outside.txt',
  'a%2f..%2f..%2foutside.txt',
  '..\\outside.txt',
  'line\nbreak.txt',
  'bell\u0007.txt',
  `${'long'.repeat(80)}.txt`,
  'folder/'.repeat(200) + 'a.txt',
];

/** What the gateway does with files, done without it. */
export class SandboxFiles {
  private readonly services: ServiceClient;
  readonly store: FileStore;

  constructor(private readonly runs: RunsUnderTest) {
    this.services = runs.running.app.get(ServiceClient);
    this.store = runs.running.app.get<FileStore>(Files);
  }

  async sandbox(): Promise<string> {
    return (await this.runs.call(createSandbox)).body.sandbox_id;
  }

  /** Bytes that are stored for the sandbox, and are no file of it yet. */
  async stage(sandboxId: string, content: string | Buffer): Promise<StagedFile> {
    const { key } = await this.services.call(stageFile, { team_id: this.runs.teamId, sandbox_id: sandboxId });
    const { sizeBytes, sha256 } = await this.store.write(key, Buffer.from(content), { maxBytes: 2 ** 20 });
    return { key, size_bytes: sizeBytes, sha256 };
  }

  commit(sandboxId: string, path: string, staged: StagedFile, teamId = this.runs.teamId) {
    return this.services.call(commitFile, { team_id: teamId, sandbox_id: sandboxId, path, ...staged });
  }

  async put(sandboxId: string, path: string, content: string): Promise<string> {
    const staged = await this.stage(sandboxId, content);
    await this.commit(sandboxId, path, staged);
    return staged.key;
  }

  async text(key: string): Promise<string> {
    const { stream } = await this.store.read(key);
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('utf8');
  }
}
