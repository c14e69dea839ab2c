import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Command, Told } from './command.js';
import { deadDeliveries, retryDeliveries } from './commands/deliveries.js';
import { drain } from './commands/drain.js';
import { deadEvents, retryEvents } from './commands/events.js';
import { keys } from './commands/keys.js';
import { failedRuns, restoredRuns, stuckRuns } from './commands/runs.js';
import { status } from './commands/status.js';
import { surroundingsOf, type Environment } from './environment.js';
import { Problem } from './problem.js';
import { Product } from './product.js';
import { tableOf } from './table.js';

const commands: Readonly<Record<string, Command>> = {
  status,
  'events dead': deadEvents,
  'events retry': retryEvents,
  'deliveries dead': deadDeliveries,
  'deliveries retry': retryDeliveries,
  'runs stuck': stuckRuns,
  'runs failed': failedRuns,
  'runs restored': restoredRuns,
  drain,
  keys,
};

/** Programs of their own, which are told the rest of the line. */
const programs: Readonly<Record<string, { readonly file: string; readonly help: string }>> = {
  recount: {
    file: 'recount.mjs',
    help: 'recount FIRST-DAY LAST-DAY: usage of these days, again from its records',
  },
};

const wrongCall = 64;

export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

const terminal: Output = {
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
};

/** Gives the exit code. */
export async function main(
  argv: readonly string[],
  { out, err }: Output = terminal,
  env: Environment = process.env,
): Promise<number> {
  const [first = ''] = argv;
  if (first === '' || first === '--help' || first === 'help') {
    out(usage());
    return first === '' ? wrongCall : 0;
  }
  const program = programs[first];
  if (program) return runProgram(program.file, argv.slice(1), env);
  const name = [argv.slice(0, 2).join(' '), first].find((words) => Object.hasOwn(commands, words));
  if (name === undefined) {
    err(`There is no command ${first}.\n\n${usage()}`);
    return wrongCall;
  }
  const product = new Product(surroundingsOf(env));
  try {
    return await runCommand(commands[name]!, argv.slice(name.split(' ').length), product, out);
  } catch (error) {
    err(error instanceof Error ? error.message : String(error));
    return error instanceof Problem ? error.exitCode : isWrongCall(error) ? wrongCall : 1;
  } finally {
    await product.close();
  }
}

async function runCommand(
  command: Command,
  argv: readonly string[],
  product: Product,
  out: Output['out'],
): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      ...Object.fromEntries((command.options ?? []).map((option) => [option, { type: 'string' as const }])),
    },
  });
  const { json, ...options } = values as Record<string, string | undefined> & { json: boolean };
  const told = await command.run(product, { positionals, options });
  print(told, json, out);
  return told.failed ? 1 : 0;
}

function print({ rows, note }: Told, json: boolean, out: Output['out']): void {
  if (json) {
    out(JSON.stringify(rows));
    return;
  }
  if (rows.length > 0) out(tableOf(rows));
  if (note) out(note);
}

async function runProgram(file: string, argv: readonly string[], env: Environment): Promise<number> {
  const path = fileURLToPath(new URL(`../../${file}`, import.meta.url));
  const child = spawn(process.execPath, [path, ...argv], { stdio: 'inherit', env });
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}

/** What `parseArgs` throws for options that there are not. */
function isWrongCall(error: unknown): boolean {
  return String((error as NodeJS.ErrnoException | undefined)?.code).startsWith('ERR_PARSE_ARGS');
}

function usage(): string {
  const lines = [
    ...Object.values(commands).map(({ usage: words, help }) => [words, help]),
    ...Object.entries(programs).map(([name, { help }]) => [name, help]),
  ];
  const width = Math.max(...lines.map(([words]) => words!.length));
  const listed = lines.map(([words, help]) => `  ${words!.padEnd(width)}  ${help}`).join('\n');
  return `npm run ops -- <command> [--json]\n\n${listed}`;
}
