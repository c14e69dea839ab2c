import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { FileNotFound, FileStoreUnavailable } from '../file-store-errors.js';
import { rangeBehindEnd } from '../bytes/requested-bytes.js';

export interface S3Options {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly forcePathStyle: boolean;
  readonly connectTimeoutMs?: number;
  /** Of one attempt, from its start to the head of the answer: the sending of a part is within it. */
  readonly requestTimeoutMs?: number;
}

/** One call, with the options that it has to be sent with. */
export type S3Work<Result> = (client: S3Client, options: { abortSignal?: AbortSignal }) => Promise<Result>;

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Whose absence is told as `FileNotFound`. */
  readonly key?: string;
}

/** The client of one bucket, and what its failures mean to callers of a file store. */
export class S3Calls {
  readonly bucket: string;
  private readonly client: S3Client;

  constructor(options: S3Options) {
    this.bucket = options.bucket;
    this.client = new S3Client({
      endpoint: options.endpoint,
      region: options.region,
      forcePathStyle: options.forcePathStyle,
      credentials: { accessKeyId: options.accessKeyId, secretAccessKey: options.secretAccessKey },
      // The default is a checksum in a trailer, which many S3-compatible stores do not know. Bodies are signed.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      // Stores that never answer 100 would cost seconds for each part, and each part a connection of its own.
      expectContinueHeader: false,
      requestHandler: {
        connectionTimeout: options.connectTimeoutMs ?? 3_000,
        requestTimeout: options.requestTimeoutMs ?? 60_000,
        throwOnRequestTimeout: true,
        // A download that its reader has paused is no fault; `StoredBytes` knows who waits for whom.
        socketTimeout: 0,
        httpAgent: { maxSockets: 512 },
        httpsAgent: { maxSockets: 512 },
      },
    });
  }

  async attempt<Result>(
    action: string,
    work: S3Work<Result>,
    { signal, key }: CallOptions = {},
  ): Promise<Result> {
    try {
      return await work(this.client, { abortSignal: signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw meaningOf(error, action, key);
    }
  }

  close(): void {
    this.client.destroy();
  }
}

function meaningOf(error: unknown, action: string, key: string | undefined): Error {
  if (error instanceof S3ServiceException) {
    // A missing bucket is a 404 too, and by its name another one; the answer to HEAD has no name.
    const absent = error.name === 'NoSuchKey' || error.name === 'NotFound';
    if (key !== undefined && absent) return new FileNotFound(key, error);
    if (error.$metadata.httpStatusCode === 416) return rangeBehindEnd();
  }
  return new FileStoreUnavailable(action, error);
}
