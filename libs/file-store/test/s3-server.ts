import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CreateBucketCommand, DeleteBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { startFauxqs, type FauxqsServer } from 'fauxqs';
import type { S3FileStoreOptions } from '../src/s3/s3-file-store.js';

export interface OpenUpload {
  readonly key: string;
  readonly uploadId: string;
  readonly initiated: Date;
}

/** True: the fault has answered, or never will. */
export type Fault = (incoming: IncomingMessage, answer: ServerResponse) => boolean;

const bucket = 'files';

/** An S3-compatible server, behind a front that sees every request and can spoil it. */
export class S3Server {
  /** As `METHOD /path?query`. */
  readonly requests: string[] = [];
  readonly authorizations = new Set<string | undefined>();
  /** What the server's own list of uploads would say; it has none. */
  uploads: readonly OpenUpload[] = [];
  fault: Fault = () => false;
  /** S3 may give fewer keys at once than it is asked for. */
  maxKeys = 1_000;
  private readonly front: Server;
  private readonly admin: S3Client;

  private constructor(private readonly server: FauxqsServer) {
    this.front = createServer((incoming, answer) => this.pass(incoming, answer)).listen(0, '127.0.0.1');
    this.admin = new S3Client({
      endpoint: `http://127.0.0.1:${server.port}`,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId: 'admin', secretAccessKey: 'admin' },
    });
  }

  static async start(): Promise<S3Server> {
    const fauxqs = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false });
    fauxqs.createBucket(bucket);
    const server = new S3Server(fauxqs);
    if (!server.front.listening) await once(server.front, 'listening');
    return server;
  }

  get options(): S3FileStoreOptions {
    return {
      endpoint: `http://127.0.0.1:${(this.front.address() as AddressInfo).port}`,
      bucket,
      region: 'eu-test-1',
      accessKeyId: 'the-access-key',
      secretAccessKey: 'the-secret-key',
      forcePathStyle: true,
    };
  }

  /** The server refuses to delete a bucket that holds a file, or a part of an upload that was not given up. */
  async isEmpty(): Promise<boolean> {
    try {
      await this.admin.send(new DeleteBucketCommand({ Bucket: bucket }));
    } catch (error) {
      if (error instanceof Error && error.name === 'BucketNotEmpty') return false;
      throw error;
    }
    await this.admin.send(new CreateBucketCommand({ Bucket: bucket }));
    return true;
  }

  reset(): void {
    this.server.emptyBucket(bucket);
    this.requests.length = 0;
    this.uploads = [];
    this.fault = () => false;
    this.maxKeys = 1_000;
  }

  async close(): Promise<void> {
    this.admin.destroy();
    this.front.closeAllConnections();
    this.front.close();
    await once(this.front, 'close');
    await this.server.stop();
  }

  private pass(incoming: IncomingMessage, answer: ServerResponse): void {
    const { method, url = '', headers } = incoming;
    this.requests.push(`${method} ${url}`);
    this.authorizations.add(headers.authorization);
    if (this.fault(incoming, answer)) return;
    if (method === 'GET' && new URL(url, 'http://front').searchParams.has('uploads')) {
      answer.end(this.uploadsAfter(new URL(url, 'http://front').searchParams.get('upload-id-marker')));
      return;
    }
    const path = url.replace(/max-keys=(\d+)/, (_, keys) => `max-keys=${Math.min(keys, this.maxKeys)}`);
    const target = { host: '127.0.0.1', port: this.server.port, method, path, headers };
    const outgoing = request(target, (found) => {
      answer.writeHead(found.statusCode ?? 500, found.headers);
      found.pipe(answer);
    });
    outgoing.on('error', () => answer.destroy());
    // A client that goes away takes its request with it, as it would without a front.
    answer.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  }

  /** One upload a page, so that every list has several. */
  private uploadsAfter(marker: string | null): string {
    const index = this.uploads.findIndex(({ uploadId }) => uploadId === marker) + 1;
    const found = this.uploads[index];
    const upload = found
      ? `<Upload><Key>${found.key}</Key><UploadId>${found.uploadId}</UploadId>` +
        `<Initiated>${found.initiated.toISOString()}</Initiated></Upload>` +
        `<NextKeyMarker>${found.key}</NextKeyMarker><NextUploadIdMarker>${found.uploadId}</NextUploadIdMarker>`
      : '';
    const more = index + 1 < this.uploads.length;
    return `<ListMultipartUploadsResult><IsTruncated>${more}</IsTruncated>${upload}</ListMultipartUploadsResult>`;
  }
}
