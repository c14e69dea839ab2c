import type { Readable } from 'node:stream';
/** A page of the session, open or not. Ids are made here and are unique. */
export interface PageFacts {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly openedAt: Date;
  readonly closedAt: Date | null;
}

export interface Screenshot {
  readonly png: Buffer;
  readonly width: number;
  readonly height: number;
  readonly capturedAt: Date;
}

export interface FinishedDownload {
  /** A name without folders, as the server or the page suggests it. */
  readonly suggestedName: string;
  readonly url: string;
  /** Gone when the session closes; the caller that has stored it may remove it before. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Rejects if the file is another than the one that was downloaded. */
  read(): Promise<Readable>;
}

/** What an action left behind. */
export interface ActionReport {
  /** The current page, on which the next action works. */
  readonly page: Pick<PageFacts, 'id' | 'url' | 'title'>;
  /** All pages since the session began that were not too many. */
  readonly pages: readonly PageFacts[];
  readonly screenshot: Screenshot;
  /** Finished since the last report, each told once. */
  readonly downloads: readonly FinishedDownload[];
  /** Names of downloads that go on. */
  readonly downloading: readonly string[];
  /** Alerts and questions of pages since the last report, which were dismissed. */
  readonly dialogs: readonly string[];
  /** Addresses that the page wanted and the guard refused. */
  readonly refused: readonly { readonly origin: string; readonly reason: string }[];
  /** Of `open`: the answer of the server. */
  readonly status?: number;
  /** Of `read`: the text, cut where `textTruncated` says so. */
  readonly text?: string;
  readonly textTruncated?: boolean;
}
