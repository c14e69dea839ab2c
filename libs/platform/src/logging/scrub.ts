const secretNames =
  '(?:access_|refresh_|id_|upload_)?token|(?:client_)?secret|client_assertion|passw(?:or)?d|api_?key|code_verifier';

interface Rule {
  /** Without this text the pattern cannot match: saves the dear ones on most lines. */
  needle?: string;
  pattern: RegExp;
  replacement: string;
}

// No pattern takes a quote or a lone backslash, so JSON stays JSON. All are linear in the length of the line.
const rules: readonly Rule[] = [
  // 20 characters: real keys have 43, names of metrics and databases stay readable.
  { needle: 'aos_', pattern: /aos_[A-Za-z0-9_-]{20,}/g, replacement: 'aos_[redacted]' },
  { needle: 'whsec_', pattern: /whsec_[A-Za-z0-9+/_=-]{6,}/g, replacement: 'whsec_[redacted]' },
  { pattern: /\bBearer +[A-Za-z0-9._~+/=-]{6,}/gi, replacement: 'Bearer [redacted]' },
  { needle: 'Basic ', pattern: /\bBasic +[A-Za-z0-9+/]{14,}=*/g, replacement: 'Basic [redacted]' },
  // A JSON web token without its "Bearer".
  {
    needle: 'eyJ',
    pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g,
    replacement: '[redacted]',
  },
  { needle: '://', pattern: /(:\/\/[^\s:/@"\\]*):(?:[^\s/"\\]|\\["\\])+@/g, replacement: '$1:[redacted]@' },
  {
    needle: '=',
    pattern: new RegExp(`\\b(${secretNames})=[^\\s&"'\\\\[]+`, 'gi'),
    replacement: '$1=[redacted]',
  },
  // JSON inside a text of the line.
  {
    needle: '\\"',
    pattern: new RegExp(`(\\\\"(?:${secretNames})\\\\+" *: *\\\\+")[^"\\\\[]+`, 'gi'),
    replacement: '$1[redacted]',
  },
];

/**
 * Takes what looks like a credential out of a finished log line, wherever it stands:
 * keys, bearer tokens, passwords in URLs, parameters and quoted JSON.
 */
export function scrub(line: string): string {
  let scrubbed = line;
  for (const { needle, pattern, replacement } of rules) {
    if (needle === undefined || scrubbed.includes(needle)) scrubbed = scrubbed.replace(pattern, replacement);
  }
  return scrubbed;
}
