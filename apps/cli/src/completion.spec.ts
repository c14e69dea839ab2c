import { execFileSync } from 'node:child_process';
import { Writable } from 'node:stream';
import { completionScript, shells } from './completion.js';
import { programOf } from './program.js';

const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
const program = programOf({
  version: '1.0.0',
  environment: {},
  out: nowhere,
  writeRemark: () => undefined,
  isTerminal: false,
  prompts: undefined,
  signal: new AbortController().signal,
});

/** The words with which bash completes the last of these. */
function offered(...words: string[]): string[] {
  const script = `${completionScript(program, 'bash')}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length - 1}
_aos
echo "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split(' ');
}

describe('the completion of the shell', () => {
  it('offers commands, their commands and their options', () => {
    expect(offered('aos', 'ag')).toEqual(['agents']);
    expect(offered('aos', 'agents', 'pu')).toEqual(['pull', 'push']);
    expect(offered('aos', 'agents', 'push', '--dr')).toEqual(['--dry-run']);
    expect(offered('aos', 'agents', 'push', 'folder', '--pr')).toEqual(['--promote', '--prune']);
    expect(offered('aos', '--json', 'runs', 'sta')).toEqual(['start']);
    expect(offered('aos', 'completion', '--he')).toEqual(['--help']);
  });

  it.each(shells)('knows every command in %s', (shell) => {
    const script = completionScript(program, shell);
    for (const command of program.commands) expect(script).toContain(command.name());
  });
});
