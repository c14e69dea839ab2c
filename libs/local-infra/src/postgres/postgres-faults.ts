interface Place {
  port: number;
  dataDir: string;
}

const knownFaults: { pattern: RegExp; say: (place: Place, match: RegExpMatchArray) => string }[] = [
  {
    pattern: /Address already in use|could not bind/,
    say: ({ port }) => `port ${port} on 127.0.0.1 is already in use`,
  },
  {
    pattern: /No space left on device/,
    say: ({ dataDir }) => `no space left on the disk of ${dataDir}`,
  },
  {
    pattern: /error while loading shared libraries: ([^:]+)/,
    say: (_, match) => `the library ${match[1]} is missing; run npm ci again`,
  },
  {
    pattern: /pre-existing shared memory block/,
    say: ({ dataDir }) => `another Postgres is still ending on ${dataDir}; try again in a few seconds`,
  },
  {
    pattern: /Permission denied|wrong ownership/,
    say: ({ dataDir }) => `permission denied in ${dataDir}; it may belong to another user`,
  },
];

/** Why Postgres did not start, in one line, from what it wrote last. */
export function explainPostgresFault(output: string, place: Place): string {
  for (const { pattern, say } of knownFaults) {
    const match = output.match(pattern);
    if (match) return say(place, match);
  }
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const telling = lines.findLast((line) => /FATAL|PANIC|error:/i.test(line)) ?? lines.at(-1);
  return telling?.trim() ?? 'it ended without a word';
}
