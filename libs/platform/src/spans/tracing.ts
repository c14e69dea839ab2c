import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { currentContext, runWithContext, type RequestContext } from '../logging/request-context.js';
import {
  childTraceparent,
  formatTraceparent,
  newTraceparent,
  parseTraceparent,
} from '../tracing/traceparent.js';

/** What a span says before its work begins: names and ids, never a text of a team, never a secret. */
export interface SpanDraft {
  readonly name: string;
  readonly kind?: 'server' | 'client' | 'producer' | 'consumer';
  readonly attributes?: Attributes;
}

/** A request, a job or a message as it came; `traceparent` is that of who sent it. */
export interface Incoming extends Omit<RequestContext, 'traceparent' | 'recorded'> {
  readonly traceparent?: string;
}

/** Work that has begun. */
export interface OpenSpan {
  /** The context in which it is done. */
  readonly context: RequestContext;
  set(attributes: Attributes): void;
  /** Marks it as failed without an error that was thrown. */
  fail(type: string): void;
  /** `error` is what ended it, where something did; only its kind is told. */
  end(error?: unknown): void;
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

/**
 * The spans of one service. Without a tracer it makes none: contexts still have their trace ids, which logs and other
 * services are told, and work is called as it is.
 */
export class Tracing {
  static readonly off = new Tracing(undefined);

  constructor(private readonly tracer: Tracer | undefined) {}

  get enabled(): boolean {
    return this.tracer !== undefined;
  }

  /** Begins what came from elsewhere, for callers whose work has no single function; they run it in its context. */
  open({ traceparent, ...incoming }: Incoming, draft: SpanDraft): OpenSpan {
    if (this.tracer) return new RecordedSpan(this.start(this.tracer, draft, traceparent), incoming);
    const own = traceparent === undefined ? newTraceparent() : childTraceparent(traceparent);
    return unrecorded({ ...incoming, traceparent: own });
  }

  /** Does work that came from elsewhere, in a context of its own. */
  within<T>(incoming: Incoming, draft: SpanDraft, work: (span: OpenSpan) => Promise<T>): Promise<T> {
    return during(this.open(incoming, draft), work);
  }

  /** Does a part of what is under way. Loops that belong to no request make no traces of their own. */
  part<T>(draft: SpanDraft, work: (span: OpenSpan) => Promise<T>): Promise<T> {
    const context = this.tracer && currentContext();
    if (!this.tracer || !context) return work(noSpan);
    return during(new RecordedSpan(this.start(this.tracer, draft, context.traceparent), context), work);
  }

  /** Spans of messages that are handled together: each belongs to the trace that its message came with. */
  openMessages<Message>(
    messages: readonly Message[],
    traceparentOf: (message: Message) => string | undefined,
    draftOf: (message: Message) => SpanDraft,
  ): ReadonlyMap<Message, OpenSpan> {
    const spans = new Map<Message, OpenSpan>();
    if (!this.tracer) return spans;
    for (const message of messages) {
      const traceparent = traceparentOf(message);
      // Who recorded nothing has left no trace to belong to.
      if (traceparent === undefined) continue;
      const span = this.start(this.tracer, draftOf(message), traceparent);
      spans.set(message, new RecordedSpan(span, { requestId: span.spanContext().traceId }));
    }
    return spans;
  }

  private start(tracer: Tracer, { name, kind, attributes }: SpanDraft, parent: string | undefined): Span {
    const options = { kind: kind ? kinds[kind] : SpanKind.INTERNAL, attributes };
    return tracer.startSpan(name, options, contextOf(parent));
  }
}

/** What is to be kept with work that is done later: the present trace, if anyone records it. */
export function recordedTraceparent(): string | undefined {
  const context = currentContext();
  return context?.recorded ? context.traceparent : undefined;
}

class RecordedSpan implements OpenSpan {
  readonly context: RequestContext;

  constructor(
    private readonly span: Span,
    incoming: Omit<RequestContext, 'traceparent' | 'recorded'>,
  ) {
    this.context = {
      ...incoming,
      traceparent: formatTraceparent(span.spanContext()),
      recorded: span.isRecording(),
    };
  }

  set(attributes: Attributes): void {
    this.span.setAttributes(attributes);
  }

  fail(type: string): void {
    this.span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
  }

  end(error?: unknown): void {
    if (error !== undefined) this.fail(kindOf(error));
    this.span.end();
  }
}

const nothing = () => undefined;

function unrecorded(context: RequestContext): OpenSpan {
  return { context, set: nothing, fail: nothing, end: nothing };
}

/** For work that is done in whatever context it is called in; nobody asks for its own. */
const noSpan = unrecorded({ requestId: '', traceparent: '' });

async function during<T>(span: OpenSpan, work: (span: OpenSpan) => Promise<T>): Promise<T> {
  try {
    const result = await runWithContext(span.context, () => work(span));
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}

function contextOf(traceparent: string | undefined): Context {
  const parent = parseTraceparent(traceparent);
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT;
}

/** The code of an error or the name of its class: its message may quote anything. */
function kindOf(error: unknown): string {
  const { code, name } = (typeof error === 'object' && error !== null ? error : {}) as Record<
    string,
    unknown
  >;
  if (typeof code === 'string') return code;
  return typeof name === 'string' ? name : typeof error;
}
