import { describeToolSets, listPluginCatalog } from '@aos/contracts';
import { Handles, ServiceClient } from '@aos/messaging';
import { Controller } from '@nestjs/common';
import { Providers } from '../providers/providers.js';
import { connectorPlugin, mcpPlugin } from './connector-plugins.js';

@Controller()
export class PluginCatalogHandlers {
  constructor(
    private readonly services: ServiceClient,
    private readonly providers: Providers,
  ) {}

  /** What is built in is known to the service that runs it. */
  @Handles(listPluginCatalog)
  async listPluginCatalog() {
    const { tool_sets: toolSets } = await this.services.call(describeToolSets, {});
    return { plugins: [...toolSets, ...this.providers.all.map(connectorPlugin), mcpPlugin] };
  }
}
