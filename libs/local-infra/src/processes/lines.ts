/** Cuts a stream of text into lines; `flush` hands out what has no line end yet. */
export function lineSplitter(onLine: (line: string) => void): { push(chunk: string): void; flush(): void } {
  let rest = '';
  return {
    push: (chunk) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line);
    },
    flush: () => {
      if (rest) onLine(rest);
      rest = '';
    },
  };
}

/** Keeps the last lines of an output, to say why a program ended. */
export function outputTail(onLine: (line: string) => void, size = 40) {
  const kept: string[] = [];
  const splitter = lineSplitter((line) => {
    kept.push(line);
    if (kept.length > size) kept.shift();
    onLine(line);
  });
  return {
    push: splitter.push,
    text: () => {
      splitter.flush();
      return kept.join('\n');
    },
  };
}
