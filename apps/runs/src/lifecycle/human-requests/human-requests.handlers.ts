import { awaitsApproval, listHumanRequests, type Req, respondToHumanRequest } from '@aos/contracts';
import { Handles, HandlesInternal } from '@aos/messaging';
import { listAnswer } from '@aos/service';
import { Controller } from '@nestjs/common';
import { HumanRequestsService, toHumanRequest } from './human-requests.service.js';

@Controller()
export class HumanRequestsHandlers {
  constructor(private readonly requests: HumanRequestsService) {}

  @Handles(listHumanRequests)
  async listHumanRequests({ teamId, query }: Req<typeof listHumanRequests>) {
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
  }: Req<typeof respondToHumanRequest>) {
    const row = await this.requests.respond({ teamId, runId, requestId }, principal.credentialId, body);
    return { request_id: row.id, status: row.status, human_request: toHumanRequest(row) };
  }

  @HandlesInternal(awaitsApproval)
  async awaitsApproval({ team_id: teamId, agent_id: agentId }: Req<typeof awaitsApproval>) {
    return { awaits: await this.requests.awaitsApproval(teamId, agentId) };
  }
}
