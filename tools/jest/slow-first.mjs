// The files that take longest begin first, so that no core is idle while one of them ends alone. Jest knows how long they
// took only where it has run before; in a fresh clone this list tells it.
import { readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import TestSequencer from '@jest/test-sequencer';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const slowFiles = JSON.parse(readFileSync(join(here, 'slow-files.json'), 'utf8'));

export default class SlowFirst extends (TestSequencer.default ?? TestSequencer) {
  sort(tests) {
    const seconds = ({ path }) => slowFiles[relative(root, path).replaceAll(sep, '/')] ?? 0;
    // Jest's own order holds among those that the list does not name.
    return [...super.sort(tests)].sort((a, b) => seconds(b) - seconds(a));
  }
}
