export interface Redirected {
  readonly state: string;
  readonly code?: string;
  readonly iss?: string;
  readonly error?: string;
  /** The address to which the browser was redirected; absent if a client took the redirect and does not name it. */
  readonly redirect_uri?: string;
  /** The answer of the person who was asked, see `ConsentConfirmation`. */
  readonly confirmed?: string;
}

/** A page or a redirect. */
export interface BrowserAnswer {
  readonly location: string | null;
  readonly title: string;
  readonly message: string;
  readonly confirm?: { readonly team_id: string; readonly token: string };
}
