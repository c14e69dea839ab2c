import {
  authorizeMcpOAuth,
  finalizeOAuth,
  oauthCallback,
  oauthCallbackOfConnection,
  startNativeOAuth,
  type OperationResponse,
  type Req,
} from '@aos/contracts';
import { Handles, type CommitStep } from '@aos/messaging';
import { Controller } from '@nestjs/common';
import { toConnection } from '../connections/connection.mapper.js';
import { FlowDrafts } from './flow-drafts.js';
import { FlowEnds } from './flow-ends.js';
import { FlowStarts } from './flow-starts.js';
import { McpConsents } from './mcp-consents.js';
import { NativeConsents } from './native-consents.js';

@Controller()
export class OAuthFlowsHandlers {
  constructor(
    private readonly native: NativeConsents,
    private readonly mcp: McpConsents,
    private readonly starts: FlowStarts,
    private readonly ends: FlowEnds,
    private readonly drafts: FlowDrafts,
  ) {}

  @Handles(startNativeOAuth)
  async startNativeOAuth(
    request: Req<typeof startNativeOAuth>,
  ): Promise<CommitStep<OperationResponse<typeof startNativeOAuth>>> {
    const prepared = await this.native.prepare(request);
    return () => this.starts.begin(prepared);
  }

  @Handles(authorizeMcpOAuth)
  async authorizeMcpOAuth(
    request: Req<typeof authorizeMcpOAuth>,
  ): Promise<CommitStep<OperationResponse<typeof authorizeMcpOAuth>>> {
    const prepared = await this.mcp.prepare(request);
    return () => this.starts.begin(prepared);
  }

  @Handles(finalizeOAuth)
  async finalizeOAuth({
    teamId,
    body,
  }: Req<typeof finalizeOAuth>): Promise<CommitStep<OperationResponse<typeof finalizeOAuth>>> {
    const store = await this.ends.finalize(teamId, body);
    return async () => toConnection(await store());
  }

  @Handles(oauthCallback)
  oauthCallback({ query }: Req<typeof oauthCallback>) {
    return this.ends.fromBrowser({ ...query, redirect_uri: this.drafts.redirectUri() });
  }

  @Handles(oauthCallbackOfConnection)
  oauthCallbackOfConnection({ params, query }: Req<typeof oauthCallbackOfConnection>) {
    return this.ends.fromBrowser({ ...query, redirect_uri: this.drafts.redirectUri(params.connection_id) });
  }
}
