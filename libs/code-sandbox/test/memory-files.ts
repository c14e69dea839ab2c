import type { CodeFiles } from '../src/index.js';

/** Files of a test: a map, and what was asked of it. */
export class MemoryFiles implements CodeFiles {
  readonly contents = new Map<string, string>();
  readonly calls: string[] = [];

  async read(path: string): Promise<string> {
    this.calls.push(`read ${path}`);
    const content = this.contents.get(path);
    if (content === undefined) throw new Error(`No file ${path}.`);
    return content;
  }

  async write(path: string, content: string): Promise<void> {
    this.calls.push(`write ${path}`);
    this.contents.set(path, content);
  }

  async list(path?: string): Promise<unknown> {
    this.calls.push(`list ${path ?? '-'}`);
    return { files: [...this.contents.keys()].map((name) => ({ name })) };
  }

  async remove(path: string): Promise<unknown> {
    this.calls.push(`remove ${path}`);
    return { removed: this.contents.delete(path) };
  }
}
