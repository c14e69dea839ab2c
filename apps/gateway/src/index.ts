export { gatewayConfigSchema, type GatewayConfig } from './gateway.config.js';
export { gatewayService, startGateway } from './gateway.service.js';
export { openApiDocument } from './openapi/openapi-document.js';
