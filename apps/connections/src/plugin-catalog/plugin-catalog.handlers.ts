import { describeToolSets, listPluginCatalog, type OperationResponse } from '@aos/contracts';
import { Handles, ServiceClient } from '@aos/messaging';
import { Controller, Inject } from '@nestjs/common';
import { Providers } from '../providers/providers.js';
import { connectorPlugin, mcpPlugin } from './connector-plugins.js';

@Controller()
export class PluginCatalogHandlers {
  constructor(
    @Inject(ServiceClient) private readonly services: ServiceClient,
    @Inject(Providers) private readonly providers: Providers,
  ) {}

  /** What is built in is known to the service that runs it. */
  @Handles(listPluginCatalog)
  async listPluginCatalog(): Promise<OperationResponse<typeof listPluginCatalog>> {
    const { tool_sets: toolSets } = await this.services.call(describeToolSets, {});
    return { plugins: [...toolSets, ...this.providers.all.map(connectorPlugin), mcpPlugin] };
  }
}
