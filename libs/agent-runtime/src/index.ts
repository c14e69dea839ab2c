export { ModelCatalog, type ModelCatalogOptions, type ProviderSettings } from './models/model-catalog.js';
export { ModelError, type ModelErrorKind } from './models/model-error.js';
export type {
  Model,
  ModelMessage,
  ModelRequest,
  ModelTurn,
  TokenUsage,
  ToolCall,
  ToolDescription,
} from './models/model.js';
export { RetryingModel, type RetryOptions } from './models/retrying-model.js';
export {
  buildByScript,
  type AnsweredQuestion,
  type BuilderOutcome,
  type BuilderTask,
} from './scripted/scripted-builder.js';
export {
  describeProblems,
  parseSteps,
  type ParsedSteps,
  type PlacedStep,
  type Step,
  type StepProblem,
} from './scripted/steps.js';
