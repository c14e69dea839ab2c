/** What a client must know to call an operation. */
export interface OperationEntry {
  readonly method: string;
  readonly path: string;
  /** Those of its inputs that go into the query although it has a body. */
  readonly query?: readonly string[];
  /** How the body travels, where it is not JSON. */
  readonly takes?: 'form' | 'bytes';
  /** What the answer is, where it is not JSON. */
  readonly gives?: 'events' | 'response' | 'nothing';
  /** For lists: the field of the answer that holds the rows, and how the list goes on. */
  readonly items?: string;
  readonly paging?: 'offset' | 'cursor';
}
