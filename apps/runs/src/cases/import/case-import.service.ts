import type { Readable } from 'node:stream';
import { AppError, type CaseActor, importCases, type KeyRecord, notFound } from '@aos/contracts';
import { Files, type FileStore } from '@aos/file-store';
import { newId } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { FileGarbageRepository } from '../../files/file-sweeps.js';
import { CasesService } from '../cases.service.js';
import { CaseProgress } from '../progress/case-progress.js';
import { QueuesRepository } from '../queues/queues.repository.js';
import { csvRows } from './csv-rows.js';
import { ImportLimiter } from './import-limiter.js';
import { answerOf, type ImportState, nothingImported, roomInBatch, weighed } from './import-state.js';
import { checkedRow, type CheckedRow, type FileRow, ndjsonRows } from './imported-rows.js';

export type ImportFormat = 'text/csv' | 'application/x-ndjson';

/** A file of cases, its bytes stored already. */
export interface ImportRequest {
  readonly teamId: string;
  readonly queueId: string;
  readonly format: ImportFormat;
  readonly key: string;
  readonly actor: CaseActor;
  readonly keyRecord: KeyRecord | undefined;
}

/** A batch ends with the row that makes it larger: rows of a mebibyte are some few together. */
const maxTextInBatch = 4 * 1024 * 1024;
/** How long an upload may take before its bytes are swept. */
const uploadMs = 2 * 3600_000;

const readers: Readonly<Record<ImportFormat, (source: Readable) => AsyncGenerator<FileRow>>> = {
  'text/csv': csvRows,
  'application/x-ndjson': ndjsonRows,
};

/** Makes cases of the rows of a file, at most 500 in a transaction; what is wrong is left out, and named. */
@Injectable()
export class CaseImport {
  constructor(
    private readonly queues: QueuesRepository,
    private readonly cases: CasesService,
    private readonly progress: CaseProgress,
    private readonly garbage: FileGarbageRepository,
    private readonly limiter: ImportLimiter,
    @Inject(Files) private readonly files: FileStore,
  ) {}

  /** The key under which the bytes of a file may be stored; they are garbage from the first, for they become no file. */
  async stage(teamId: string, queueId: string): Promise<string> {
    await this.queues.get(teamId, queueId);
    this.limiter.assertCapacity(teamId);
    const key = `${keysOf(teamId)}${newId()}`;
    await this.garbage.add(key, uploadMs);
    return key;
  }

  async discard(teamId: string, key: string): Promise<void> {
    if (key.startsWith(keysOf(teamId))) await this.garbage.expedite(key);
  }

  async nothing({ teamId, queueId, keyRecord }: Pick<ImportRequest, 'teamId' | 'queueId' | 'keyRecord'>) {
    await this.queues.get(teamId, queueId);
    return this.progress.run({
      operation: importCases,
      keyRecord,
      first: nothingImported,
      next: () => Promise.resolve(undefined),
      answer: answerOf,
    });
  }

  async run(request: ImportRequest) {
    const { teamId, queueId, key } = request;
    await this.queues.get(teamId, queueId);
    if (!key.startsWith(keysOf(teamId))) throw notFound('The upload');
    return this.limiter.run(teamId, () => this.read(request));
  }

  private async read({ teamId, queueId, format, key, actor, keyRecord }: ImportRequest) {
    const { stream } = await this.files.read(key);
    const rows = readers[format](stream);
    let batch: CheckedRow[] = [];
    try {
      return await this.progress.run({
        operation: importCases,
        keyRecord,
        first: nothingImported,
        // Outside the transaction: the bytes may come from afar.
        prepare: async (state) => {
          batch = await nextRows(rows, state);
        },
        next: async (state) => {
          if (batch.length === 0) return undefined;
          const { wanted, after } = weighed(batch, state);
          if (wanted.length > 0) await this.cases.create(teamId, queueId, wanted, actor, { shown: false });
          return after;
        },
        answer: answerOf,
      });
    } finally {
      stream.destroy();
    }
  }
}

/** The next rows behind those that were handled, here or by an earlier try. */
async function nextRows(rows: AsyncGenerator<FileRow>, state: ImportState): Promise<CheckedRow[]> {
  const room = roomInBatch(state);
  const found: CheckedRow[] = [];
  for (let size = 0; found.length < room && size < maxTextInBatch;) {
    const { value, done } = await rows.next();
    if (done) return found;
    if (value.position <= state.line) continue;
    found.push(checkedRow(value));
    size += value.size;
  }
  return found;
}

function keysOf(teamId: string): string {
  return `imports/${teamId}/`;
}

export function refuseUnknownFormat(): AppError {
  return new AppError('unsupported_media_type', 'The body must be text/csv or application/x-ndjson.');
}
