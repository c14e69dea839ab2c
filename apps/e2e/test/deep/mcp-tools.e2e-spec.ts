import { everyValue } from '../walks/choice.js';
import { describeMcpTools } from '../walks/describe-mcp-tools.js';

describeMcpTools('MCP tools, both generations', everyValue);
