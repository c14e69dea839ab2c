import { deleteRun, type OperationRequest, type OperationResponse } from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { Controller, Inject } from '@nestjs/common';
import { RunDeletion } from './run-deletion.js';

@Controller()
export class RunDeletionHandlers {
  constructor(@Inject(RunDeletion) private readonly deletion: RunDeletion) {}

  @Handles(deleteRun)
  async deleteRun({
    teamId,
    params,
  }: OperationRequest<typeof deleteRun>): Promise<OperationResponse<typeof deleteRun>> {
    await this.deletion.delete(teamId, params.run_id);
    return { success: true };
  }
}
