/** What a session may take. */
export interface BrowserLimits {
  readonly viewport: { readonly width: number; readonly height: number };
  readonly launchTimeoutMs: number;
  readonly actionTimeoutMs: number;
  readonly navigationTimeoutMs: number;
  /** How long Chromium may take to leave by itself; then it is killed. */
  readonly closeTimeoutMs: number;
  /** Open at the same time; further ones are closed as they come. */
  readonly maxPages: number;
  /** In the whole session, closed ones too; further ones that pages open are closed as they come. */
  readonly maxPagesEver: number;
  readonly maxTextBytes: number;
  readonly maxTypedBytes: number;
  readonly maxDownloadBytes: number;
  /** In the whole session. */
  readonly maxDownloads: number;
}

export const defaultLimits: BrowserLimits = {
  viewport: { width: 1280, height: 800 },
  launchTimeoutMs: 30_000,
  actionTimeoutMs: 15_000,
  navigationTimeoutMs: 30_000,
  closeTimeoutMs: 3_000,
  maxPages: 10,
  maxPagesEver: 1_000,
  maxTextBytes: 100 * 1024,
  maxTypedBytes: 100_000,
  maxDownloadBytes: 100 * 1024 * 1024,
  maxDownloads: 20,
};
