import type { Command } from 'commander';

export const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof shells)[number];

/** The commands and options that can follow the words of a command. */
interface Follow {
  readonly words: string;
  readonly next: readonly string[];
}

/** The script that a shell reads to complete the commands and options of a program. */
export function completionScript(program: Command, shell: Shell): string {
  const follows = followsOf(program, '');
  const name = program.name();
  return shell === 'fish' ? fishScript(name, follows) : bashScript(name, follows, shell === 'zsh');
}

function followsOf(command: Command, words: string): Follow[] {
  const commands = command.commands.filter((one) => one.name() !== 'help');
  const options = command.createHelp().visibleOptions(command);
  const next = [...commands.map((one) => one.name()), ...options.flatMap(({ long }) => long ?? [])];
  const below = commands.flatMap((one) =>
    followsOf(one, words === '' ? one.name() : `${words} ${one.name()}`),
  );
  return [{ words, next }, ...below];
}

function bashScript(name: string, follows: readonly Follow[], isZsh: boolean): string {
  const cases = follows.map(({ words, next }) => `    '${words}') next='${next.join(' ')}' ;;`);
  return [
    ...(isZsh ? ['autoload -U +X bashcompinit && bashcompinit'] : []),
    `_${name}() {`,
    "  local words='' word next=''",
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    '    case $word in -*) ;; *) words="${words:+$words }$word" ;; esac',
    '  done',
    '  # What is no command is given to one: the words before it decide.',
    '  while :; do',
    '  case $words in',
    ...cases,
    "    *) case $words in *' '*) words=${words% *}; continue ;; *) words=''; continue ;; esac ;;",
    '  esac; break; done',
    '  COMPREPLY=($(compgen -W "$next" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    `complete -F _${name} ${name}`,
    '',
  ].join('\n');
}

function fishScript(name: string, follows: readonly Follow[]): string {
  const lines = follows.flatMap(({ words, next }) =>
    next.map((word) => {
      const seen = words.split(' ').map((one) => `__fish_seen_subcommand_from ${one}`);
      const condition = words === '' ? '__fish_use_subcommand' : seen.join('; and ');
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
      return `complete -c ${name} -f -n '${condition}' ${what}`;
    }),
  );
  return [...lines, ''].join('\n');
}
