import { checkUrl } from '@aos/egress';
import type { Locator, Page } from 'playwright-core';
import { BrowserActionError, toActionError } from './action-error.js';
import type { EgressRules } from '../guard/guarded-connect.js';
import type { BrowserLimits } from '../limits.js';
import { cutText } from './text.js';
import { within } from './waiting.js';

export interface ActionContext {
  readonly page: Page;
  readonly limits: BrowserLimits;
  readonly signal: AbortSignal | undefined;
}

/** The address as it was judged; what follows, redirects too, is judged by the proxy. */
export function checkAddress(url: string, rules: EgressRules): string {
  const verdict = checkUrl(url, rules);
  if (verdict.ok) return verdict.url.href;
  throw new BrowserActionError('refused', `The address was not opened. ${verdict.reason}`);
}

export async function openAddress(
  { page, limits, signal }: ActionContext,
  url: string,
): Promise<{ status?: number }> {
  // Not `load`: one picture that hangs would make the whole page a failure.
  const options = { waitUntil: 'domcontentloaded', timeout: limits.navigationTimeoutMs, signal } as const;
  try {
    const response = await page.goto(url, options);
    return { status: response?.status() };
  } catch (error) {
    if (error instanceof Error && error.message.includes('Download is starting')) return {};
    throw toActionError(error);
  }
}

/** Does not wait for where it leads: a slow page is no failure of the click. The session waits for it. */
export function clickElement(context: ActionContext, selector: string): Promise<void> {
  return onElement(context, selector, (element, options) => element.click({ ...options, noWaitAfter: true }));
}

/** Replaces what the field holds; a new line at the end presses Enter. Of a list it chooses a value or label. */
export async function typeInto(context: ActionContext, selector: string, text: string): Promise<void> {
  if (Buffer.byteLength(text) > context.limits.maxTypedBytes) {
    throw new BrowserActionError('invalid', `The text is longer than ${context.limits.maxTypedBytes} bytes.`);
  }
  await onElement(context, selector, async (element, options) => {
    const tag = await element.evaluate(
      (node: { readonly tagName: string }) => node.tagName,
      undefined,
      options,
    );
    if (tag === 'SELECT') {
      await element.selectOption(text.trim(), options);
      return;
    }
    const entered = text.endsWith('\n');
    await element.fill(entered ? text.slice(0, -1) : text, options);
    if (entered) await element.press('Enter', { ...options, noWaitAfter: true });
  });
}

/** The text as a reader sees it. */
export async function readText(
  context: ActionContext,
  selector: string | undefined,
): Promise<{ text: string; textTruncated: boolean }> {
  const { maxTextBytes } = context.limits;
  // Cut in the page, so that a huge one does not come over here; a character has at least one byte.
  const seen = await onElement(context, selector ?? 'body', (element, options) =>
    element.evaluate(
      (node: { readonly innerText?: string; readonly textContent: string | null }, length: number) =>
        (node.innerText ?? node.textContent ?? '').slice(0, length),
      maxTextBytes + 1,
      options,
    ),
  );
  const { text, truncated } = cutText(seen, maxTextBytes);
  return { text, textTruncated: truncated };
}

interface ElementOptions {
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
}

/** The first element that matches, when it is there. */
async function onElement<T>(
  { page, limits, signal }: ActionContext,
  selector: string,
  act: (element: Locator, options: ElementOptions) => Promise<T>,
): Promise<T> {
  const elements = page.locator(selector);
  try {
    return await act(elements.first(), { timeout: limits.actionTimeoutMs, signal });
  } catch (error) {
    const failure = toActionError(error, selector);
    const isMissing = failure.kind === 'timeout' && (await within(1_000, elements.count())) === 0;
    if (!isMissing) throw failure;
    throw new BrowserActionError('no_element', `No element matches ${JSON.stringify(selector)}.`, {
      cause: error,
    });
  }
}
