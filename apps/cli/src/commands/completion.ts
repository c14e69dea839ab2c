import { Argument, type Command } from 'commander';
import { completionScript, shells, type Shell } from '../completion.js';
import type { Surroundings } from '../session.js';

export function addCompletionCommand(program: Command, { out }: Surroundings): void {
  program
    .command('completion')
    .description('print what a shell reads to complete commands and options')
    .addArgument(new Argument('<shell>', 'which shell').choices(shells))
    .action((shell: Shell) => void out.write(completionScript(program, shell)));
}
