import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';

const largestBytes = 10 * 1024 * 1024;

/** A log that keeps one older file beside it, so that it never takes more than twice its limit. */
export class LogFile {
  readonly #path: string;
  readonly #limitBytes: number;
  #descriptor: number;
  #sizeBytes: number;

  constructor(path: string, limitBytes = largestBytes) {
    this.#path = path;
    this.#limitBytes = limitBytes;
    this.#descriptor = openSync(path, 'a', 0o600);
    this.#sizeBytes = fstatSync(this.#descriptor).size;
    if (this.#sizeBytes >= limitBytes) this.#rotate();
  }

  write(text: string): void {
    try {
      if (this.#sizeBytes >= this.#limitBytes) this.#rotate();
      this.#sizeBytes += writeSync(this.#descriptor, text);
    } catch {
      // A full disk must not end the program that keeps the others alive; the line is lost.
    }
  }

  close(): void {
    closeSync(this.#descriptor);
    // The number may soon belong to another file.
    this.#descriptor = -1;
  }

  #rotate(): void {
    closeSync(this.#descriptor);
    renameSync(this.#path, `${this.#path}.1`);
    this.#descriptor = openSync(this.#path, 'a', 0o600);
    this.#sizeBytes = 0;
  }
}
