import type { ModelMessage } from '../models/model.js';

/** The part of the room that one tool result may take. */
const resultShare = 1 / 4;

/** A turn with the results of its calls, or one message of a user: kept or left out as a whole. */
type Unit = readonly ModelMessage[];

/**
 * Makes a conversation fit. What fits stays as it is; else, only as far as it takes:
 * 1. every tool result is cut to a quarter of the room, its head and tail stay;
 * 2. the oldest turns and messages are left out, and a note in their place says how many. The first message of a
 *    user stays, and so does the newest turn with its results and whatever was posted since;
 * 3. the tool results that are left share what room there is.
 * The note also counts what was omitted before. A model without a bound is shown what there is, and no note.
 */
export function trimContext(
  messages: readonly ModelMessage[],
  maxChars: number,
  omitted = 0,
): readonly ModelMessage[] {
  const fits = sizeOf(messages) <= maxChars;
  if (maxChars === Infinity || (fits && omitted === 0)) return messages;
  const cut = fits ? messages : cutResults(messages, Math.floor(maxChars * resultShare));
  const kept = dropOldest(unitsOf(cut), maxChars, omitted);
  if (sizeOf(kept) <= maxChars) return kept;
  const results = kept.filter(({ role }) => role === 'tool').length;
  const others = sizeOf(kept.filter(({ role }) => role !== 'tool'));
  return cutResults(kept, Math.floor(Math.max(0, maxChars - others) / results));
}

/** In characters: texts, results and what the calls say. */
export function sizeOf(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + sizeOfOne(message), 0);
}

function sizeOfOne(message: ModelMessage): number {
  if (message.role === 'user') return message.text.length;
  if (message.role === 'tool') return message.result.length;
  const calls = message.toolCalls ?? [];
  return calls.reduce(
    (sum, call) => sum + call.name.length + JSON.stringify(call.arguments).length,
    message.text.length,
  );
}

function cutResults(messages: readonly ModelMessage[], maxLength: number): readonly ModelMessage[] {
  return messages.map((message) =>
    message.role === 'tool' ? { ...message, result: cutMiddle(message.result, maxLength) } : message,
  );
}

/** Never longer than it was; where not even the note fits, only the note is left. */
function cutMiddle(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const maxNoteLength = cutNote(text.length).length;
  const half = Math.max(0, Math.floor((maxLength - maxNoteLength) / 2));
  const note = cutNote(text.length - 2 * half);
  const cut = `${text.slice(0, half)}${note}${half > 0 ? text.slice(-half) : ''}`;
  // A cut may go through a surrogate pair.
  return cut.length < text.length ? cut.toWellFormed() : text;
}

function cutNote(characters: number): string {
  return `\n[${characters} characters were left out here]\n`;
}

function unitsOf(messages: readonly ModelMessage[]): Unit[] {
  const units: ModelMessage[][] = [];
  for (const message of messages) {
    if (message.role === 'tool' && units.length > 0) units.at(-1)!.push(message);
    else units.push([message]);
  }
  return units;
}

function dropOldest(units: readonly Unit[], maxChars: number, omitted: number): ModelMessage[] {
  const mayGo = droppable(units);
  let size = units.reduce((sum, unit) => sum + sizeOf(unit), 0);
  let left = omitted;
  const gone = new Set<Unit>();
  for (const unit of mayGo) {
    const note = left === 0 ? 0 : leftOutNote(left).text.length;
    if (size + note <= maxChars) break;
    gone.add(unit);
    left += unit.length;
    size -= sizeOf(unit);
  }
  const place = omitted > 0 ? firstOfUser(units) + 1 : units.findIndex((unit) => gone.has(unit));
  const note = left > 0 ? [leftOutNote(left)] : [];
  return [
    ...units.slice(0, Math.max(place, 0)).flatMap((unit) => (gone.has(unit) ? [] : unit)),
    ...note,
    ...units.slice(Math.max(place, 0)).flatMap((unit) => (gone.has(unit) ? [] : unit)),
  ];
}

function firstOfUser(units: readonly Unit[]): number {
  return units.findIndex(([head]) => head?.role === 'user');
}

/** From the oldest on: all but the first message of a user and what begins with the newest turn. */
function droppable(units: readonly Unit[]): Unit[] {
  const first = firstOfUser(units);
  const newestTurn = units.findLastIndex(([head]) => head?.role === 'assistant');
  const tail = newestTurn === -1 ? units.length - 1 : newestTurn;
  return units.slice(0, tail).filter((_unit, index) => index !== first);
}

function leftOutNote(count: number): { readonly role: 'user'; readonly text: string } {
  return { role: 'user', text: `[${count} earlier messages were left out here to save room.]` };
}
