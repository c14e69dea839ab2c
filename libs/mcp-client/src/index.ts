export { McpClient, type McpClientOptions, type McpToolCall } from './mcp-client.js';
export { McpFailure, type McpFailureKind } from './mcp-failure.js';
export type {
  CallToolResult as McpToolResult,
  ContentBlock,
  Tool as McpTool,
} from '@modelcontextprotocol/client';
