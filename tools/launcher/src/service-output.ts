import { join } from 'node:path';
import { asFileError, makeFolder } from '@aos/local-infra';
import { ConfigProblemLines } from './config-problems.js';
import { LogFile } from './log-file.js';
import { terminalLine } from './log-line.js';

export interface ServiceOutputOptions {
  dataDir: string;
  logToStdout: boolean;
  say: (line: string) => void;
  /** Takes whole lines as the services wrote them. */
  passThrough: (text: string) => void;
}

/** Takes what the processes write: all of it into files, warnings also to the terminal. */
export class ServiceOutput {
  readonly #folder: string;
  readonly #files = new Map<string, LogFile>();
  readonly #options: ServiceOutputOptions;
  readonly #configProblems = new Map<string, string[]>();

  constructor(options: ServiceOutputOptions) {
    this.#options = options;
    this.#folder = join(options.dataDir, 'logs');
    makeFolder(this.#folder);
  }

  pathOf(source: string): string {
    return join(this.#folder, `${source}.log`);
  }

  /** A sink for one process; several of one service share its file, so only whole lines are written. */
  sink(source: string): (chunk: string, stream: 'stdout' | 'stderr') => void {
    const file = this.#fileOf(source);
    const unfinished = { stdout: '', stderr: '' };
    const problems = new ConfigProblemLines();
    return (chunk, stream) => {
      const text = unfinished[stream] + chunk;
      const end = text.lastIndexOf('\n') + 1;
      unfinished[stream] = text.slice(end);
      if (end === 0) return;
      const lines = text.slice(0, end);
      file.write(lines);
      this.#show(source, stream === 'stderr' ? this.#keepProblems(source, problems, lines) : lines);
    };
  }

  /** For the stores, whose chatter nobody reads until something is wrong. */
  fileOnly(source: string): (line: string) => void {
    const file = this.#fileOf(source);
    return (line) => file.write(`${line}\n`);
  }

  close(): void {
    for (const file of this.#files.values()) file.close();
    this.#files.clear();
  }

  /** What each service told of its settings so far. */
  get configProblems(): ReadonlyMap<string, readonly string[]> {
    return this.#configProblems;
  }

  /** Takes what is wrong with settings out of the text: several tell the same, and it is shown once at the end. */
  #keepProblems(source: string, problems: ConfigProblemLines, text: string): string {
    const others = text.split('\n').filter((line) => {
      const told = problems.read(line);
      if (told?.problem) {
        this.#configProblems.set(source, [...(this.#configProblems.get(source) ?? []), told.problem]);
      }
      return !told;
    });
    return others.join('\n');
  }

  #show(source: string, lines: string): void {
    const { logToStdout, passThrough, say } = this.#options;
    if (logToStdout) return passThrough(lines);
    for (const line of lines.split('\n')) {
      const shown = terminalLine(source, line);
      if (shown !== undefined) say(shown);
    }
  }

  #fileOf(source: string): LogFile {
    const known = this.#files.get(source);
    if (known) return known;
    try {
      const file = new LogFile(this.pathOf(source));
      this.#files.set(source, file);
      return file;
    } catch (error) {
      throw asFileError(error, this.pathOf(source));
    }
  }
}
