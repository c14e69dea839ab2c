import { artifactPagePolicy } from '@aos/contracts';
import { escapeHtml } from './clean-page.js';
import type { MadePage } from '../artifact-history.js';

/**
 * The document of a page. It says itself what it may do, for a copy of it is served by nobody; as the first thing in it,
 * since a policy holds for what comes after.
 */
export function pageDocument({ title, body }: MadePage): string {
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(artifactPagePolicy)}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
</head>
<body>
${body}
</body>
</html>
`;
}
