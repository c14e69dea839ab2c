import type { ActionReport } from './action-report.js';

/**
 * refused: the guard or a rule said no · no_element · timeout: not in time · navigation: the page did not come
 * · download: too large, too many or broken off · invalid: the arguments · crashed: the page · gone: the browser.
 */
export type BrowserActionErrorKind =
  | 'refused'
  | 'no_element'
  | 'timeout'
  | 'navigation'
  | 'download'
  | 'invalid'
  | 'crashed'
  | 'gone';

/** Why an action failed. The message is for the model and for people; `report` is there if the page could be seen. */
export class BrowserActionError extends Error {
  override readonly name = 'BrowserActionError';
  readonly report: ActionReport | undefined;

  constructor(
    readonly kind: BrowserActionErrorKind,
    message: string,
    { report, cause }: { report?: ActionReport; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.report = report;
  }
}

/** The same failure with what could be seen after it. */
export function withReport(error: BrowserActionError, report: ActionReport): BrowserActionError {
  return new BrowserActionError(error.kind, error.message, { report, cause: error.cause });
}

export function browserGone(cause?: unknown): BrowserActionError {
  return new BrowserActionError('gone', 'The browser is gone; its pages are lost.', { cause });
}

const networkReasons: Readonly<Record<string, string>> = {
  ERR_CONNECTION_RESET: 'the connection broke off',
  ERR_CONNECTION_CLOSED: 'the connection broke off',
  ERR_EMPTY_RESPONSE: 'the server sent no answer',
  ERR_TUNNEL_CONNECTION_FAILED: 'the server cannot be reached',
  ERR_TOO_MANY_REDIRECTS: 'the page redirects without end',
  ERR_UNSAFE_REDIRECT: 'the page redirects to an address that is not http or https',
  ERR_INVALID_REDIRECT: 'the page redirects to an address that is not http or https',
  ERR_UNKNOWN_URL_SCHEME: 'the page redirects to an address that is not http or https',
  ERR_CERT_AUTHORITY_INVALID: 'the certificate of the server is not trusted',
  ERR_CERT_COMMON_NAME_INVALID: 'the certificate of the server is for another name',
  ERR_CERT_DATE_INVALID: 'the certificate of the server has expired',
  ERR_INVALID_AUTH_CREDENTIALS: 'the server asks for a name and a password',
  ERR_ABORTED: 'the page gave it up',
};

/** What a failure of Playwright means to the model. `selector` is that of the action, if it has one. */
export function toActionError(error: unknown, selector?: string): BrowserActionError {
  if (error instanceof BrowserActionError) return error;
  const text = plain(error instanceof Error ? error.message : String(error));
  const make = (kind: BrowserActionErrorKind, message: string): BrowserActionError =>
    new BrowserActionError(kind, message, { cause: error });
  if (/crashed/i.test(firstLine(text))) return make('crashed', 'The page crashed and was closed.');
  const code = /net::(ERR_[A-Z0-9_]+)/.exec(text)?.[1];
  if (code) return make('navigation', `The page did not load: ${networkReasons[code] ?? code}.`);
  if (error instanceof Error && error.name === 'TimeoutError') {
    if (selector === undefined) return make('timeout', 'The page did not load in time.');
    return make(
      'timeout',
      `The element ${JSON.stringify(selector)} was not ready in time${obstacleIn(text)}.`,
    );
  }
  if (/selector|Unexpected token|Unknown engine/i.test(firstLine(text))) {
    return make('invalid', `The selector ${JSON.stringify(selector ?? '')} is not valid.`);
  }
  return make('invalid', `The action failed: ${firstLine(text).slice(0, 300)}`);
}

/** The last thing that the log of Playwright names as being in the way. */
function obstacleIn(text: string): string {
  const obstacles = text.match(
    /element is (?:not [a-z]+|outside of the viewport)|<[^>]{1,100}>.{0,100}intercepts pointer events/g,
  );
  const last = obstacles?.at(-1);
  return last ? `: ${last}` : '';
}

/** Playwright colours its messages and begins them with the name of the method. */
function plain(text: string): string {
  return text.replace(/\u001b\[[0-9;]*m/g, '').replace(/^[a-z]+\.[a-zA-Z]+: /, '');
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
