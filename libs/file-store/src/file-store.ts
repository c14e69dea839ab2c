import type { Readable } from 'node:stream';

/** Both ends inclusive, as in HTTP; without `end` to the last byte. An `end` past the file means its last byte. */
export interface ByteRange {
  readonly start: number;
  readonly end?: number;
}

export interface WriteOptions {
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

export interface StoredFile {
  readonly sizeBytes: number;
  /** Hex, of all bytes. */
  readonly sha256: string;
}

export interface ReadOptions {
  readonly range?: ByteRange;
  readonly signal?: AbortSignal;
}

export interface FileReading {
  /** Only what is read is fetched. Must be read to the end or destroyed. Fails with `FileStoreUnavailable`. */
  readonly stream: Readable;
  /** Of the whole file, whatever the range. */
  readonly sizeBytes: number;
}

export interface ListedFile {
  readonly key: string;
  readonly sizeBytes: number;
  /** By the clock of the disk or of the S3 store. */
  readonly storedAt: Date;
}

export interface ListOptions {
  /** Only keys behind this one. */
  readonly after?: string;
  readonly limit: number;
}

/**
 * Bytes under opaque keys that services make (`sandboxes/<uuid>/<uuid>`). No key is a folder of another.
 * What is wrong with disk or S3 is told as `FileStoreUnavailable`; a bad key throws `InvalidFileKey`.
 */
export interface FileStore {
  /**
   * Readers see all bytes or none; of two writers of one key the last wins wholly. Whatever fails leaves what was
   * there before. Rejects with `FileTooLarge`, the source's own error or the signal's reason. A source that was not
   * read to its end stays open: it may be a request that still has to be answered.
   */
  write(key: string, source: Readable | Buffer, options: WriteOptions): Promise<StoredFile>;
  /** Rejects with `FileNotFound`, or with a `RangeError` when the range begins behind the last byte. */
  read(key: string, options?: ReadOptions): Promise<FileReading>;
  size(key: string): Promise<number | undefined>;
  /** Also when there is nothing. */
  delete(key: string): Promise<void>;
  /** In the order of the keys; fewer than `limit` are the last ones. For finding what was never committed. */
  list(prefix: string, options: ListOptions): Promise<ListedFile[]>;
  /** Removes what writers that died left half-written; returns how many. */
  sweepTemporary(): Promise<number>;
  /** Rejects unless files can be stored now; for readiness. */
  check(): Promise<void>;
  close(): Promise<void>;
}
