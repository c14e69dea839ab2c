import type { AnsweredQuestion, TokenUsage, Tool } from '@aos/agent-runtime';
import type { Question } from '@aos/contracts';
import type { MadePage } from '../artifact-history.js';
import type { ArtifactRequest } from '../artifact.entities.js';
import type { TeamFiguresShown } from '../team-figures/team-figures.js';

/** A message of the conversation; answers to questions are not instructions. */
export interface Said {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly isAnswer: boolean;
}

export interface PageTask {
  readonly request: ArtifactRequest;
  /** The title that a person gave; null if none. */
  readonly title: string | null;
  readonly conversation: readonly Said[];
  /** The page as it is; undefined while there is none. */
  readonly present: MadePage | undefined;
  readonly answers: readonly AnsweredQuestion[];
  /** Whether there is a person to ask. */
  readonly mayAsk: boolean;
}

export interface PageSources {
  figures(days: number): Promise<TeamFiguresShown>;
  /** The tools of the artifact's connections. */
  readonly tools: readonly Tool[];
  /** Calls one of them; what fails is told. */
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<CallResult>;
}

export type CallResult = { readonly result: unknown } | { readonly error: string };

/** The page is raw: the caller sanitizes it. */
export type PageOutcome =
  | { readonly kind: 'page'; readonly title: string; readonly html: string; readonly text: string }
  | { readonly kind: 'questions'; readonly questions: readonly Question[] };

export interface PageRun {
  readonly signal: AbortSignal;
  /** Told of the tokens of each turn. */
  readonly onUsage: (usage: TokenUsage) => void;
}

/** Makes a page, or asks. Throws `PageFailure` with what people are to read. */
export interface PageMaker {
  make(task: PageTask, sources: PageSources, run: PageRun): Promise<PageOutcome>;
}

export const pageFailureCodes = [
  'model_error',
  'invalid_script',
  'failed_by_agent',
  'timeout',
  'max_steps_exceeded',
  'connection_unavailable',
  'output_too_large',
  'worker_lost',
  'internal_error',
] as const;

/** Why there is no page, for those who asked for it. */
export class PageFailure extends Error {
  override readonly name = 'PageFailure';

  constructor(
    readonly code: (typeof pageFailureCodes)[number],
    message: string,
  ) {
    super(message);
  }
}

/** The messages of people that say what is wanted, oldest first. */
export function instructionsOf({ conversation }: PageTask): string[] {
  return conversation.filter(({ role, isAnswer }) => role === 'user' && !isAnswer).map(({ text }) => text);
}
