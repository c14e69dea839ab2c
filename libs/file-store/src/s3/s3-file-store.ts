import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
} from '@aws-sdk/client-s3';
import { addAbortSignal, Readable } from 'node:stream';
import { assertFileKey, assertKeyPrefix, isFileKey } from '../names/file-key.js';
import type {
  FileReading,
  FileStore,
  ListedFile,
  ListOptions,
  ReadOptions,
  StoredFile,
  WriteOptions,
} from '../file-store.js';
import { FileNotFound, FileStoreUnavailable } from '../file-store-errors.js';
import { MeasuredSource } from '../bytes/measured-source.js';
import { assertByteRange } from '../bytes/requested-bytes.js';
import { S3Calls, type S3Options } from './s3-calls.js';
import { abortUpload, upload } from './s3-upload.js';
import { StoredBytes } from '../bytes/stored-bytes.js';

const maxPage = 1_000;
// Longer than for files on disk: S3 tells when an upload began, not when it last got on.
const uploadMaxAgeMs = 24 * 3_600_000;
const checkTimeoutMs = 5_000;

export interface S3FileStoreOptions extends S3Options {
  /** How long a download may be silent while its reader waits for bytes. */
  readonly idleTimeoutMs?: number;
}

/** Files in a bucket of an S3-compatible store that belongs to the services alone. */
export class S3FileStore implements FileStore {
  private readonly calls: S3Calls;
  private readonly bucket: { readonly Bucket: string };
  private readonly idleTimeoutMs: number;

  constructor({ idleTimeoutMs = 30_000, ...options }: S3FileStoreOptions) {
    this.calls = new S3Calls(options);
    this.bucket = { Bucket: options.bucket };
    this.idleTimeoutMs = idleTimeoutMs;
  }

  async write(key: string, source: Readable | Buffer, options: WriteOptions): Promise<StoredFile> {
    assertFileKey(key);
    const bytes = new MeasuredSource(source, options);
    try {
      await upload(this.calls, key, bytes, options.signal);
    } finally {
      bytes.release();
    }
    return bytes.result();
  }

  async read(key: string, { range, signal }: ReadOptions = {}): Promise<FileReading> {
    assertFileKey(key);
    if (range) assertByteRange(range);
    const Range = range && `bytes=${range.start}-${range.end ?? ''}`;
    const command = new GetObjectCommand({ ...this.bucket, Key: key, Range });
    const answer = await this.calls.attempt(
      'read a file',
      (client, options) => client.send(command, options),
      { signal, key },
    );
    const { Body, ContentLength, ContentRange } = answer;
    const total = range ? Number(/\/(\d+)$/.exec(ContentRange ?? '')?.[1]) : ContentLength;
    if (!(Body instanceof Readable) || total === undefined || Number.isNaN(total)) {
      if (Body instanceof Readable) Body.destroy();
      throw new FileStoreUnavailable(
        'read a file',
        new Error('The answer has no size, or ignores the range'),
      );
    }
    const stream = new StoredBytes(Body, {
      idleTimeoutMs: this.idleTimeoutMs,
      toError: (error) => new FileStoreUnavailable('read a file', error),
    });
    return { stream: signal ? addAbortSignal(signal, stream) : stream, sizeBytes: total };
  }

  async size(key: string): Promise<number | undefined> {
    assertFileKey(key);
    const command = new HeadObjectCommand({ ...this.bucket, Key: key });
    try {
      const found = await this.calls.attempt('look for a file', (client) => client.send(command), { key });
      return found.ContentLength;
    } catch (error) {
      if (error instanceof FileNotFound) return undefined;
      throw error;
    }
  }

  async delete(key: string): Promise<void> {
    assertFileKey(key);
    const command = new DeleteObjectCommand({ ...this.bucket, Key: key });
    await this.calls.attempt('delete a file', (client) => client.send(command));
  }

  async list(prefix: string, { after, limit }: ListOptions): Promise<ListedFile[]> {
    assertKeyPrefix(prefix);
    const files: ListedFile[] = [];
    for (let StartAfter = after || undefined, more = true; more && files.length < limit;) {
      const MaxKeys = Math.min(maxPage, limit - files.length);
      const command = new ListObjectsV2Command({ ...this.bucket, Prefix: prefix, StartAfter, MaxKeys });
      const page = await this.calls.attempt('list files', (client) => client.send(command));
      for (const { Key: key = '', Size, LastModified } of page.Contents ?? []) {
        StartAfter = key;
        // What no key can be is not from this store.
        if (isFileKey(key)) files.push({ key, sizeBytes: Size ?? 0, storedAt: LastModified ?? new Date(0) });
      }
      more = page.IsTruncated === true;
    }
    return files;
  }

  async sweepTemporary(): Promise<number> {
    let removed = 0;
    for (let KeyMarker: string | undefined, UploadIdMarker: string | undefined, more = true; more;) {
      const command = new ListMultipartUploadsCommand({ ...this.bucket, KeyMarker, UploadIdMarker });
      const page = await this.calls.attempt('list uploads', (client) => client.send(command));
      for (const { Key = '', UploadId = '', Initiated } of page.Uploads ?? []) {
        if (!isFileKey(Key) || !Initiated || Initiated.getTime() > Date.now() - uploadMaxAgeMs) continue;
        await abortUpload(this.calls, Key, UploadId);
        removed += 1;
      }
      ({ NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page);
      more = page.IsTruncated === true && KeyMarker !== undefined;
    }
    return removed;
  }

  async check(): Promise<void> {
    const command = new HeadBucketCommand(this.bucket);
    const abortSignal = AbortSignal.timeout(checkTimeoutMs);
    await this.calls.attempt('reach its bucket', (client) => client.send(command, { abortSignal }));
  }

  async close(): Promise<void> {
    this.calls.close();
  }
}
