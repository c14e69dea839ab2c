import { defineTool, type Tool, type ToolContext, type ToolOutcome } from '@aos/agent-runtime';
import { type ActionReport, BrowserActionError, type BrowserSession } from '@aos/browser';
import { z } from 'zod';
import { storing, toolError, toolResult } from '../tool-result.js';
import type { BrowserRecord } from './browser-record.js';
import type { BrowserAction } from './browser.entities.js';
import type { Browsers, OpenBrowser } from './browsers.js';

const selector = z.string().min(1).max(2_000).describe('CSS, or text=… or role=… as in Playwright.');

type Act = (session: BrowserSession, signal: AbortSignal) => Promise<ActionReport>;

/** A real browser. Every action leaves a picture; after a crash clicks and typing are not repeated. */
export function browserTools(browsers: Browsers, record: BrowserRecord): Tool[] {
  const perform = (run: ToolContext, action: BrowserAction, act: Act): Promise<ToolOutcome> =>
    actIn(browsers, record, { run, action, act });
  return [
    defineTool({
      name: 'browser_open',
      description: 'Opens an address in the browser of this run.',
      parameters: z.object({ url: z.string().min(1).max(8_192) }),
      repeatable: true,
      execute: ({ url }, run) => perform(run, 'open', (session, signal) => session.open(url, signal)),
    }),
    defineTool({
      name: 'browser_click',
      description: 'Clicks on an element of the page.',
      parameters: z.object({ selector }),
      execute: (args, run) =>
        perform(run, 'click', (session, signal) => session.click(args.selector, signal)),
    }),
    defineTool({
      name: 'browser_type',
      description: 'Types a text into a field of the page; what was in it is replaced.',
      parameters: z.object({ selector, text: z.string().max(100_000) }),
      execute: (args, run) =>
        perform(run, 'type', (session, signal) => session.type(args.selector, args.text, signal)),
    }),
    defineTool({
      name: 'browser_read',
      description: 'Reads the text of the page, or of one element.',
      parameters: z.object({ selector: selector.optional() }),
      repeatable: true,
      execute: (args, run) => perform(run, 'read', (session, signal) => session.read(args.selector, signal)),
    }),
    defineTool({
      name: 'browser_screenshot',
      description: 'Takes a picture of the page, which people can look at afterwards.',
      parameters: z.object({}),
      repeatable: true,
      execute: (_args, run) => perform(run, 'screenshot', (session, signal) => session.screenshot(signal)),
    }),
  ];
}

interface BrowserCall {
  readonly run: ToolContext;
  readonly action: BrowserAction;
  readonly act: Act;
}

/** A refused action may have a report, too. */
type Acted =
  | { readonly sessionId: string; readonly report: ActionReport; readonly refusal?: BrowserActionError }
  | { readonly report?: undefined; readonly refusal: BrowserActionError };

async function actIn(browsers: Browsers, record: BrowserRecord, call: BrowserCall): Promise<ToolOutcome> {
  let acted: Acted | undefined;
  const outcome = await toolResult(async () => {
    acted = await actOnce(browsers, call);
  });
  if (!acted) return outcome;
  if (acted.report === undefined) return toolError(acted.refusal.message);
  const { sessionId, report, refusal } = acted;
  const kept = await keep(record, call, sessionId, report);
  return refusal ? toolError(refusal.message) : { kind: 'result', result: shown(report, kept) };
}

async function actOnce(browsers: Browsers, { run, action, act }: BrowserCall): Promise<Acted> {
  let sessionId: string | undefined;
  try {
    const browser = action === 'open' ? await browsers.of(run) : opened(browsers.find(run.runId));
    sessionId = browser.sessionId;
    return { sessionId, report: await act(browser.session, run.signal) };
  } catch (error) {
    if (!(error instanceof BrowserActionError)) throw error;
    const { report } = error;
    return report && sessionId !== undefined ? { sessionId, report, refusal: error } : { refusal: error };
  }
}

interface KeptAction {
  readonly screenshot?: string;
  readonly downloads: readonly string[];
  readonly notKept: readonly string[];
}

/** Never throws: the action was done, and a failed screenshot must not repeat it. */
async function keep(
  record: BrowserRecord,
  { run, action }: BrowserCall,
  sessionId: string,
  report: ActionReport,
): Promise<KeptAction> {
  const picture = await storing(() => record.keepPicture(run, sessionId, action, report), run.signal);
  const downloads: string[] = [];
  const notKept = 'error' in picture ? [`The picture of the page: ${picture.error}`] : [];
  for (const download of report.downloads) {
    const stored = await storing(() => record.keepDownload(run, download), run.signal);
    if ('error' in stored) notKept.push(`${download.suggestedName}: ${stored.error}`);
    else downloads.push(stored.value);
  }
  return { ...('error' in picture ? {} : { screenshot: picture.value }), downloads, notKept };
}

function opened(browser: OpenBrowser | undefined): OpenBrowser {
  if (browser) return browser;
  throw new BrowserActionError('invalid', 'No page is open. Open an address first.');
}

function shown(report: ActionReport, { screenshot, downloads, notKept }: KeptAction): object {
  const { page, status, text, textTruncated, dialogs, downloading } = report;
  return {
    url: page.url,
    title: page.title,
    ...(screenshot === undefined ? {} : { screenshot }),
    ...(status === undefined ? {} : { status }),
    ...(text === undefined ? {} : { text }),
    ...(textTruncated ? { truncated: true } : {}),
    ...(downloads.length > 0 ? { downloads } : {}),
    ...(downloading.length > 0 ? { downloading } : {}),
    ...(dialogs.length > 0 ? { dialogs } : {}),
    ...(notKept.length > 0 ? { not_kept: notKept } : {}),
  };
}
