import { someValues } from './walks/choice.js';
import { describeMcpTools } from './walks/describe-mcp-tools.js';

describeMcpTools('MCP tools, one generation each', someValues(1));
