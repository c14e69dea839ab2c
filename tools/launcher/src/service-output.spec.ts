import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../test/support.js';
import { LogFile } from './log-file.js';
import { ServiceOutput } from './service-output.js';

const folder = temporaryFolder();
afterAll(() => folder.remove());

describe('ServiceOutput', () => {
  const open = (name: string, logToStdout: boolean) => {
    const said: string[] = [];
    const passed: string[] = [];
    const output = new ServiceOutput({
      dataDir: join(folder.path, name),
      logToStdout,
      say: (line) => said.push(line),
      passThrough: (text) => passed.push(text),
    });
    return { output, said, passed };
  };

  it('writes whole lines of several processes into one file and shows warnings', () => {
    const { output, said, passed } = open('files', false);
    const [one, two] = [output.sink('runs'), output.sink('runs')];
    one('{"level":30,"msg":"a', 'stdout');
    two('{"level":40,"msg":"b"}\n', 'stdout');
    one('"}\nrest', 'stdout');
    output.close();
    expect(readFileSync(output.pathOf('runs'), 'utf8')).toBe(
      '{"level":40,"msg":"b"}\n{"level":30,"msg":"a"}\n',
    );
    expect(statSync(output.pathOf('runs')).mode & 0o777).toBe(0o600);
    expect(said).toEqual(['runs: WARN b']);
    expect(passed).toEqual([]);
  });

  it('passes all through when asked', () => {
    const { output, said, passed } = open('stdout', true);
    output.sink('runs')('{"level":30}\n{"level":40}\n', 'stdout');
    output.close();
    expect(passed.join('')).toBe('{"level":30}\n{"level":40}\n');
    expect(said).toEqual([]);
  });
});

describe('LogFile', () => {
  it('keeps one older file, also over starts', () => {
    const path = join(folder.path, 'small.log');
    const first = new LogFile(path, 10);
    for (const text of ['one one one\n', 'two two two\n', 'three\n']) first.write(text);
    first.close();
    expect(readFileSync(`${path}.1`, 'utf8')).toBe('two two two\n');
    expect(readFileSync(path, 'utf8')).toBe('three\n');
    const second = new LogFile(path, 6);
    second.write('four\n');
    second.close();
    expect(readFileSync(`${path}.1`, 'utf8')).toBe('three\n');
    expect(readFileSync(path, 'utf8')).toBe('four\n');
    expect(readdirSync(folder.path).filter((name) => name.startsWith('small'))).toHaveLength(2);
  });

  it('loses a line rather than failing', () => {
    const file = new LogFile(join(folder.path, 'closed.log'));
    file.close();
    expect(() => file.write('lost\n')).not.toThrow();
  });
});
