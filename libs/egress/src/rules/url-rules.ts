import { isIP } from 'node:net';
import { isForbiddenAddress, type AllowedRanges } from './address-rules.js';

/** `reason` is a sentence for people; `url` is the spelling that was judged, use it and not the text. */
export type UrlCheck =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly reason: string };

export const addressReason = 'The host of the URL is a private, local or reserved address.';

const maxUrlLength = 2048;
const lengthReason = `The URL is longer than ${maxUrlLength} characters.`;
const maxNameLength = 253;
const labelPattern = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
const localSuffixes: readonly (string | undefined)[] = ['localhost', 'local', 'internal'];

// https://fetch.spec.whatwg.org/#port-blocking: ports of protocols that can be made to misread HTTP.
const badPorts = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/** What can be said about a URL without asking DNS. Ranges open addresses only, never names. */
export function checkUrl(text: string, rules: { readonly allowed: AllowedRanges }): UrlCheck {
  const textProblem = problemOfText(text);
  if (textProblem) return refused(textProblem);
  const url = parse(text);
  if (!url) return refused('The URL is not valid.');
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  if (badPorts.has(Number(url.port || 80)))
    return refused('The port of the URL belongs to another protocol.');
  // Encoded, a URL can be longer than it was.
  if (url.href.length > maxUrlLength) return refused(lengthReason);
  const hostProblem = problemOfHost(url.hostname, rules.allowed);
  return hostProblem ? refused(hostProblem) : { ok: true, url };
}

export function refused(reason: string): UrlCheck {
  return { ok: false, reason };
}

/** The URL parser is forgiving; what it would silently repair is refused here. */
function problemOfText(text: string): string | undefined {
  if (text.length > maxUrlLength) return lengthReason;
  if (!text.isWellFormed() || /[\s\p{Cc}\\]/u.test(text)) {
    return 'The URL has white space, control characters or backslashes in it.';
  }
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined) return 'The URL must begin with http:// or https:// and a host.';
  if (authority.includes('@')) return 'The URL must not hold a user name or password.';
  return undefined;
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** The parser has already turned decimal, octal, hex, short and look-alike spellings into the plain one. */
function problemOfHost(host: string, allowed: AllowedRanges): string | undefined {
  const address = host.startsWith('[') ? host.slice(1, -1) : host;
  if (isIP(address) !== 0) return isForbiddenAddress(address, allowed) ? addressReason : undefined;
  const labels = host.split('.');
  if (host.length > maxNameLength || !labels.every((label) => labelPattern.test(label))) {
    return 'The host of the URL is not a name.';
  }
  if (labels.length === 1 || localSuffixes.includes(labels.at(-1))) {
    return 'The host of the URL is a local name.';
  }
  return undefined;
}
