import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** What a page loads before anything is shown: its script, and all that this one imports at once. */
const maxBytes = 300_000;
const folder = join(import.meta.dirname, '..', 'dist');

function scriptsOf(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, path] of text.matchAll(/(?:from|import)\s*"(\.[^"]+\.js)"/g)) {
    scriptsOf(join(dirname(file), path!), seen);
  }
  return seen;
}

describe('the first load', () => {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const entries = [...page.matchAll(/(?:src|href)="\/console\/([^"]+\.js)"/g)].map((match) => match[1]!);

  it('is small', () => {
    const scripts = new Set(entries.flatMap((entry) => [...scriptsOf(join(folder, entry))]));
    const sizes = [...scripts].map((file) => gzipSync(readFileSync(file), { level: 9 }).length);
    expect(scripts.size).toBeGreaterThan(0);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(maxBytes);
  });

  it('leaves the editor for the pages that need it', () => {
    const scripts = entries.flatMap((entry) => [...scriptsOf(join(folder, entry))]);
    for (const file of scripts) expect(readFileSync(file, 'utf8')).not.toContain('cm-scroller');
  });
});
