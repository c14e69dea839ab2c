export interface Needed {
  readonly isThere: boolean;
  /** What the name says of tests that are skipped, such as "no Chromium on the PATH". */
  readonly missing: string;
}

/** Tests that need something which not every machine has; where it is missing they are skipped by name. */
export function describeWhere({ isThere, missing }: Needed, name: string, tests: () => void): void {
  if (isThere) describe(name, tests);
  else describe.skip(`${name} (skipped: ${missing})`, tests);
}

/** The extent of a storm: short in `npm test -- --full`, long in `npm run storm`, which sets `STORM=long`. */
export function ofStorm<T>(extent: { readonly short: T; readonly long: T }): T {
  return process.env['STORM'] === 'long' ? extent.long : extent.short;
}
