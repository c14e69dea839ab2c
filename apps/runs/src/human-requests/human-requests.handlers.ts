import {
  listHumanRequests,
  respondToHumanRequest,
  type OperationRequest,
  type OperationResponse,
} from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { listAnswer } from '@aos/operations';
import { Controller, Inject } from '@nestjs/common';
import { toHumanRequest } from './human-request.mapper.js';
import { HumanRequestsService } from './human-requests.service.js';

@Controller()
export class HumanRequestsHandlers {
  constructor(@Inject(HumanRequestsService) private readonly requests: HumanRequestsService) {}

  @Handles(listHumanRequests)
  async listHumanRequests({
    teamId,
    query,
  }: OperationRequest<typeof listHumanRequests>): Promise<OperationResponse<typeof listHumanRequests>> {
    const { status, assignee, overdue, ...page } = query;
    const listed = await this.requests.list(teamId, { status, assignee, overdue }, page);
    return listAnswer('human_requests', listed, toHumanRequest);
  }

  @Handles(respondToHumanRequest)
  async respondToHumanRequest({
    teamId,
    principal,
    params: { run_id: runId, request_id: requestId },
    body,
  }: OperationRequest<typeof respondToHumanRequest>): Promise<
    OperationResponse<typeof respondToHumanRequest>
  > {
    const row = await this.requests.respond({ teamId, runId, requestId }, principal.credentialId, body);
    return { request_id: row.id, status: row.status, human_request: toHumanRequest(row) };
  }
}
