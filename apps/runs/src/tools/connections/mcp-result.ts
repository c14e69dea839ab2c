import type { EndedOutcome } from '@aos/agent-runtime';
import { extensionOf, sandboxRoot } from '@aos/file-store';
import type { ContentBlock, McpToolResult } from '@aos/mcp-client';
import { newId } from '@aos/persistence';
import type { RunFiles, WorkingRun } from '../../files/run-files.js';
import { storing } from '../tool-result.js';

export type KeepFile = (run: WorkingRun, folder: string, file: ReceivedFile) => Promise<KeptFile>;

/** Stores what a tool brought; what finds no room is named in the result. */
export async function keepFile(
  files: RunFiles,
  run: WorkingRun,
  folder: string,
  { bytes, mimeType }: ReceivedFile,
): Promise<KeptFile> {
  const path = `${sandboxRoot}/connections/${folder}/${newId()}${extensionOf(mimeType)}`;
  const stored = await storing(() => files.write(run, path, bytes), run.signal);
  if ('error' in stored) return stored;
  return { path: stored.value.path, size_bytes: Number(stored.value.size_bytes) };
}

/** Something in a result that is not a text file. */
export interface ReceivedFile {
  readonly bytes: Buffer;
  readonly mimeType: string;
  readonly uri?: string;
}

/** The path of the file, or the reason why it was not stored. */
export type KeptFile = Readonly<Record<string, unknown>>;

/** More than that is no answer to a question. */
const maxFiles = 50;
/** A text of a resource is a file; one that is not long is also told at once. */
const maxInlineLength = 16 * 1024;
/** An error goes into the run's report and its events. */
const maxErrorLength = 8 * 1024;

/**
 * Converts a tool result for the model: a single text stays a text, all else becomes an object. Binary content goes to
 * `keep`.
 */
export async function outcomeOfResult(
  { content, structuredContent, isError }: McpToolResult,
  keep: (file: ReceivedFile) => Promise<KeptFile>,
): Promise<EndedOutcome> {
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  if (isError) return { kind: 'error', message: errorText(text, structuredContent) };
  const files = await keepAll(content, keep);
  const links = content.filter(({ type }) => type === 'resource_link').map(linkOf);
  const isPlain = structuredContent === undefined && files.length === 0 && links.length === 0;
  if (isPlain) return { kind: 'result', result: text };
  return {
    kind: 'result',
    result: {
      ...(text === '' || repeats(text, structuredContent) ? {} : { text }),
      ...(structuredContent === undefined ? {} : { structured_content: structuredContent }),
      ...(files.length > 0 ? { files } : {}),
      ...(links.length > 0 ? { links } : {}),
    },
  };
}

async function keepAll(
  content: readonly ContentBlock[],
  keep: (file: ReceivedFile) => Promise<KeptFile>,
): Promise<KeptFile[]> {
  const received = content.flatMap((block) => fileOf(block) ?? []);
  const kept: KeptFile[] = [];
  // One after the other: they share the room that the sandbox has left.
  for (const { file, about } of received.slice(0, maxFiles)) kept.push({ ...about, ...(await keep(file)) });
  const left = received.length - kept.length;
  return left > 0 ? [...kept, { error: `${left} more were not kept.` }] : kept;
}

function fileOf(block: ContentBlock): { file: ReceivedFile; about: object } | undefined {
  if (block.type === 'image' || block.type === 'audio') {
    const { type, data, mimeType } = block;
    return { file: { bytes: Buffer.from(data, 'base64'), mimeType }, about: { type, mime_type: mimeType } };
  }
  if (block.type !== 'resource') return undefined;
  const { uri, mimeType, ...contents } = block.resource;
  const isText = 'text' in contents;
  const type = mimeType ?? (isText ? 'text/plain' : 'application/octet-stream');
  const about = { type: 'resource', uri, mime_type: type };
  if (!isText) return { file: { bytes: Buffer.from(contents.blob, 'base64'), mimeType: type, uri }, about };
  const inline = contents.text.length <= maxInlineLength ? { text: contents.text } : {};
  return { file: { bytes: Buffer.from(contents.text), mimeType: type, uri }, about: { ...about, ...inline } };
}

function linkOf(block: ContentBlock): object {
  const { uri, name, title, description, mimeType } = block as Extract<
    ContentBlock,
    { type: 'resource_link' }
  >;
  return { uri, name, title, description, mime_type: mimeType };
}

/** Servers repeat structured content as text, for those who know only that. */
function repeats(text: string, structured: unknown): boolean {
  if (structured === undefined) return false;
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(structured);
  } catch {
    return false;
  }
}

function errorText(text: string, structured: unknown): string {
  const said = text || (structured === undefined ? '' : JSON.stringify(structured));
  return cutText(said) || 'The tool reported an error, and did not say which.';
}

/** An error as long as a run keeps it. */
export function cutText(text: string): string {
  if (text.length <= maxErrorLength) return text;
  return `${text.slice(0, maxErrorLength)}… [${text.length - maxErrorLength} characters were left out]`;
}
