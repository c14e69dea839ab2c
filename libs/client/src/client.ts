import { Follow } from './follow.js';
import { operationTable, type Operations } from './generated.js';
import type { OperationEntry } from './operation-entry.js';
import { eachOf, type Each } from './pages.js';
import { prepare, type Input } from './request.js';
import { Transport, type CallOptions, type ClientOptions } from './transport.js';

export type OperationId = keyof Operations;

export type InputOf<Id extends OperationId> = Operations[Id]['input'];

/** What a call gives: the JSON of the answer; for files and streams the response itself. */
export type OutputOf<Id extends OperationId> = Operations[Id] extends { output: infer Output }
  ? Output
  : (typeof operationTable)[Id] extends { gives: 'nothing' }
    ? void
    : Response;

type Arguments<Id extends OperationId> =
  Record<never, never> extends InputOf<Id>
    ? [input?: InputOf<Id>, options?: CallOptions]
    : [input: InputOf<Id>, options?: CallOptions];

/** One method for each operation; what goes into path, query and body is one object. */
export type Calls = {
  readonly [Id in OperationId]: (...given: Arguments<Id>) => Promise<OutputOf<Id>>;
};

export interface Client extends Calls {
  /** Lists, row by row. */
  readonly each: Each;
  /** Event streams, which survive lost connections. */
  readonly follow: Follow;
}

export function createClient(options: ClientOptions): Client {
  const transport = new Transport(options);
  const calls = Object.fromEntries(
    Object.entries<OperationEntry>(operationTable).map(([id, entry]) => [
      id,
      (input: Input = {}, callOptions?: CallOptions) => call(transport, entry, input, callOptions),
    ]),
  );
  // The table has an entry for each operation, which its type holds it to.
  return { ...calls, each: eachOf(calls as never), follow: new Follow(transport) } as unknown as Client;
}

async function call(
  transport: Transport,
  entry: OperationEntry,
  input: Input,
  options?: CallOptions,
): Promise<unknown> {
  const request = prepare(entry, input, transport.teamId);
  if (entry.gives === 'response' || entry.gives === 'events') return transport.send(request, options);
  const text = await transport.sendForText(request, options);
  return entry.gives === 'nothing' ? undefined : JSON.parse(text);
}
