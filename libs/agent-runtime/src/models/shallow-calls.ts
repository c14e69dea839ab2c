import { randomUUID } from 'node:crypto';
import { wrapLanguageModel, type LanguageModel } from 'ai';
import { isTooDeep } from './errors/too-deep-error.js';

export type SdkModel = Extract<LanguageModel, { specificationVersion: 'v3' }>;

/** Stands for arguments that are nested too deep; no model can know it. */
export const tooDeepInput = randomUUID();

/** The SDK writes the arguments of each call as JSON, which fails the whole answer if they are nested too deep. */
export function withShallowCalls(model: SdkModel): SdkModel {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v3',
      async wrapStream({ doStream }) {
        const { stream, ...rest } = await doStream();
        return { ...rest, stream: stream.pipeThrough(shallowCalls()) };
      },
    },
  });
}

type StreamOf<M extends SdkModel> = Awaited<ReturnType<M['doStream']>>['stream'];
type Part = StreamOf<SdkModel> extends ReadableStream<infer P> ? P : never;

function shallowCalls(): TransformStream<Part, Part> {
  return new TransformStream({
    transform(part, controller) {
      const isDeep = part.type === 'tool-call' && isTooDeep(parsed(part.input));
      controller.enqueue(isDeep ? { ...part, input: JSON.stringify(tooDeepInput) } : part);
    },
  });
}

/** What is no JSON is left to the SDK. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
