import {
  authorizeMcpOAuth,
  finalizeOAuth,
  oauthCallback,
  startNativeOAuth,
  type OperationRequest,
  type OperationResponse,
} from '@aos/contracts';
import { Handles, type CommitStep } from '@aos/messaging';
import { Controller, Inject } from '@nestjs/common';
import { toConnection } from '../connections/connection.mapper.js';
import { FlowEnds } from './flow-ends.js';
import { FlowStarts } from './flow-starts.js';

@Controller()
export class OAuthFlowsHandlers {
  constructor(
    @Inject(FlowStarts) private readonly starts: FlowStarts,
    @Inject(FlowEnds) private readonly ends: FlowEnds,
  ) {}

  @Handles(startNativeOAuth)
  async startNativeOAuth(
    request: OperationRequest<typeof startNativeOAuth>,
  ): Promise<CommitStep<OperationResponse<typeof startNativeOAuth>>> {
    const prepared = await this.starts.native(request);
    return () => this.starts.begin(prepared);
  }

  @Handles(authorizeMcpOAuth)
  async authorizeMcpOAuth(
    request: OperationRequest<typeof authorizeMcpOAuth>,
  ): Promise<CommitStep<OperationResponse<typeof authorizeMcpOAuth>>> {
    const prepared = await this.starts.mcp(request);
    return () => this.starts.begin(prepared);
  }

  @Handles(finalizeOAuth)
  async finalizeOAuth({
    teamId,
    body,
  }: OperationRequest<typeof finalizeOAuth>): Promise<CommitStep<OperationResponse<typeof finalizeOAuth>>> {
    const store = await this.ends.finalize(teamId, body);
    return async () => toConnection(await store());
  }

  @Handles(oauthCallback)
  oauthCallback({
    query,
  }: OperationRequest<typeof oauthCallback>): Promise<OperationResponse<typeof oauthCallback>> {
    return this.ends.fromBrowser(query);
  }
}
