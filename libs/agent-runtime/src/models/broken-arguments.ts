const opening = 'The arguments of the call are not JSON';

/** Why arguments cannot be read, for the model; undefined if they can. */
export function whyNotJson(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const position = /position (\d+)/.exec(String(error))?.[1] ?? text.length;
    return `${opening}: they break at character ${position}. Make it again with one whole JSON object.`;
  }
}

export function isOfBrokenArguments(error: string | undefined): boolean {
  return error?.startsWith(opening) === true;
}
