export { BrowserActionError, type BrowserActionErrorKind } from './session/action-error.js';
export type { ActionReport, FinishedDownload, PageFacts, Screenshot } from './session/action-report.js';
export { findChromium, type FindChromiumOptions } from './chromium/find-chromium.js';
export type { EgressRules } from './guard/guarded-connect.js';
export { canKeepApart, identityProgram, identityVariables } from './chromium/identity.js';
export { BrowserLauncher, type BrowserLauncherOptions, type PrintOptions } from './launcher.js';
export { defaultLimits, type BrowserLimits } from './limits.js';
export type { PrintedPage } from './printing.js';
export type { BrowserSession } from './session/session.js';
