/** By hand: several questions in one round trip, each answered by an index. */
export function anyOf(questions: readonly string[]): string {
  return `SELECT ARRAY[${questions.map((rows) => `EXISTS (${rows})`).join(', ')}] AS found`;
}
