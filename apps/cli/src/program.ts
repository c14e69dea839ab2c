import { Command } from 'commander';
import { addAgentCommands } from './commands/agents.js';
import { addCompletionCommand } from './commands/completion.js';
import { addInboxCommand } from './commands/inbox.js';
import { addLoginCommands } from './commands/login.js';
import { addMcpCommands } from './commands/mcp.js';
import { addQueueCommands } from './commands/queues.js';
import { addRunCommands } from './commands/runs.js';
import { addWebhookCommands } from './commands/webhooks.js';
import { openSession, type GlobalOptions, type Surroundings, type WithSession } from './session.js';

export function programOf(around: Surroundings): Command {
  const program = new Command('aos')
    .description('Run operational agents from the command line.')
    .version(around.version, '-V, --version', 'print the version')
    .option('--json', 'print JSON for programs')
    .option('--base-url <url>', 'where the service is (AOS_BASE_URL)')
    .option('--key <key>', 'the API key (AOS_API_KEY)')
    .option('--team <id>', 'the team, where the key does not tell (AOS_TEAM_ID)')
    .configureOutput({ writeOut: (text) => around.out.write(text), writeErr: around.writeRemark })
    .showHelpAfterError('Run with --help to see what there is.');
  const withSession: WithSession =
    (work) =>
    async (...given) =>
      work(await openSession(around, program.opts<GlobalOptions>()), ...given);
  addLoginCommands(program, around);
  addRunCommands(program, withSession);
  addInboxCommand(program, withSession);
  addAgentCommands(program, withSession);
  addQueueCommands(program, withSession);
  addWebhookCommands(program, withSession);
  addMcpCommands(program, withSession);
  addCompletionCommand(program, around);
  return program;
}
