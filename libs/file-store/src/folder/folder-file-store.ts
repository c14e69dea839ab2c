import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, lstat, open, readdir, rename, rm, unlink, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { assertFileKey, assertKeyPrefix, InvalidFileKey } from '../names/file-key.js';
import type {
  FileReading,
  FileStore,
  ListedFile,
  ListOptions,
  ReadOptions,
  StoredFile,
  WriteOptions,
} from '../file-store.js';
import { FileNotFound, FileStoreUnavailable, systemCodeOf, unless } from '../file-store-errors.js';
import { hasFolders, makeFolders, removeEmptyFolders, syncFolder, walkKeys } from './folder-tree.js';
import { MeasuredSource } from '../bytes/measured-source.js';
import { assertByteRange, rangeBehindEnd } from '../bytes/requested-bytes.js';
import { StoredBytes } from '../bytes/stored-bytes.js';

const temporaryFolder = '.temporary';
const temporaryMaxAgeMs = 3_600_000;
const absent = ['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP'];

/** Files in a folder that belongs to the services alone. Several processes may use it at once. */
export class FolderFileStore implements FileStore {
  constructor(private readonly root: string) {}

  async write(key: string, source: Readable | Buffer, options: WriteOptions): Promise<StoredFile> {
    assertFileKey(key);
    const bytes = new MeasuredSource(source, options);
    const temporary = `${temporaryFolder}/${randomUUID()}`;
    try {
      await this.fill(temporary, bytes);
      options.signal?.throwIfAborted();
      await attempt('write a file', () => this.moveTo(key, temporary));
    } catch (error) {
      // What cannot be removed now is removed by the sweep.
      await rm(this.pathOf(temporary), { force: true }).catch(() => undefined);
      throw error;
    } finally {
      bytes.release();
    }
    return bytes.result();
  }

  async read(key: string, { range, signal }: ReadOptions = {}): Promise<FileReading> {
    assertFileKey(key);
    if (range) assertByteRange(range);
    signal?.throwIfAborted();
    const { handle, sizeBytes } = await attempt('read a file', () => this.open(key));
    if (signal?.aborted || (range && range.start >= sizeBytes)) {
      await handle.close();
      signal?.throwIfAborted();
      throw rangeBehindEnd();
    }
    const stream = new StoredBytes(handle.createReadStream({ start: range?.start, end: range?.end }), {
      toError: (error) => new FileStoreUnavailable('read a file', error),
    });
    return { stream: signal ? addAbortSignal(signal, stream) : stream, sizeBytes };
  }

  async size(key: string): Promise<number | undefined> {
    assertFileKey(key);
    return attempt('look for a file', async () => (await this.find(key))?.size);
  }

  async delete(key: string): Promise<void> {
    assertFileKey(key);
    await attempt('delete a file', async () => {
      if (!(await hasFolders(this.root, key))) return;
      await unless(absent, unlink(this.pathOf(key)));
      await removeEmptyFolders(this.root, key);
    });
  }

  async list(prefix: string, { after = '', limit }: ListOptions): Promise<ListedFile[]> {
    assertKeyPrefix(prefix);
    return attempt('list files', async () => {
      const files: ListedFile[] = [];
      if (limit < 1) return files;
      for await (const key of walkKeys(this.root, { prefix, after })) {
        const found = await this.find(key);
        if (found) files.push({ key, sizeBytes: found.size, storedAt: found.mtime });
        if (files.length === limit) break;
      }
      return files;
    });
  }

  async sweepTemporary(): Promise<number> {
    return attempt('remove temporary files', async () => {
      const folder = join(this.root, temporaryFolder);
      let removed = 0;
      for (const name of (await unless(absent, readdir(folder))) ?? []) {
        const found = await unless(absent, lstat(join(folder, name)));
        if (!found || found.mtimeMs > Date.now() - temporaryMaxAgeMs) continue;
        await rm(join(folder, name), { force: true });
        removed += 1;
      }
      return removed;
    });
  }

  async check(): Promise<void> {
    await attempt('use its folder', async () => {
      await makeFolders(this.root, `${temporaryFolder}/any`);
      for (const folder of [this.root, join(this.root, temporaryFolder)]) {
        await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
      }
    });
  }

  async close(): Promise<void> {
    // Nothing is kept open between calls.
  }

  private async fill(temporary: string, bytes: MeasuredSource): Promise<void> {
    const handle = await attempt('write a file', async () => {
      await makeFolders(this.root, temporary);
      return open(this.pathOf(temporary), 'wx', 0o600);
    });
    try {
      for await (const chunk of bytes) await attempt('write a file', () => handle.appendFile(chunk));
      await attempt('write a file', () => handle.sync());
    } finally {
      await attempt('write a file', () => handle.close());
    }
  }

  /**
   * A folder that has just been made can be gone again: `delete` removes those that it has emptied. Nothing comes
   * between making and moving, so that one of many tries wins against however many deletes.
   */
  private async moveTo(key: string, temporary: string): Promise<void> {
    const target = this.pathOf(key);
    const changed = new Set([dirname(target)]);
    for (let triesLeft = 100; ; triesLeft -= 1) {
      try {
        for (const folder of await makeFolders(this.root, key)) changed.add(folder);
        await rename(this.pathOf(temporary), target);
        break;
      } catch (error) {
        if (systemCodeOf(error) === 'EISDIR') throw new InvalidFileKey(`The file key ${key} is a folder`);
        if (systemCodeOf(error) !== 'ENOENT' || triesLeft === 0) throw error;
      }
    }
    for (const folder of changed) await syncFolder(folder);
  }

  private async open(key: string): Promise<{ handle: FileHandle; sizeBytes: number }> {
    if (!(await hasFolders(this.root, key))) throw new FileNotFound(key);
    const handle = await unless(absent, open(this.pathOf(key), constants.O_RDONLY | constants.O_NOFOLLOW));
    if (!handle) throw new FileNotFound(key);
    try {
      const found = await handle.stat();
      if (!found.isFile()) throw new FileNotFound(key);
      return { handle, sizeBytes: found.size };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  private async find(key: string) {
    if (!(await hasFolders(this.root, key))) return undefined;
    const found = await unless(absent, lstat(this.pathOf(key)));
    return found?.isFile() ? found : undefined;
  }

  private pathOf(key: string): string {
    return join(this.root, ...key.split('/'));
  }
}

/** Whatever the system says is a fault of the store; what the store itself says stays. */
async function attempt<Result>(action: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileNotFound || error instanceof InvalidFileKey) throw error;
    throw new FileStoreUnavailable(action, error);
  }
}
