export { ApiClient, pathOf, type ApiAnswer, type CallOptions } from './api-client.js';
export { errorShapeProblems } from './error-shape.js';
export { OpenApiContract } from './openapi-contract.js';
export { startStack, servicesBehindGateway, type Stack, type StackOptions } from './stack.js';
