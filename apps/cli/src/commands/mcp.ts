import type { Command } from 'commander';
import { CommandError } from '../exit-codes.js';
import { mcpConfig, mcpClients } from '../mcp-config.js';
import type { WithSession } from '../session.js';

interface ConfigOptions {
  readonly client: string;
  readonly toolsets?: string;
  readonly withKey?: boolean;
}

export function addMcpCommands(program: Command, withSession: WithSession): void {
  program
    .command('mcp')
    .description('the service as an MCP server')
    .command('config')
    .description('print what an MCP client needs to connect to the service')
    .option('--client <name>', mcpClients.join(', '), 'claude-code')
    .option('--toolsets <list>', 'only these, such as runs,queues or agents-as-tools')
    .option('--with-key', 'with the key itself in place of a placeholder')
    .action(
      withSession(async ({ account, output }, { client, toolsets, withKey }: ConfigOptions) => {
        const key = withKey ? account.apiKey : 'YOUR_API_KEY';
        const config = mcpConfig(client, { baseUrl: account.baseUrl, key, toolsets });
        if (config === undefined) {
          throw new CommandError(`"${client}" is not one of ${mcpClients.join(', ')}.`);
        }
        if (config.file && !output.options.json) output.remark(output.style('dim', `# ${config.file}`));
        output.result(config.value, () => [config.text]);
      }),
    );
}
