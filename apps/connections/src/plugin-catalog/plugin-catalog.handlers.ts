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

  /** Built-in tool sets come from the run service. */
  @Handles(listPluginCatalog)
  async listPluginCatalog() {
    const { tool_sets: toolSets } = await this.services.call(describeToolSets, {});
    return { plugins: [...toolSets, ...this.providers.all.map(connectorPlugin), mcpPlugin] };
  }
}
