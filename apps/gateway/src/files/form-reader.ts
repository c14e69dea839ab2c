import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { AppError } from '@aos/contracts';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';

/** A form as it was read: its texts, and what became of its file. */
export interface ReadForm<Stored> {
  readonly fields: Readonly<Record<string, string>>;
  readonly file?: { readonly name: string | undefined; readonly stored: Stored };
}

const fileField = 'file';
const limits = {
  fieldNameSize: 100,
  fieldSize: 16 * 1024,
  fields: 20,
  files: 2,
  parts: 30,
  headerPairs: 100,
};

/**
 * Reads a multipart form with one file, whose bytes are stored while they come. Rejects with what `store` rejects with,
 * or with a refusal that names the fault.
 */
export function readForm<Stored>(
  request: IncomingMessage,
  store: (bytes: Readable, fieldsBefore: Readonly<Record<string, string>>) => Promise<Stored>,
): Promise<ReadForm<Stored>> {
  return new Promise((resolve, reject) => {
    const form = parserOf(request);
    const fields: Record<string, string> = {};
    let file: Promise<NonNullable<ReadForm<Stored>['file']>> | undefined;
    let fileBytes: Readable | undefined;
    const fail = (error: unknown): void => {
      request.unpipe(form);
      // The parser does not tell of an end that never came: whoever stores the file would wait for it.
      fileBytes?.destroy(error instanceof Error ? error : undefined);
      // Drains the rest of the request, so that the client can read the answer.
      request.resume();
      reject(error);
    };
    form.on('field', (name: string, value: string) => {
      fields[name] = value;
    });
    form.on('file', (name: string, bytes: Readable, fileName: string | undefined) => {
      bytes.on('error', fail);
      if (name !== fileField || file) {
        bytes.resume();
        fail(refused(file ? `${fileField}: there are two of them.` : `${name}: must not be a file.`));
        return;
      }
      fileBytes = bytes;
      file = store(bytes, fields).then((stored) => ({ name: fileName || undefined, stored }));
      file.catch(fail);
    });
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit']) {
      form.on(limit, () => fail(refused('The form has too many parts.')));
    }
    form.on('error', () => fail(refused('The form is malformed.')));
    form.on('finish', () => {
      Promise.resolve(file).then((stored) => resolve({ fields, file: stored }), fail);
    });
    request.on('aborted', () => fail(refused('The form is not complete.')));
    request.pipe(form);
  });
}

function parserOf(request: IncomingMessage): ReturnType<typeof Busboy> {
  try {
    return Busboy({ headers: request.headers as BusboyHeaders, limits });
  } catch {
    throw refused('The form is malformed: it has no boundary.');
  }
}

function refused(message: string): AppError {
  return new AppError('invalid_request', message);
}
