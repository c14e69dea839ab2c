import { describeToolSets, listPluginCatalog, type OperationResponse } from '@aos/contracts';
import { Handles, ServiceClient } from '@aos/messaging';
import { Controller, Inject } from '@nestjs/common';

@Controller()
export class PluginCatalogHandlers {
  constructor(@Inject(ServiceClient) private readonly services: ServiceClient) {}

  /** What is built in is known to the service that runs it. */
  @Handles(listPluginCatalog)
  async listPluginCatalog(): Promise<OperationResponse<typeof listPluginCatalog>> {
    const { tool_sets: plugins } = await this.services.call(describeToolSets, {});
    return { plugins };
  }
}
