export { CodeSandbox, type CodeRunOptions, type CodeSandboxOptions } from './code-sandbox.js';
export { type CodeFiles } from './file-calls.js';
export { defaultCodeLimits, type CodeLimits } from './code-limits.js';
export { type CodeOutcome } from './code-outcome.js';
