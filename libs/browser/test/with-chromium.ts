import { parseAllowedRanges, type Resolve } from '@aos/egress';
import {
  BrowserActionError,
  BrowserLauncher,
  canKeepApart,
  findChromium,
  type BrowserLimits,
  type Screenshot,
} from '../src/index.js';

const executablePath = await findChromium({ path: process.env['PATH'] ?? '' });

/** Whether browsers of tests have their sandbox. */
export const sandbox = await canKeepApart();

/** Tests that need a real Chromium; where there is none they are skipped, and their name says why. */
export function describeWithChromium(name: string, tests: () => void): void {
  if (executablePath) describe(name, tests);
  else describe.skip(`${name} (skipped: no Chromium on the PATH)`, tests);
}

/** One address is open: what listens on another of loopback is the inside. Names are asked of nobody. */
export function launcher({
  limits,
  resolve = () => Promise.resolve([]),
  temporaryFolder,
}: { limits?: Partial<BrowserLimits>; resolve?: Resolve; temporaryFolder?: string } = {}): BrowserLauncher {
  return new BrowserLauncher({
    executablePath: executablePath ?? '',
    // Off only where neither another user nor a namespace can be had.
    sandbox,
    egress: { allowed: parseAllowedRanges('127.0.0.1/32'), resolve },
    limits,
    temporaryFolder,
  });
}

export async function failureOf(action: Promise<unknown>): Promise<BrowserActionError> {
  const error: unknown = await action.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof BrowserActionError) return error;
  throw new Error('The action did not fail with a BrowserActionError', { cause: error });
}

/** The signature of PNG, then the size that its header names. */
export function expectPicture({ png, width, height, capturedAt }: Screenshot): void {
  expect(png.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1280, 800]);
  expect([width, height]).toEqual([1280, 800]);
  expect(capturedAt).toBeInstanceOf(Date);
}
