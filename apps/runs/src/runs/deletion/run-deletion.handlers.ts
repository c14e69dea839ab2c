import { deleteRun, type Req } from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { Controller } from '@nestjs/common';
import { RunDeletion } from './run-deletion.js';

@Controller()
export class RunDeletionHandlers {
  constructor(private readonly deletion: RunDeletion) {}

  @Handles(deleteRun)
  async deleteRun({ teamId, params }: Req<typeof deleteRun>) {
    await this.deletion.delete(teamId, params.run_id);
    return { success: true as const };
  }
}
