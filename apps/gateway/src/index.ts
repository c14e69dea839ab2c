export { gatewayConfigSchema, type GatewayConfig } from './gateway.config.js';
export { gatewayService, startGateway } from './gateway.service.js';
export { openApiDocument } from './openapi/openapi-document.js';
export { allowedCallers, refuseForeign } from './mcp/allowed-callers.js';
export { McpExchanges } from './mcp/mcp-exchanges.js';
export {
  ToolServer,
  type Generation,
  type TaskSource,
  type ToolCall,
  type ToolSource,
} from './mcp/tool-server.js';
