import { continueCaseExport, exportCases, importCases, stageImport } from '@aos/contracts';
import { Files, type FileStore } from '@aos/file-store';
import { ServiceClient } from '@aos/messaging';
import type { RunsUnderTest } from './runs-under-test.js';

export type CaseFiles = ReturnType<typeof caseFiles>;

/** Imports and exports cases as files, as the gateway does. */
export function caseFiles(runs: RunsUnderTest) {
  const services = runs.running.app.get(ServiceClient);

  /** Stores the bytes; the owner of cases hears of them afterwards. */
  async function upload(queueId: string, text: string | Buffer) {
    const { key } = await services.call(stageImport, { team_id: runs.teamId, queue_id: queueId });
    const files = runs.running.app.get<FileStore>(Files);
    const { sizeBytes, sha256 } = await files.write(key, Buffer.from(text), { maxBytes: 2 ** 26 });
    return { key, size_bytes: sizeBytes, sha256 };
  }

  async function imported(queueId: string, text: string | Buffer, type = 'text/csv', key?: string) {
    return runs.call(importCases, {
      params: { queue_id: queueId },
      body: { content_type: type },
      upload: await upload(queueId, text),
      key,
    });
  }

  async function exported(queueId: string, query: Record<string, string> = {}): Promise<string> {
    const { status, body, text } = await runs.call(exportCases, { params: { queue_id: queueId }, query });
    if (status !== 200) throw new Error(text);
    let page = body as { text: string; next: unknown };
    let whole = page.text;
    while (page.next) {
      page = await services.call(continueCaseExport, { team_id: runs.teamId, state: page.next as never });
      whole += page.text;
    }
    return whole;
  }

  return { upload, imported, exported };
}
