export { BrowserActionError, type BrowserActionErrorKind } from './action-error.js';
export type { ActionReport, FinishedDownload, PageFacts, Screenshot } from './action-report.js';
export { findChromium, type FindChromiumOptions } from './find-chromium.js';
export type { EgressRules } from './guarded-connect.js';
export { canKeepApart, identityProgram, identityVariables } from './identity.js';
export { BrowserLauncher, type BrowserLauncherOptions, type PrintOptions } from './launcher.js';
export { defaultLimits, type BrowserLimits } from './limits.js';
export type { PrintedPage } from './printing.js';
export type { BrowserSession } from './session.js';
