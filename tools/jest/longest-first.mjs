import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import TestSequencer from '@jest/test-sequencer';
import { kindOf, root } from './config.mjs';

/** Seconds by file, written by `npm test -- --full --record`. */
const recorded = JSON.parse(readFileSync(new URL('durations.json', import.meta.url), 'utf8'));
const usual = { e2e: 10, integration: 5, unit: 0 };

/** Starts the longest files first, so that no core is idle while the last file ends alone. */
export default class LongestFirst extends (TestSequencer.default ?? TestSequencer) {
  sort(tests) {
    const seconds = ({ path }) => recorded[relative(root, path).replaceAll(sep, '/')] ?? usual[kindOf(path)];
    return [...tests].sort((a, b) => seconds(b) - seconds(a));
  }
}
