import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { testEnvironment } from '@aos/testing';

const program = fileURLToPath(new URL('../../../tools/ops/dist/bundle/ops.main.js', import.meta.url));

export interface OperatorAnswer {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Who runs the product for others, at the command line. */
export class Operator {
  constructor(private readonly environment: Readonly<Record<string, string>>) {}

  with(more: Readonly<Record<string, string>>): Operator {
    return new Operator({ ...this.environment, ...more });
  }

  run(args: readonly string[]): Promise<OperatorAnswer> {
    const env = { ...testEnvironment(this.environment), PATH: process.env['PATH'] };
    return new Promise((resolve) => {
      execFile(process.execPath, [program, ...args], { env }, (error, out, err) => {
        resolve({ code: error ? Number(error.code) : 0, out, err });
      });
    });
  }

  /** What a command says to programs. */
  async rows(args: readonly string[]): Promise<Record<string, unknown>[]> {
    const { out, err } = await this.run([...args, '--json']);
    if (out === '') throw new Error(err);
    return JSON.parse(out) as Record<string, unknown>[];
  }
}
