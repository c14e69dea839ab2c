/** How a consent ended, as the application that asked for it is told in the query. */
export interface FlowEnd {
  readonly connectionId: string;
  readonly status: string;
  readonly error?: string;
}

/** Whether a browser may be sent there: only to origins that the operator has named. */
export function isAllowedReturn(text: string, origins: readonly string[]): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '' && origins.includes(origin);
}

export function returnAddress(text: string, { connectionId, status, error }: FlowEnd): string {
  const url = new URL(text);
  url.searchParams.set('connection_id', connectionId);
  url.searchParams.set('status', status);
  if (error !== undefined) url.searchParams.set('error', error);
  return url.href;
}
