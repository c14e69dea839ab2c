import { terminalLine } from './log-line.js';

describe('terminalLine', () => {
  it.each([
    ['{"level":30,"msg":"served"}', undefined],
    ['{"time":1,"level":20,"msg":"detail"}', undefined],
    ['{"level":"info","msg":"served"}', undefined],
    ['{"time":1,"level":"debug","msg":"detail"}', undefined],
    ['', undefined],
    ['{"level":"warn","msg":"slow"}', 'runs: WARN slow'],
    ['{"level":40,"msg":"slow"}', 'runs: WARN slow'],
    ['{"level":50,"err":{"message":"boom"},"msg":"call failed"}', 'runs: ERROR call failed: boom'],
    ['{"level":60,"err":{"message":"boom"},"msg":"boom"}', 'runs: FATAL boom'],
    ['    at Object.<anonymous> (main.js:1:1)', 'runs:     at Object.<anonymous> (main.js:1:1)'],
    ['{not json', 'runs: {not json'],
  ])('%s', (line, expected) => {
    expect(terminalLine('runs', line)).toBe(expected);
  });
});
