const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [...'"\\[]{}'].map((character) =>
  character.charCodeAt(0),
);

/** How many arrays and objects lie in each other at the deepest place of a JSON text. */
export function jsonDepth(json: string): number {
  let depth = 0;
  let deepest = 0;
  let isText = false;
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (isText) {
      if (code === backslash) index += 1;
      else if (code === quote) isText = false;
    } else if (code === quote) isText = true;
    else if (code === openBracket || code === openBrace) deepest = Math.max(deepest, (depth += 1));
    else if (code === closeBracket || code === closeBrace) depth -= 1;
  }
  return deepest;
}
