import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
  type CompletedPart,
} from '@aws-sdk/client-s3';
import { partsOf } from './s3-parts.js';
import type { S3Calls, S3Work } from './s3-calls.js';

/**
 * One request for a file of one part, else a multipart upload, a part at a time. The SDK's own `Upload` returns from
 * an abort before the parts under way have ended, and holds several parts in memory.
 */
export async function upload(
  calls: S3Calls,
  key: string,
  bytes: AsyncIterable<Buffer>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const multipart = new MultipartUpload(calls, key, signal);
  try {
    for await (const { body, last } of partsOf(bytes)) {
      if (last && !multipart.begun) return await put(calls, key, body, signal);
      await multipart.send(body);
    }
    await multipart.complete();
  } catch (error) {
    await multipart.abort();
    throw error;
  }
}

/** Gives up a multipart upload; one that is already gone is none to fail for. */
export async function abortUpload(calls: S3Calls, key: string, uploadId: string): Promise<void> {
  const command = new AbortMultipartUploadCommand({ Bucket: calls.bucket, Key: key, UploadId: uploadId });
  await calls.attempt('give up an upload', async (client) => {
    try {
      await client.send(command);
    } catch (error) {
      if (!(error instanceof Error && error.name === 'NoSuchUpload')) throw error;
    }
  });
}

async function put(
  calls: S3Calls,
  key: string,
  body: Buffer,
  signal: AbortSignal | undefined,
): Promise<void> {
  const command = new PutObjectCommand({ Bucket: calls.bucket, Key: key, Body: body });
  await calls.attempt('write a file', (client, options) => client.send(command, options), { signal });
}

class MultipartUpload {
  private readonly target: { Bucket: string; Key: string };
  private readonly parts: CompletedPart[] = [];
  private uploadId: string | undefined;

  constructor(
    private readonly calls: S3Calls,
    private readonly key: string,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.target = { Bucket: calls.bucket, Key: key };
  }

  get begun(): boolean {
    return this.uploadId !== undefined;
  }

  async send(body: Buffer): Promise<void> {
    await this.attempt(async (client, options) => {
      if (this.uploadId === undefined) {
        // Without the signal: an upload that was begun after all would have an id that this process does not know.
        const { UploadId } = await client.send(new CreateMultipartUploadCommand(this.target));
        if (UploadId === undefined) throw new Error('The upload has no id');
        this.uploadId = UploadId;
      }
      const PartNumber = this.parts.length + 1;
      const part = { ...this.target, UploadId: this.uploadId, PartNumber, Body: body };
      const { ETag } = await client.send(new UploadPartCommand(part), options);
      this.parts.push({ PartNumber, ETag });
    });
  }

  async complete(): Promise<void> {
    const whole = { ...this.target, UploadId: this.uploadId, MultipartUpload: { Parts: this.parts } };
    await this.attempt((client, options) => client.send(new CompleteMultipartUploadCommand(whole), options));
  }

  /** What cannot be given up now is given up by the sweep. */
  async abort(): Promise<void> {
    if (this.uploadId === undefined) return;
    await abortUpload(this.calls, this.key, this.uploadId).catch(() => undefined);
  }

  private attempt<Result>(work: S3Work<Result>): Promise<Result> {
    return this.calls.attempt('write a file', work, { signal: this.signal });
  }
}
