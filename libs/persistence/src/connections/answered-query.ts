/** Fields of pg's Query, most of them private. */
const emptied = {
  text: '',
  values: undefined,
  callback: undefined,
  _result: undefined,
  _results: undefined,
};

/**
 * Takes from a query of pg that has its answer what it was asked and has answered. V8 often moves such a query to its old
 * generation, where it stays until the next full collection: with all that, this was the larger part of what a run left
 * there. 5 % more runs a second.
 */
export function emptyQuery(query: object): void {
  Object.assign(query, emptied);
}
