import { defineTool, type Tool, type ToolContext, type ToolOutcome } from '@aos/agent-runtime';
import { BrowserActionError, type ActionReport, type BrowserSession } from '@aos/browser';
import { z } from 'zod';
import type { BrowserAction } from '../browser/browser.entities.js';
import type { BrowserRecord } from '../browser/browser-record.js';
import type { Browsers, OpenBrowser } from '../browser/browsers.js';
import { toolError, toolResult } from './tool-result.js';

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

async function actIn(
  browsers: Browsers,
  record: BrowserRecord,
  { run, action, act }: BrowserCall,
): Promise<ToolOutcome> {
  let refusal: BrowserActionError | undefined;
  const outcome = await toolResult(async () => {
    try {
      const browser = action === 'open' ? await browsers.of(run) : opened(browsers.find(run.runId));
      const report = await act(browser.session, run.signal).catch((error: unknown) => {
        if (!(error instanceof BrowserActionError) || !error.report) throw error;
        refusal = error;
        return error.report;
      });
      return shown(report, await record.keep(run, browser.sessionId, action, report));
    } catch (error) {
      if (!(error instanceof BrowserActionError)) throw error;
      refusal = error;
      return undefined;
    }
  });
  return refusal && outcome.kind === 'result' ? toolError(refusal.message) : outcome;
}

function opened(browser: OpenBrowser | undefined): OpenBrowser {
  if (browser) return browser;
  throw new BrowserActionError('invalid', 'No page is open. Open an address first.');
}

function shown(
  report: ActionReport,
  { screenshot, downloads }: { screenshot: string; downloads: readonly string[] },
): object {
  const { page, status, text, textTruncated, dialogs, downloading } = report;
  return {
    url: page.url,
    title: page.title,
    screenshot,
    ...(status === undefined ? {} : { status }),
    ...(text === undefined ? {} : { text }),
    ...(textTruncated ? { truncated: true } : {}),
    ...(downloads.length > 0 ? { downloads } : {}),
    ...(downloading.length > 0 ? { downloading } : {}),
    ...(dialogs.length > 0 ? { dialogs } : {}),
  };
}
