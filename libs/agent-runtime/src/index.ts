export type { Judge, JudgedRubric, JudgeTask, Verdict } from './judge/judge.js';
export { ModelJudge } from './judge/model-judge.js';
export { ScriptedJudge } from './judge/scripted-judge.js';
export type {
  AfterStep,
  ToolCallIntent,
  Entry,
  Journal,
  LoopMessage,
  Recorded,
  StepRecord,
  ToolResult,
} from './loop/journal.js';
export { messageBytes, type MessageContent } from './loop/message-size.js';
export { toModelMessages } from './loop/model-messages.js';
export type { Limits, RunState } from './loop/run-state.js';
export { runSteps, type LoopEnd, type StepLoopOptions } from './loop/step-loop.js';
export { storableText } from './loop/storable.js';
export type { Clock } from './loop/time-limit.js';
export { trimContext } from './loop/trim-context.js';
export { ModelCatalog, type ModelCatalogOptions, type ProviderSettings } from './models/model-catalog.js';
export { modelCatalogOf, modelSettings } from './models/model-settings.js';
export { ModelError, type ModelErrorKind, type ModelErrorOptions } from './models/errors/model-error.js';
export type {
  AfterTurn,
  Model,
  ModelMessage,
  ModelRequest,
  ModelTurn,
  TokenUsage,
  ToolCall,
  ToolDescription,
} from './models/model.js';
export { MeteredModel, type TellUsage } from './models/metered-model.js';
export { OutputTooLargeError } from './models/errors/output-too-large-error.js';
export { RetryingModel } from './models/retrying-model.js';
export { TracedModel } from './models/traced-model.js';
export { answered, answerFaults, type AnsweredQuestion } from './questions/answers.js';
export { askQuestions, checkAskedQuestions } from './questions/ask-questions.js';
export { retrying, type Retried, type RetryOptions } from './retries/retrying.js';
export { estimatedTokens } from './scripted/estimated-tokens.js';
export { findFencedBlock, type FencedBlock } from './scripted/fenced-block.js';
export { InvalidScriptError } from './scripted/invalid-script-error.js';
export {
  buildByScript,
  usageOfScript,
  type BuilderOutcome,
  type BuilderTask,
} from './scripted/scripted-builder.js';
export { Filling, type Known } from './scripted/placeholders.js';
export { ScriptedModel } from './scripted/scripted-model.js';
export {
  describeProblems,
  parseSteps,
  type ParsedSteps,
  type PlacedStep,
  type Step,
  type StepProblem,
} from './scripted/steps.js';
export { defineTool, type ToolDefinition } from './tools/define-tool.js';
export { describeAnswer } from './tools/human-answer.js';
export { askHumanToolName, humanTools, isHumanTool, requestApprovalToolName } from './tools/human-tools.js';
export { ToolBox } from './tools/tool-box.js';
export {
  TransientToolError,
  type EndedOutcome,
  type HumanRequestDraft,
  type Tool,
  type ToolContext,
  type ToolOutcome,
} from './tools/tool.js';
