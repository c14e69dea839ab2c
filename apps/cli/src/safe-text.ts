/**
 * Text of agents, models and other people, for a terminal: no character in it moves the cursor, changes colours or sets
 * the title of a window. Line breaks and tabs stay.
 */
export function safeText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}

/** The same on one line, and not longer than there is room for. */
export function oneLine(text: string, width = Infinity): string {
  const line = safeText(text).replaceAll(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length > width ? `${characters.slice(0, width - 1).join('')}…` : line;
}

/** The same of bytes that come in pieces. The line of the prompt that follows is its own. */
export async function* safePieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  let rest = '';
  let last = '\n';
  const safe = (text: string): string => {
    // A line break of two characters may come in two pieces.
    rest = text.endsWith('\r') ? '\r' : '';
    const piece = safeText(text.slice(0, text.length - rest.length));
    last = piece.at(-1) ?? last;
    return piece;
  };
  for await (const piece of pieces) yield safe(rest + decoder.decode(piece, { stream: true }));
  yield safe(rest + decoder.decode()) + safeText(rest);
  if (rest !== '' || last !== '\n') yield '\n';
}
