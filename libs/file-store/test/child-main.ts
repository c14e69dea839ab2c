import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { createFileStore, type FileStoreSettings } from '../src/file-store-settings.js';
import type { StoredFile } from '../src/file-store.js';

export interface Task {
  /** `hoard` does what no store may: it holds the whole file in memory. */
  readonly kind: 'stream' | 'hoard' | 'stall';
  readonly settings: FileStoreSettings;
  readonly key: string;
  readonly sizeBytes: number;
}

export interface Measured {
  readonly grownBytes: number;
  readonly written: StoredFile;
  readonly read: StoredFile;
}

const chunkBytes = 65_536;

// Looked at with every chunk. The system's own maximum would be that of the parent, which a child begins with.
let peakBytes = 0;
const look = () => {
  peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
};

/** Gives its bytes as fast as they are taken, each chunk in memory of its own, as sockets do. */
function bytesOf(sizeBytes: number, onEnd: (source: Readable) => void): Readable {
  let given = 0;
  return new Readable({
    read() {
      if (given >= sizeBytes) return onEnd(this);
      const size = Math.min(chunkBytes, sizeBytes - given);
      given += size;
      look();
      this.push(Buffer.alloc(size, given / chunkBytes));
    },
  });
}

const whole = (sizeBytes: number) => bytesOf(sizeBytes, (source) => source.push(null));

/** A reader slower than the store. */
async function digestOf(stream: Readable): Promise<StoredFile> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    hash.update(chunk);
    sizeBytes += chunk.length;
    look();
    await setImmediate();
  }
  return { sizeBytes, sha256: hash.digest('hex') };
}

async function run({ kind, settings, key, sizeBytes }: Task): Promise<void> {
  const store = await createFileStore(settings);
  const options = { maxBytes: sizeBytes, signal: new AbortController().signal };
  if (kind === 'stall') {
    await store.write(
      key,
      bytesOf(sizeBytes, () => process.send?.('half')),
      { maxBytes: Infinity },
    );
    return;
  }
  // What the first use of anything costs is not what is measured.
  await store.write('warm/up', whole(chunkBytes), options);
  await digestOf((await store.read('warm/up')).stream);
  const before = process.memoryUsage.rss();
  peakBytes = before;
  const source = whole(sizeBytes);
  const written = await store.write(
    key,
    kind === 'hoard' ? Buffer.concat(await source.toArray()) : source,
    options,
  );
  const read = await digestOf((await store.read(key, { signal: options.signal })).stream);
  look();
  await store.close();
  process.send?.({ grownBytes: peakBytes - before, written, read } satisfies Measured);
}

await run(JSON.parse(process.argv[2]!) as Task);
process.disconnect();
