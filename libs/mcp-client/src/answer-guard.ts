import type { FetchLike } from '@modelcontextprotocol/client';
import { BytesInFlight, type Reading } from './bytes-in-flight.js';
import { JsonShape } from './json-shape.js';
import { McpFailure } from './mcp-failure.js';

/** No server needs more in one message: pictures and texts are one part each. */
const shapeLimits = { maxDepth: 100, maxNodes: 200_000 };
const maxListBytes = 2 * 1024 * 1024;
/** As large as one answer may be: a process reads one of that size, or many smaller ones. */
const inFlight = new BytesInFlight(16 * 1024 * 1024);

const tooDeep = 'An answer of the server is nested too deeply or has too many parts.';
const tooLong = `The list of tools of the server is larger than ${maxListBytes} bytes.`;
const tooMuch =
  'The answer of the server was dropped: too many large answers were being read at that moment.';

/** One list of tools that is being read, in as many answers as it takes. */
interface Listing {
  bytes: number;
  readonly abort: AbortController;
}

/** Keeps the answers of a server from taking the memory of the process, which runs of other teams share. */
export class AnswerGuard {
  private listing: Listing | undefined;

  constructor(
    private readonly send: FetchLike,
    private readonly teamId: string,
  ) {}

  /** The fetch that was given, with answers that are counted as they arrive. */
  readonly fetch: FetchLike = async (input, init) => {
    const response = await this.send(input, init);
    if (!response.body) return response;
    const { status, statusText, headers } = response;
    const isEventStream = headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    const body = this.guarded(response.body, new JsonShape(shapeLimits, isEventStream));
    return new Response(body, { status, statusText, headers });
  };

  /** All bytes that arrive until the work has ended count for one list. The signal ends the work when they are too many. */
  async limitList<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const listing = { bytes: 0, abort: new AbortController() };
    this.listing = listing;
    try {
      return await work(listing.abort.signal);
    } catch (error) {
      throw listing.abort.signal.aborted ? (listing.abort.signal.reason as McpFailure) : error;
    } finally {
      this.listing = undefined;
    }
  }

  private guarded(body: ReadableStream<Uint8Array>, shape: JsonShape): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    let dropped: McpFailure | undefined;
    const drop = () => {
      dropped = this.refuse('broken', tooMuch);
      reader.cancel(dropped).catch(() => undefined);
    };
    const reading: Reading = { teamId: this.teamId, bytes: 0, drop };
    inFlight.add(reading);
    const end = () => inFlight.remove(reading);
    const count = (chunk: Uint8Array) => {
      if (shape.read(chunk)) throw this.refuse('invalid', tooDeep);
      const { listing } = this;
      if (listing && (listing.bytes += chunk.length) > maxListBytes) throw this.refuse('invalid', tooLong);
      reading.bytes = shape.bytes;
      inFlight.check();
      if (dropped) throw dropped;
    };
    return new ReadableStream({
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (dropped) throw dropped;
          if (done) {
            end();
            controller.close();
            return;
          }
          count(value);
          controller.enqueue(value);
        } catch (error) {
          end();
          reader.cancel().catch(() => undefined);
          controller.error(error);
        }
      },
      async cancel(reason) {
        end();
        await reader.cancel(reason);
      },
    });
  }

  private refuse(kind: 'broken' | 'invalid', message: string): McpFailure {
    const failure = new McpFailure(kind, message);
    this.listing?.abort.abort(failure);
    return failure;
  }
}
