/** `path` is the one spelling under which the file is known; `reason` is a sentence for people. */
export type SandboxPathCheck =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly reason: string };

/** The folder that a sandbox is; nothing outside it can be named. */
export const sandboxRoot = '/workspace';

const rootName = sandboxRoot.slice(1);
const maxTextLength = 4096;
const maxPathBytes = 1024;
const maxSegmentBytes = 255;

// Cc: control characters, NUL among them. Zl, Zp: line breaks. The rest turns the direction of what is shown.
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u;

// Dots, slashes, backslashes and control characters, percent-encoded however often, also in overlong UTF-8 and as
// %u002e. A layer that decodes once more would otherwise see another path than we do.
const encoded =
  /%(?:25)*(?:2[ef]|5c|[01][0-9a-f]|7f|c[01]|e0%(?:25)*[89][0-9a-f]|f0%(?:25)*8[0-9a-f]|u[0-9a-f]{4})/i;

/** Judges a path given by an agent or a client: relative to `/workspace`, or absolute and inside it. */
export function sandboxPath(text: string): SandboxPathCheck {
  const problem = problemOfText(text);
  if (problem) return refused(problem);
  const names = walk(text.normalize('NFC'));
  if (!names) return refused('The path leads out of the sandbox.');
  const path = `/${names.join('/')}`;
  if (names.some((name) => Buffer.byteLength(name) > maxSegmentBytes)) {
    return refused(`The path has a part that is longer than ${maxSegmentBytes} bytes.`);
  }
  if (Buffer.byteLength(path) > maxPathBytes) {
    return refused(`The path is longer than ${maxPathBytes} bytes.`);
  }
  return { ok: true, path };
}

/** As `sandboxPath`, for what must be a file: the sandbox itself is none. */
export function sandboxFilePath(text: string): SandboxPathCheck {
  const verdict = sandboxPath(text);
  if (verdict.ok && verdict.path === sandboxRoot) return refused('The path names no file.');
  return verdict;
}

function problemOfText(text: string): string | undefined {
  if (text.length > maxTextLength) return `The path is longer than ${maxPathBytes} bytes.`;
  if (!text.isWellFormed()) return 'The path is not valid Unicode.';
  if (unprintable.test(text)) return 'The path has control characters in it.';
  if (text.includes('\\')) return 'The path has backslashes in it; folders are separated by "/".';
  if (encoded.test(text)) return 'The path has percent-encoded dots, slashes or control characters in it.';
  if (hidesSeparators(text)) return 'The path has look-alikes of dots or slashes in it.';
  return undefined;
}

/** Full-width and other compatibility forms become plain dots and slashes where a client or a store folds them. */
function hidesSeparators(text: string): boolean {
  return text.split('/').some((name) => {
    const folded = name.normalize('NFKC');
    return folded !== name && (/[/\\]/.test(folded) || folded === '.' || folded === '..');
  });
}

/** The names from the root on, or nothing when a step leaves the sandbox, even if a later one comes back. */
function walk(text: string): string[] | undefined {
  const names = text.startsWith('/') ? [] : [rootName];
  for (const name of text.split('/')) {
    if (name === '' || name === '.') continue;
    if (name === '..') names.pop();
    else names.push(name);
    if (names[0] !== rootName) return undefined;
  }
  return names[0] === rootName ? names : undefined;
}

function refused(reason: string): SandboxPathCheck {
  return { ok: false, reason };
}
