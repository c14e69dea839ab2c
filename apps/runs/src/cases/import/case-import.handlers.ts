import { discardImport, importCases, stageImport, type Req } from '@aos/contracts';
import { Handles, HandlesInternal } from '@aos/messaging';
import { Controller } from '@nestjs/common';
import { actorOf } from '../case.mapper.js';
import { CaseImport, refuseUnknownFormat } from './case-import.service.js';

@Controller()
export class CaseImportHandlers {
  constructor(private readonly imports: CaseImport) {}

  @Handles(importCases)
  async importCases({ teamId, principal, params, body, upload, keyRecord }: Req<typeof importCases>) {
    const queueId = params.queue_id;
    if (!upload) return this.imports.nothing({ teamId, queueId, keyRecord });
    if (body.content_type === undefined) throw refuseUnknownFormat();
    return this.imports.run({
      teamId,
      queueId,
      format: body.content_type,
      key: upload.key,
      actor: actorOf(principal),
      keyRecord,
    });
  }

  @HandlesInternal(stageImport)
  async stageImport({ team_id, queue_id }: Req<typeof stageImport>): Promise<{ key: string }> {
    return { key: await this.imports.stage(team_id, queue_id) };
  }

  @HandlesInternal(discardImport)
  async discardImport({ team_id, key }: Req<typeof discardImport>): Promise<Record<never, never>> {
    await this.imports.discard(team_id, key);
    return {};
  }
}
