// Made from the OpenAPI document by `npm run client`; do not edit.
import type { Bytes } from './bytes.js';
import type { OperationEntry } from './operation-entry.js';

/** Every value of each type that has a fixed set of them. */
export const enumValues = {
  ArtifactPermission: ['view', 'edit'],
  ArtifactRefreshFrequency: [
    'every_15_minutes',
    'every_30_minutes',
    'hourly',
    'every_6_hours',
    'daily',
    'weekly',
    'monthly',
  ],
  ArtifactStatus: ['not_started', 'pending', 'running', 'waiting', 'completed', 'failed', 'interrupted'],
  ArtifactVisibility: ['private', 'team', 'organization', 'public'],
  BrowserAction: ['open', 'click', 'type', 'read', 'screenshot'],
  BuildStatus: ['draft', 'live', 'historic'],
  BuilderRunStatus: ['pending', 'running', 'waiting', 'awaiting_review', 'completed', 'discarded', 'failed'],
  CaseDisplayStatus: ['pending', 'completed', 'failed', 'in_progress', 'needs_input', 'postponed'],
  CaseEventType: [
    'created',
    'claimed',
    'postponed',
    'released',
    'completed',
    'failed',
    'reprocessed',
    'updated',
    'handed_over',
  ],
  CasePriority: ['none', 'medium', 'high'],
  CaseStatus: ['pending', 'completed', 'failed'],
  CaseStatusFilter: ['pending', 'completed', 'failed', 'in_progress', 'needs_input', 'postponed', 'claimed'],
  ConnectionAuthMethod: ['oauth', 'apikey', 'headers', 'url', 'none'],
  ConnectionStatus: ['pending', 'active', 'broken'],
  ConnectionType: ['native', 'custom_mcp'],
  DeliveryStatus: ['pending', 'delivered', 'dead', 'skipped', 'dropped'],
  EvaluationStatus: ['ready', 'in_progress', 'unavailable'],
  EventName: [
    'budget.reached',
    'budget.warning',
    'assignment.build.published',
    'queue.case.claimed',
    'queue.case.completed',
    'queue.case.created',
    'connection.action_required',
    'connection.updated',
    'human_request.created',
    'human_request.responded',
    'run.completed',
    'run.failed',
    'run.file.created',
    'run.message.created',
    'run.paused',
    'run.started',
    'run.tool_call.completed',
  ],
  GrantedScope: [
    '*',
    'team:read',
    'team:admin',
    'agents:read',
    'agents:write',
    'runs:read',
    'runs:write',
    'approvals:write',
    'evals:read',
    'evals:write',
    'queues:read',
    'queues:write',
    'files:read',
    'sandboxes:write',
    'artifacts:read',
    'artifacts:write',
    'connections:read',
    'connections:write',
    'webhooks:manage',
    'billing:read',
    'mcp:call',
  ],
  HumanRequestStatus: ['pending', 'answered', 'cancelled', 'expired'],
  HumanRequestType: ['approval', 'question'],
  MessageRole: ['user', 'assistant', 'tool', 'system'],
  MessageType: ['text', 'thinking', 'tool_call', 'tool_result', 'human_request', 'system'],
  PluginType: ['tool', 'connector', 'mcp'],
  RunErrorCode: [
    'model_error',
    'invalid_script',
    'failed_by_agent',
    'timeout',
    'max_steps_exceeded',
    'budget_exceeded',
    'human_request_expired',
    'agent_unavailable',
    'connection_unavailable',
    'output_too_large',
    'output_truncated',
    'content_filtered',
    'model_protocol_error',
    'limit_reached',
    'worker_lost',
    'internal_error',
  ],
  RunSource: ['api', 'schedule', 'case', 'agent', 'mcp'],
  RunStatus: ['pending', 'running', 'waiting', 'completed', 'failed', 'stopped'],
  RunStopReason: [
    'requested',
    'agent_deleted',
    'parent_stopped',
    'parent_failed',
    'case_deleted',
    'case_reset',
    'case_settled',
  ],
  ScheduleFrequency: [
    'every_5_minutes',
    'every_15_minutes',
    'hourly',
    'daily',
    'workday',
    'weekly',
    'monthly',
    'custom',
  ],
  Severity: ['critical', 'medium', 'low'],
  StepKind: ['model', 'tool', 'human', 'wait'],
  StepStatus: ['running', 'completed', 'failed', 'cancelled'],
  Weekday: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
} as const;

export type Agent = {
  id: string;
  agent_id: string;
  team_id: string;
  name: string;
  description: string | null;
  live_build_id: string;
  agentic_memory_enabled: boolean;
  last_run_at: string | null;
  created_at: string;
  updated_at: string;
};

export type AgentUsage = {
  agent_id: string;
  name: string;
  runs: number;
  input_tokens: number;
  output_tokens: number;
  estimated_cost: EstimatedCost | null;
};

export type Answers = Record<string, string | ReadonlyArray<string>>;

export type ApiError = {
  error:
    | 'invalid_request'
    | 'invalid_json'
    | 'invalid_webhook_url'
    | 'invalid_idempotency_key'
    | 'invalid_token'
    | 'insufficient_scope'
    | 'forbidden'
    | 'entitlement_exceeded'
    | 'budget_exceeded'
    | 'not_found'
    | 'method_not_allowed'
    | 'invalid_state'
    | 'already_exists'
    | 'limit_reached'
    | 'idempotency_conflict'
    | 'idempotency_in_progress'
    | 'not_configured'
    | 'payload_too_large'
    | 'unsupported_media_type'
    | 'rate_limited'
    | 'internal_error'
    | 'unavailable';
  message: string;
};

export type ApiKey = {
  id: string;
  name: string;
  scopes: ReadonlyArray<GrantedScope>;
  expires_at: string | null;
  created_at: string;
};

export type Artifact = {
  id: string;
  artifact_id: string;
  team_id: string;
  title: string | null;
  status: ArtifactStatus;
  visibility: ArtifactVisibility;
  permission: ArtifactPermission;
  model: string;
  refresh_frequency: ArtifactRefreshFrequency | null;
  last_refresh_at: string | null;
  next_refresh_at: string | null;
  current_version: number | null;
  pending_user_questions: { questions: ReadonlyArray<Question> } | null;
  error: { code: string; message: string } | null;
  public_url: string | null;
  created_at: string;
  updated_at: string;
};

export type ArtifactConnection = {
  connection_id: string;
  artifact_id: string;
  name: string | null;
  type: ConnectionType | null;
  status: ConnectionStatus | null;
  created_at: string;
};

export type ArtifactMessage = {
  id: string;
  artifact_id: string;
  role: 'user' | 'assistant';
  content: string;
  created_at: string;
};

export type ArtifactPermission = (typeof enumValues.ArtifactPermission)[number];

export type ArtifactRefreshFrequency = (typeof enumValues.ArtifactRefreshFrequency)[number];

export type ArtifactRevision = {
  id: string;
  revision_id: string;
  artifact_id: string;
  version: number;
  title: string;
  source: 'message' | 'refresh' | 'restore' | 'duplicate';
  restored_version: number | null;
  is_current: boolean;
  size_bytes: number;
  created_at: string;
};

export type ArtifactStatus = (typeof enumValues.ArtifactStatus)[number];

export type ArtifactVisibility = (typeof enumValues.ArtifactVisibility)[number];

export type AssignmentBuildPublishedEvent = {
  id: string;
  event: 'assignment.build.published';
  created_at: string;
  data: { agent_id: string; build_id: string; revision_number: number };
};

export type BillingPeriod = { start: string; end: string };

export type BillingUsage = {
  period: BillingPeriod;
  plan: string;
  runs: { started: number; completed: number; failed: number; stopped: number };
  active_seconds: number;
  messages: number;
  tool_calls: number;
  model: { input_tokens: number; output_tokens: number };
  estimated_cost: EstimatedCost | null;
  human_requests: number;
  webhook_deliveries: number;
  mcp_calls: number;
  storage_bytes: number;
  daily: ReadonlyArray<{
    date: string;
    runs: number;
    active_seconds: number;
    input_tokens: number;
    output_tokens: number;
  }>;
};

export type BrowserAction = (typeof enumValues.BrowserAction)[number];

export type BrowserPage = {
  page_id: string;
  url: string;
  title: string;
  opened_at: string;
  closed_at: string | null;
};

export type BrowserScreenshot = {
  id: string;
  session_id: string;
  page_id: string;
  url: string;
  title: string;
  action: BrowserAction;
  captured_at: string;
  width: number;
  height: number;
  file_path: string;
  download_url: string;
};

export type Budget = {
  max_tokens: number | null;
  max_runs: number | null;
  on_reached: 'notify' | 'stop';
  used: { tokens: number; runs: number };
  state: 'ok' | 'warning' | 'reached';
  period: BillingPeriod;
};

export type BudgetFacts = {
  max_tokens: number | null;
  max_runs: number | null;
  period: BillingPeriod;
  used: { tokens: number; runs: number };
};

export type BudgetReachedEvent = {
  id: string;
  event: 'budget.reached';
  created_at: string;
  data: BudgetFacts;
};

export type BudgetWarningEvent = {
  id: string;
  event: 'budget.warning';
  created_at: string;
  data: BudgetFacts;
};

export type Build = {
  id: string;
  build_id: string;
  agent_id: string;
  name: string;
  revision_number: number;
  revision_name: string | null;
  revision_description: string | null;
  status: BuildStatus;
  config: BuildConfig;
  parent_build_id: string | null;
  created_at: string;
  updated_at: string;
};

export type BuildConfig = {
  version: 'v2';
  data: {
    models: { agent: { model: string } };
    input: string;
    plugins?: ReadonlyArray<string>;
    connections: ReadonlyArray<string>;
    sub_agents: ReadonlyArray<string>;
    options: BuildOptions;
  };
};

export type BuildConfigInput = {
  version?: 'v2';
  data?: {
    models?: { agent?: { model?: string } };
    input?: string | ReadonlyArray<{ role: string; content: string }>;
    plugins?: ReadonlyArray<string>;
    connections?: ReadonlyArray<string>;
    sub_agents?: ReadonlyArray<string>;
    options?: BuildOptionsInput;
  };
};

export type BuildOptions = {
  max_steps: number;
  timeout_seconds: number;
  max_tokens?: number;
  temperature?: number;
};

export type BuildOptionsInput = {
  max_steps?: number;
  timeout_seconds?: number;
  max_tokens?: number;
  temperature?: number;
};

export type BuildStatus = (typeof enumValues.BuildStatus)[number];

export type BuilderRun = {
  id: string;
  builder_run_id: string;
  build_id: string;
  agent_id: string;
  status: BuilderRunStatus;
  prompt: string;
  progress: { phase: string; percent: number };
  pending_user_questions: { questions: ReadonlyArray<Question> } | null;
  checkpoint_config: BuildConfig;
  proposed_config: BuildConfig | null;
  error: { code: string; message: string } | null;
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
};

export type BuilderRunStatus = (typeof enumValues.BuilderRunStatus)[number];

export type Case = {
  id: string;
  case_id: string;
  queue_id: string;
  title: string;
  data: unknown;
  status: CaseStatus;
  display_status: CaseDisplayStatus;
  priority: CasePriority;
  labels: ReadonlyArray<CaseLabel>;
  claimed_by_run_id: string | null;
  claimed_at: string | null;
  postponed_to: string | null;
  completed_at: string | null;
  pending_human_request_id: string | null;
  created_at: string;
  updated_at: string;
};

export type CaseActor = { type: 'credential' | 'run' | 'system'; id: string | null };

export type CaseDisplayStatus = (typeof enumValues.CaseDisplayStatus)[number];

export type CaseEvent = {
  id: string;
  type: CaseEventType;
  actor: CaseActor;
  reason: string | null;
  created_at: string;
};

export type CaseEventType = (typeof enumValues.CaseEventType)[number];

export type CaseFacts = {
  case_id: string;
  queue_id: string;
  title: string;
  status: CaseStatus;
  run_id?: string;
};

export type CaseFilters = {
  status?: ReadonlyArray<CaseStatusFilter>;
  priority?: ReadonlyArray<CasePriority>;
  created_at_from?: string;
  created_at_to?: string;
  updated_at_from?: string;
  updated_at_to?: string;
  labels?: Record<string, ReadonlyArray<string>>;
};

export type CaseLabel = { id: string; label_id: string; key: string; value: string; color_hue: number };

export type CasePriority = (typeof enumValues.CasePriority)[number];

export type CaseStatus = (typeof enumValues.CaseStatus)[number];

export type CaseStatusFilter = (typeof enumValues.CaseStatusFilter)[number];

export type CaseTrigger = {
  id: string;
  trigger_id: string;
  agent_id: string;
  case_queue_id: string;
  case_queue_name: string;
  enabled: boolean;
  concurrency: number | null;
  has_conflict: boolean;
  conflicting_agents: ReadonlyArray<{ agent_id: string; name: string }>;
  created_at: string;
  updated_at: string;
};

export type Connection = {
  id: string;
  connection_id: string;
  team_id: string;
  name: string;
  type: ConnectionType;
  provider: string;
  server_url: string;
  auth_method: ConnectionAuthMethod;
  oauth_scopes: ReadonlyArray<string>;
  required_scopes: ReadonlyArray<string>;
  headers: { plaintext: Record<string, string> };
  has_headers: boolean;
  has_oauth_tokens: boolean;
  status: ConnectionStatus;
  broken_at: string | null;
  broken_reason: string | null;
  created_at: string;
  updated_at: string;
};

export type ConnectionActionRequiredEvent = {
  id: string;
  event: 'connection.action_required';
  created_at: string;
  data: ConnectionFacts;
};

export type ConnectionAuthMethod = (typeof enumValues.ConnectionAuthMethod)[number];

export type ConnectionFacts = {
  connection_id: string;
  provider: string;
  name: string;
  status: ConnectionStatus;
  reason?: string;
};

export type ConnectionStatus = (typeof enumValues.ConnectionStatus)[number];

export type ConnectionType = (typeof enumValues.ConnectionType)[number];

export type ConnectionUpdatedEvent = {
  id: string;
  event: 'connection.updated';
  created_at: string;
  data: ConnectionFacts;
};

export type CountedCaseLabel = {
  id: string;
  label_id: string;
  key: string;
  value: string;
  color_hue: number;
  case_count: number;
};

export type DeliveryStatus = (typeof enumValues.DeliveryStatus)[number];

export type Entitlements = {
  plan: string;
  features: { browser: boolean; code: boolean; mcp: boolean; artifacts: boolean };
  limits: {
    agents: number | null;
    concurrent_runs: number | null;
    runs_per_month: number | null;
    schedules_per_agent: number | null;
    webhooks: number | null;
    queues: number | null;
    rate_limit_per_minute: number | null;
  };
  usage: {
    agents: number | null;
    concurrent_runs: number | null;
    runs_per_month: number | null;
    schedules_per_agent: number | null;
    webhooks: number | null;
    queues: number | null;
    rate_limit_per_minute: number | null;
  };
};

export type EstimatedCost = { amount: string; currency: string };

export type Evaluation = {
  id: string;
  run_id: string;
  created_at: string;
  status: EvaluationStatus;
  passed: number;
  total: number;
  results: ReadonlyArray<RubricResult>;
};

export type EvaluationStatus = (typeof enumValues.EvaluationStatus)[number];

export type Event = { id: string; event: string; created_at: string; data: Record<string, unknown> };

export type EventName = (typeof enumValues.EventName)[number];

export type FileContent = {
  path: string;
  content: string | null;
  encoding: 'utf-8' | 'base64';
  content_type: string;
  size_bytes: number;
  download_url: string;
};

export type GrantedScope = (typeof enumValues.GrantedScope)[number];

export type HumanRequest = {
  id: string;
  request_id: string;
  run_id: string;
  type: HumanRequestType;
  title: string;
  description: string | null;
  questions?: ReadonlyArray<Question>;
  status: HumanRequestStatus;
  response: Record<string, unknown> | null;
  votes: ReadonlyArray<{ user_id: string; approved: boolean; comment: string | null; voted_at: string }>;
  assignee: string | null;
  due_at: string | null;
  on_timeout: 'deny' | 'fail';
  required_approvals: number;
  responded_at: string | null;
  created_at: string;
};

export type HumanRequestCreatedEvent = {
  id: string;
  event: 'human_request.created';
  created_at: string;
  data: HumanRequestFacts;
};

export type HumanRequestFacts = { run_id: string; request_id: string; type: HumanRequestType; title: string };

export type HumanRequestRespondedEvent = {
  id: string;
  event: 'human_request.responded';
  created_at: string;
  data: {
    run_id: string;
    request_id: string;
    type: HumanRequestType;
    title: string;
    status: HumanRequestStatus;
    approved?: boolean;
    answers?: Answers;
  };
};

export type HumanRequestStatus = (typeof enumValues.HumanRequestStatus)[number];

export type HumanRequestType = (typeof enumValues.HumanRequestType)[number];

export type IssuedApiKey = {
  id: string;
  name: string;
  scopes: ReadonlyArray<GrantedScope>;
  expires_at: string | null;
  created_at: string;
  key: string;
};

export type IssuedOAuthClient = {
  id: string;
  client_id: string;
  name: string;
  scopes: ReadonlyArray<GrantedScope>;
  created_at: string;
  client_secret: string;
};

export type JsonRpcRequest = {
  jsonrpc: '2.0';
  id?: string | number;
  method: string;
  params?: Record<string, unknown>;
};

export type JsonRpcResponse = {
  jsonrpc: '2.0';
  id: string | number | null;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
};

export type ListedAgent = {
  id: string;
  agent_id: string;
  team_id: string;
  name: string;
  description: string | null;
  live_build_id: string;
  agentic_memory_enabled: boolean;
  last_run_at: string | null;
  created_at: string;
  updated_at: string;
  latest_build: Build;
  schedules?: ReadonlyArray<Schedule>;
  case_trigger_enabled?: boolean;
  case_trigger_has_conflict?: boolean;
  case_trigger_conflicting_agents?: ReadonlyArray<{ agent_id: string; name: string }>;
  case_queue_name?: string | null;
};

export type MemoryFile = {
  name: string;
  path: string;
  size_bytes: number;
  updated_at: string;
  generation: number;
  source_type: 'run' | 'user';
  source_run_id: string | null;
  source_agent_run_id: string | null;
  source_user_id: string | null;
  source_updated_at: string;
};

export type MemoryFileContent = {
  name: string;
  path: string;
  size_bytes: number;
  updated_at: string;
  generation: number;
  source_type: 'run' | 'user';
  source_run_id: string | null;
  source_agent_run_id: string | null;
  source_user_id: string | null;
  source_updated_at: string;
  content: string;
};

export type MessageRole = (typeof enumValues.MessageRole)[number];

export type MessageType = (typeof enumValues.MessageType)[number];

export type NewCaseInput = {
  title: string;
  data?: unknown;
  labels?: ReadonlyArray<NewCaseLabel>;
  priority?: CasePriority;
  postponed_to?: string;
};

export type NewCaseLabel = { key: string; value: string };

export type OAuthClient = {
  id: string;
  client_id: string;
  name: string;
  scopes: ReadonlyArray<GrantedScope>;
  created_at: string;
};

export type PlatformRubric = {
  key: string;
  title: string;
  label: string;
  description: string;
  cause: string | null;
  severity: Severity;
};

export type Plugin = {
  name: string;
  type: PluginType;
  title: string;
  description: string;
  tools: ReadonlyArray<{ name: string; description: string }>;
  configured: boolean;
};

export type PluginType = (typeof enumValues.PluginType)[number];

export type Question = {
  question: string;
  header?: string;
  options?: ReadonlyArray<{ label: string; description?: string }>;
  multi_select?: boolean;
};

export type Queue = {
  id: string;
  queue_id: string;
  team_id: string;
  name: string;
  description: string | null;
  folder_id: null;
  has_approvals: boolean;
  case_counts: { pending: number; completed: number; failed: number };
  created_at: string;
  updated_at: string;
};

export type QueueCaseClaimedEvent = {
  id: string;
  event: 'queue.case.claimed';
  created_at: string;
  data: CaseFacts;
};

export type QueueCaseCompletedEvent = {
  id: string;
  event: 'queue.case.completed';
  created_at: string;
  data: CaseFacts;
};

export type QueueCaseCreatedEvent = {
  id: string;
  event: 'queue.case.created';
  created_at: string;
  data: CaseFacts;
};

export type Rubric = {
  id: string;
  rubric_id: string;
  slug: string;
  title: string;
  description: string;
  severity: Severity;
  sort_order: number;
  version: number;
  build_id: string;
  created_at: string;
  updated_at: string;
};

export type RubricInput = { title: string; description: string; severity?: Severity; sort_order?: number };

export type RubricResult = {
  rubric_id?: string;
  key?: string;
  title: string;
  version: number;
  passed: boolean | null;
  severity: Severity;
  comment: string;
};

export type Run = {
  id: string;
  run_id: string;
  run_number: number;
  title: string;
  agent_id: string;
  agent_name: string;
  build_id: string;
  team_id: string;
  status: RunStatus;
  source: RunSource;
  sandbox_id: string;
  user_id: string | null;
  case_id: string | null;
  case_queue_item_id: string | null;
  case_title: string | null;
  case_queue_id: string | null;
  case_queue_name: string | null;
  postponed_to: string | null;
  human_in_the_loop_enabled: boolean;
  metadata: Record<string, string>;
  result: string | null;
  error: ShownRunError | null;
  stop_reason: RunStopReason | null;
  pending_reason: 'queued' | 'concurrency_limit' | null;
  usage: { steps: number; tool_calls: number; input_tokens: number; output_tokens: number };
  eval_summary: { passed: number; total: number; has_issues: boolean } | null;
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
  updated_at: string;
};

export type RunBuild = {
  id: string;
  build_id: string;
  agent_id: string;
  name: string;
  revision_number: number;
  config: BuildConfig;
};

export type RunCompletedEvent = { id: string; event: 'run.completed'; created_at: string; data: RunFacts };

export type RunError = { code: RunErrorCode; message: string };

export type RunErrorCode = (typeof enumValues.RunErrorCode)[number];

export type RunEvent =
  | RunStartedEvent
  | RunPausedEvent
  | RunCompletedEvent
  | RunFailedEvent
  | RunMessageCreatedEvent
  | RunToolCallCompletedEvent
  | RunFileCreatedEvent
  | HumanRequestCreatedEvent
  | HumanRequestRespondedEvent;

export type RunFacts = {
  run_id: string;
  status: RunStatus;
  agent_id: string;
  build_id: string;
  team_id: string;
  source: RunSource;
  case_id?: string;
  result?: string;
  error?: RunError;
};

export type RunFailedEvent = { id: string; event: 'run.failed'; created_at: string; data: RunFacts };

export type RunFileCreatedEvent = {
  id: string;
  event: 'run.file.created';
  created_at: string;
  data: { run_id: string; path: string; size_bytes: number };
};

export type RunMessage = {
  id: string;
  seq: number;
  type: MessageType;
  role: MessageRole;
  text_content?: string;
  tool_call?: ToolCall;
  tool_result?: ToolResult;
  timestamp: string;
};

export type RunMessageCreatedEvent = {
  id: string;
  event: 'run.message.created';
  created_at: string;
  data: { run_id: string; message_id: string; role: MessageRole; type: MessageType };
};

export type RunPausedEvent = { id: string; event: 'run.paused'; created_at: string; data: RunFacts };

export type RunSource = (typeof enumValues.RunSource)[number];

export type RunStartedEvent = { id: string; event: 'run.started'; created_at: string; data: RunFacts };

export type RunStatus = (typeof enumValues.RunStatus)[number];

export type RunStep = {
  index: number;
  name: string;
  kind: StepKind;
  status: StepStatus;
  started_at: string;
  completed_at: string | null;
  duration_ms: number | null;
  attempts: number;
  input_tokens?: number;
  output_tokens?: number;
  tool_calls?: number;
  error?: string;
};

export type RunStopReason = (typeof enumValues.RunStopReason)[number];

export type RunToolCallCompletedEvent = {
  id: string;
  event: 'run.tool_call.completed';
  created_at: string;
  data: {
    run_id: string;
    tool_call_id: string;
    name: string;
    ok: boolean;
    duration_ms: number;
    error?: string;
  };
};

export type SandboxFile = {
  name: string;
  path: string;
  type: 'file' | 'dir';
  size_bytes: number;
  updated_at: string;
};

export type SandboxFiles = { files: ReadonlyArray<SandboxFile> };

export type Schedule = {
  id: string;
  schedule_id: string;
  agent_id: string;
  enabled: boolean;
  frequency: ScheduleFrequency;
  time: string;
  timezone: string;
  day: Weekday;
  day_of_month: number;
  cron: string | null;
  recurring: boolean;
  message: string | null;
  next_run_at: string | null;
  upcoming_runs?: ReadonlyArray<string>;
  last_run_at: string | null;
  last_run_id: string | null;
  auto_disabled_at: string | null;
  auto_disabled_reason: string | null;
  created_at: string;
  updated_at: string;
};

export type ScheduleFrequency = (typeof enumValues.ScheduleFrequency)[number];

export type Severity = (typeof enumValues.Severity)[number];

export type ShownRunError = { code: RunErrorCode; message: string; advice: string };

export type StepKind = (typeof enumValues.StepKind)[number];

export type StepStatus = (typeof enumValues.StepStatus)[number];

export type Success = { success: true };

export type Team = { id: string; name: string; plan: string; created_at: string };

export type TeamEvent =
  | BudgetReachedEvent
  | BudgetWarningEvent
  | AssignmentBuildPublishedEvent
  | QueueCaseClaimedEvent
  | QueueCaseCompletedEvent
  | QueueCaseCreatedEvent
  | ConnectionActionRequiredEvent
  | ConnectionUpdatedEvent
  | HumanRequestCreatedEvent
  | HumanRequestRespondedEvent
  | RunCompletedEvent
  | RunFailedEvent
  | RunFileCreatedEvent
  | RunMessageCreatedEvent
  | RunPausedEvent
  | RunStartedEvent
  | RunToolCallCompletedEvent;

export type ToolCall = { id: string; name: string; arguments: Record<string, unknown> };

export type ToolResult = { tool_call_id: string; result?: unknown; error?: string };

export type Webhook = {
  id: string;
  subscriptionId: string;
  team_id: string;
  url: string;
  events: ReadonlyArray<string>;
  enabled: boolean;
  disabled_reason: string | null;
  last_delivery_at: string | null;
  consecutive_failures: number;
  created_at: string;
  updated_at: string;
};

export type WebhookDelivery = {
  id: string;
  event: string;
  status: DeliveryStatus;
  attempts: number;
  next_attempt_at: string | null;
  created_at: string;
  delivered_at: string | null;
};

export type WebhookDeliveryAttempt = {
  number: number;
  attempted_at: string;
  status_code: number | null;
  duration_ms: number;
  error: string | null;
  response_body: string | null;
};

export type WebhookSecret = { secret: string; created_at: string; previous_expires_at: string | null };

export type Weekday = (typeof enumValues.Weekday)[number];

/** Types of each operation. Streams have an `event`, lists an `item`; a download gives the response itself. */
export interface Operations {
  /** List teams */
  listTeams: {
    input: { limit?: number; offset?: number };
    output: { teams: ReadonlyArray<Team>; total: number; limit: number; offset: number };
    item: Team;
  };

  /** Create a team and its first API key */
  createTeam: { input: { name?: string }; output: { team_id: string; team: Team; api_key: IssuedApiKey } };

  /** Get a team */
  getTeam: { input: { teamId?: string }; output: { team_id: string; team: Team } };

  /** Set the plan of a team */
  setTeamPlan: {
    input: { teamId?: string; plan: 'self_hosted' | 'free' | 'trial' | 'standard' };
    output: { team_id: string; team: Team };
  };

  /** List the API keys of a team */
  listApiKeys: {
    input: { teamId?: string; limit?: number; offset?: number };
    output: { api_keys: ReadonlyArray<ApiKey>; total: number; limit: number; offset: number };
    item: ApiKey;
  };

  /** Create an API key */
  createApiKey: {
    input: {
      teamId?: string;
      name?: string;
      scopes?: ReadonlyArray<GrantedScope>;
      expires_at?: string | null;
    };
    output: { api_key_id: string; api_key: IssuedApiKey };
  };

  /** Revoke an API key */
  deleteApiKey: { input: { teamId?: string; keyId: string }; output: Success };

  /** List the OAuth clients of a team */
  listOAuthClients: {
    input: { teamId?: string; limit?: number; offset?: number };
    output: { oauth_clients: ReadonlyArray<OAuthClient>; total: number; limit: number; offset: number };
    item: OAuthClient;
  };

  /** Register an OAuth client for the client credentials grant */
  createOAuthClient: {
    input: { teamId?: string; name?: string; scopes?: ReadonlyArray<GrantedScope> };
    output: { client_id: string; oauth_client: IssuedOAuthClient };
  };

  /** Delete an OAuth client */
  deleteOAuthClient: { input: { teamId?: string; clientId: string }; output: Success };

  /** Get an agent */
  getAgent: { input: { agent_id: string }; output: { agent_id: string; agent: Agent } };

  /** Update an agent */
  updateAgent: {
    input: { agent_id: string; name?: string; description?: string | null; agentic_memory_enabled?: boolean };
    output: { agent_id: string; agent: Agent };
  };

  /** Delete an agent */
  deleteAgent: { input: { agent_id: string }; output: { success: true; schedules_deleted: number } };

  /** Roll an agent back to its previous live revision */
  rollbackAgent: {
    input: { agent_id: string };
    output: {
      success: true;
      build_id: string;
      status: string;
      build: Build;
      warnings: ReadonlyArray<string>;
    };
  };

  /** List the agents of a team */
  listAgents: {
    input: { teamId?: string; include_schedules?: boolean; limit?: number; offset?: number };
    output: { agents: ReadonlyArray<ListedAgent>; total: number; limit: number; offset: number };
    item: ListedAgent;
  };

  /** Create an agent with a live first revision */
  createAgent: {
    input: {
      teamId?: string;
      name?: string;
      description?: string | null;
      agentic_memory_enabled?: boolean;
      build?: { name?: string; config?: BuildConfigInput };
    };
    output: { agent_id: string; agent: Agent; build: Build; warnings: ReadonlyArray<string> };
  };

  /** List the revisions of an agent, newest first */
  listAgentRevisions: {
    input: { agent_id: string; limit?: number; offset?: number };
    output: { builds: ReadonlyArray<Build>; total: number; limit: number; offset: number };
    item: Build;
  };

  /** Create a draft revision */
  createRevision: {
    input: { agent_id: string; name?: string; config?: BuildConfigInput; source_build_id?: string };
    output: { build_id: string; status: BuildStatus; build: Build; warnings: ReadonlyArray<string> };
  };

  /** Get a revision */
  getRevision: {
    input: { agent_id: string; build_id: string };
    output: { build_id: string; status: BuildStatus; build: Build; warnings: ReadonlyArray<string> };
  };

  /** Update a revision */
  updateRevision: {
    input: {
      build_id: string;
      name?: string;
      config?: BuildConfigInput;
      revision_name?: string | null;
      revision_description?: string | null;
    };
    output: { build_id: string; status: BuildStatus; build: Build; warnings: ReadonlyArray<string> };
  };

  /** Promote a revision to the live build */
  promoteRevision: {
    input: {
      build_id: string;
      revision_name?: string;
      revision_description?: string;
      require?: { min_pass_rate?: number; min_evaluated?: number };
    };
    output: {
      build_id: string;
      status: BuildStatus;
      build: Build;
      warnings: ReadonlyArray<string>;
      success: true;
    };
  };

  /** Answer the clarifying questions of a builder run */
  resumeBuilderRun: {
    input: { builder_run_id: string; answers?: Answers };
    output: { builder_run_id: string; status: BuilderRunStatus; builder_run: BuilderRun };
  };

  /** Get a builder run */
  getBuilderRunStatus: {
    input: { builder_run_id: string };
    output: { builder_run_id: string; status: BuilderRunStatus; builder_run: BuilderRun };
  };

  /** Accept the proposal of the latest builder run */
  acceptRevision: {
    input: { build_id: string };
    output: {
      build_id: string;
      status: BuildStatus;
      build: Build;
      warnings: ReadonlyArray<string>;
      builder_run: BuilderRun;
    };
  };

  /** Get the latest builder run of a revision */
  getRevisionBuilderRun: {
    input: { build_id: string };
    output: { builder_run_id: string; status: BuilderRunStatus; builder_run: BuilderRun };
  };

  /** Discard the proposal of the latest builder run */
  discardRevision: {
    input: { build_id: string };
    output: {
      build_id: string;
      status: BuildStatus;
      build: Build;
      warnings: ReadonlyArray<string>;
      builder_run: BuilderRun;
    };
  };

  /** Generate an operating procedure for a revision */
  generateRevision: {
    input: { build_id: string; prompt?: string };
    output: { builder_run_id: string; status: BuilderRunStatus; builder_run: BuilderRun };
  };

  /** List the schedules of an agent */
  listAgentSchedules: {
    input: { agent_id: string; limit?: number; offset?: number };
    output: { schedules: ReadonlyArray<Schedule>; total: number; limit: number; offset: number };
    item: Schedule;
  };

  /** Create a schedule */
  createSchedule: {
    input: {
      agent_id: string;
      enabled?: boolean;
      frequency?: ScheduleFrequency;
      time?: string;
      timezone?: string;
      day?: Weekday;
      day_of_month?: number;
      cron?: string | null;
      recurring?: boolean;
      message?: string | null;
    };
    output: Schedule;
  };

  /** Update a schedule */
  updateSchedule: {
    input: {
      agent_id: string;
      schedule_id: string;
      enabled?: boolean;
      frequency?: ScheduleFrequency;
      time?: string;
      timezone?: string;
      day?: Weekday;
      day_of_month?: number;
      cron?: string | null;
      recurring?: boolean;
      message?: string | null;
    };
    output: Schedule;
  };

  /** Delete a schedule */
  deleteSchedule: { input: { agent_id: string; schedule_id: string }; output: Success };

  /** List the memory files of an agent */
  listAgentMemoryFiles: {
    input: { agent_id: string; limit?: number; offset?: number };
    output: { files: ReadonlyArray<MemoryFile>; total: number; limit: number; offset: number };
    item: MemoryFile;
  };

  /** Get a memory file */
  getAgentMemoryFile: { input: { agent_id: string; path: string }; output: MemoryFileContent };

  /** Write a memory file */
  putAgentMemoryFile: {
    input: { agent_id: string; path: string; content: string };
    output: MemoryFileContent;
  };

  /** Delete a memory file */
  deleteAgentMemoryFile: { input: { agent_id: string; path: string }; output: Success };

  /** Get the evaluation scores of an agent and their trend */
  getEvalScores: {
    input: { agentId: string; since?: string; scope?: 'all' | 'custom'; revision_id?: string };
    output: {
      total_evaluated: number;
      with_issues: number;
      flag_distribution: ReadonlyArray<{ flag: string; label: string; count: number }>;
      trend: ReadonlyArray<{ date: string; evaluated: number; with_issues: number }>;
    };
  };

  /** Get the evaluation of a run */
  getRunEvaluation: { input: { agentId: string; runId: string }; output: { data: Evaluation | null } };

  /** Get the rubrics of a revision */
  getEvalRubrics: {
    input: { agentId: string; build_id?: string };
    output: { rubrics: ReadonlyArray<Rubric>; platform_rubrics: ReadonlyArray<PlatformRubric> };
  };

  /** Create a rubric for a revision */
  createEvalRubric: {
    input: {
      agentId: string;
      title: string;
      description: string;
      severity?: Severity;
      sort_order?: number;
      build_id?: string;
    };
    output: { rubric_id: string; rubric: Rubric };
  };

  /** Replace all rubrics of a revision */
  replaceEvalRubrics: {
    input: { agentId: string; rubrics?: ReadonlyArray<RubricInput>; build_id?: string };
    output: { rubrics: ReadonlyArray<Rubric> };
  };

  /** Update a rubric */
  updateEvalRubric: {
    input: {
      agentId: string;
      rubric_id: string;
      title?: string;
      description?: string;
      severity?: Severity;
      sort_order?: number;
    };
    output: { rubric_id: string; rubric: Rubric };
  };

  /** Delete a rubric */
  deleteEvalRubric: { input: { agentId: string; rubric_id: string } };

  /** Get the browser screenshots of a run, action by action */
  getRunScreenshotTimeline: {
    input: { run_id: string };
    output: { run_id: string; screenshots: ReadonlyArray<BrowserScreenshot>; total: number };
  };

  /** Get a run of an agent with its messages, files and evaluation */
  getAgentRun: {
    input: { agentId: string; runId: string };
    output: {
      run_id: string;
      status: RunStatus;
      run: Run;
      pending_human_request: HumanRequest | null;
      agent: { id: string; agent_id: string; name: string };
      build: RunBuild;
      human_requests: ReadonlyArray<HumanRequest>;
      files_total: number;
      messages_total: number;
      case: Case | null;
      evaluation: Evaluation | null;
    };
  };

  /** Get the step-by-step report of a run */
  getWorkflowExecutionReport: {
    input: { agentId: string; runId: string };
    output: {
      run_id: string;
      agent_id: string;
      build_id: string;
      status: RunStatus;
      started_at: string | null;
      completed_at: string | null;
      duration_ms: number | null;
      steps: ReadonlyArray<RunStep>;
      totals: {
        steps: number;
        model_calls: number;
        tool_calls: number;
        human_requests: number;
        input_tokens: number;
        output_tokens: number;
        human_wait_ms: number;
        active_ms: number;
      };
    };
  };

  /** List the files in a folder of a run's sandbox */
  listRunSandboxFiles: { input: { agent_id: string; run_id: string; path?: string }; output: SandboxFiles };

  /** Download a file of a run's sandbox */
  getRunSandboxFileContent: {
    input: { agent_id: string; run_id: string; path?: string };
    output: FileContent;
  };

  /** Get the browser screenshots of a run, action by action */
  getAgentRunScreenshotTimeline: {
    input: { agent_id: string; run_id: string };
    output: { run_id: string; screenshots: ReadonlyArray<BrowserScreenshot>; total: number };
  };

  /** List the pages that a browser session opened */
  listBrowserSessionPages: {
    input: { session_id: string };
    output: { session_id: string; run_id: string; pages: ReadonlyArray<BrowserPage> };
  };

  /** Get a run */
  getRun: {
    input: { run_id: string };
    output: { run_id: string; status: RunStatus; run: Run; pending_human_request: HumanRequest | null };
  };

  /** Delete a run that has ended */
  deleteRun: { input: { run_id: string }; output: Success };

  /** Stream the events of a run */
  streamRunEvents: { input: { run_id: string; after?: number }; event: RunEvent };

  /** List the messages of a run, oldest first */
  listRunMessages: {
    input: { run_id: string; limit?: number; offset?: number };
    output: { messages: ReadonlyArray<RunMessage>; total: number; limit: number; offset: number };
    item: RunMessage;
  };

  /** Send a message to a run */
  postRunMessage: {
    input: { run_id: string; message: string };
    output: { run_id: string; status: RunStatus; message: RunMessage };
  };

  /** List the files in a folder of a run's sandbox */
  listRunSandboxFilesByRun: { input: { run_id: string; path?: string }; output: SandboxFiles };

  /** Download a file of a run's sandbox */
  getRunSandboxFileContentByRun: { input: { run_id: string; path?: string }; output: FileContent };

  /** Stop a run */
  stopRun: {
    input: { run_id: string };
    output: { run_id: string; status: RunStatus; success: true; message?: string };
  };

  /** List the runs of a team */
  listRuns: {
    input: {
      teamId?: string;
      status?: ReadonlyArray<
        | 'pending'
        | 'running'
        | 'waiting'
        | 'completed'
        | 'failed'
        | 'stopped'
        | 'needs_attention'
        | 'interrupted'
        | 'not_started'
        | 'starting'
        | 'in_progress'
      >;
      agent_id?: string;
      user_id?: string;
      case_id?: string;
      case_queue_id?: string;
      source?: RunSource;
      search?: string;
      since?: string;
      until?: string;
      has_issues?: boolean;
      issue_severity?: Severity;
      count_only?: boolean;
      sort_by?: 'created_at' | 'started_at' | 'completed_at';
      sort_order?: 'asc' | 'desc';
      limit?: number;
      offset?: number;
    };
    output: { data: ReadonlyArray<Run>; total: number };
    item: Run;
  };

  /** Start a run of an agent */
  startRun: {
    input: {
      teamId?: string;
      agent_id: string;
      message?: string;
      sandbox_id?: string;
      build_id?: string;
      metadata?: Record<string, string>;
      human_in_the_loop_enabled?: boolean;
      wait_seconds?: number;
      webhook_url?: string;
      /** Another name of `webhook_url`, which wins where both are given */
      callback_url?: string;
    };
    output: { run_id: string; status: RunStatus; run: Run };
  };

  /** Respond to a human request */
  respondToHumanRequest: {
    input: { run_id: string; request_id: string; approved?: boolean; comment?: string; answers?: Answers };
    output: { request_id: string; status: HumanRequestStatus; human_request: HumanRequest };
  };

  /** List human requests */
  listHumanRequests: {
    input: {
      teamId?: string;
      status?: HumanRequestStatus;
      assignee?: string;
      overdue?: boolean;
      limit?: number;
      offset?: number;
    };
    output: { human_requests: ReadonlyArray<HumanRequest>; total: number; limit: number; offset: number };
    item: HumanRequest;
  };

  /** Get a case with its history */
  getCase: {
    input: { case_id: string };
    output: { case_id: string; status: CaseStatus; case: Case; events: ReadonlyArray<CaseEvent> };
  };

  /** Update a case */
  updateCase: {
    input: {
      case_id: string;
      title?: string;
      data?: unknown;
      priority?: CasePriority;
      labels?: ReadonlyArray<NewCaseLabel>;
      status?: CaseStatus;
      postponed_to?: string | null;
      reason?: string;
    };
    output: { case_id: string; status: CaseStatus; case: Case; interrupted_run_ids: ReadonlyArray<string> };
  };

  /** Delete a case */
  deleteCase: {
    input: { case_id: string };
    output: { success: true; interrupted_run_ids: ReadonlyArray<string> };
  };

  /** List the runs that worked on a case, newest first */
  listCaseRuns: {
    input: { case_id: string; limit?: number; offset?: number };
    output: { runs: ReadonlyArray<Run>; total: number; limit: number; offset: number };
    item: Run;
  };

  /** Get a queue */
  getQueue: { input: { queue_id: string }; output: { queue_id: string; queue: Queue } };

  /** Update a queue */
  updateQueue: {
    input: { queue_id: string; name?: string; description?: string | null };
    output: { queue_id: string; queue: Queue };
  };

  /** Delete a queue with its cases */
  deleteQueue: {
    input: { queue_id: string };
    output: {
      success: true;
      deleted_case_count: number;
      interrupted_run_ids: ReadonlyArray<string>;
      deletedCount: number;
      interruptedRunIds: ReadonlyArray<string>;
    };
  };

  /** List the agents that produce or work on the cases of a queue */
  listQueueAgents: {
    input: { queue_id: string };
    output: {
      queue_name: string;
      producers: ReadonlyArray<{ agent_id: string; name: string }>;
      consumers: ReadonlyArray<{
        agent_id: string;
        name: string;
        trigger_id: string;
        enabled: boolean;
        concurrency: number | null;
      }>;
    };
  };

  /** List the cases of a queue */
  listCases: {
    input: {
      queue_id: string;
      status?: ReadonlyArray<CaseStatusFilter>;
      priority?: ReadonlyArray<CasePriority>;
      created_at_from?: string;
      created_at_to?: string;
      updated_at_from?: string;
      updated_at_to?: string;
      search?: string;
      sort_by?: 'created_at' | 'updated_at' | 'priority' | 'postponed_to';
      sort_order?: 'asc' | 'desc';
      limit?: number;
      offset?: number;
    };
    output: { cases: ReadonlyArray<Case>; total: number; limit: number; offset: number };
    item: Case;
  };

  /** Create cases in a queue */
  createCases: {
    input: { queue_id: string; case?: NewCaseInput; cases?: ReadonlyArray<NewCaseInput> };
    output: { added_cases: ReadonlyArray<Case> };
  };

  /** Delete all cases of a queue */
  clearQueueCases: {
    input: { queue_id: string };
    output: {
      success: true;
      deleted_case_count: number;
      interrupted_run_ids: ReadonlyArray<string>;
      deletedCount: number;
      interruptedRunIds: ReadonlyArray<string>;
    };
  };

  /** Delete many cases */
  bulkDeleteCases: {
    input: {
      queue_id: string;
      case_ids?: ReadonlyArray<string>;
      all_matching?: true;
      filters?: CaseFilters;
      search?: string;
    };
    output: {
      deleted_count: number;
      deletedCount: number;
      skipped_count: number;
      interrupted_run_ids: ReadonlyArray<string>;
      skippedCount: number;
      interruptedRunIds: ReadonlyArray<string>;
    };
  };

  /** Reset many cases to pending */
  bulkReprocessCases: {
    input: {
      queue_id: string;
      case_ids?: ReadonlyArray<string>;
      all_matching?: true;
      filters?: CaseFilters;
      search?: string;
      reason?: string;
      agent_id?: string;
    };
    output: {
      reprocessed_count: number;
      reprocessedCount: number;
      skipped_count: number;
      interrupted_run_ids: ReadonlyArray<string>;
      skippedCount: number;
      interruptedRunIds: ReadonlyArray<string>;
    };
  };

  /** Change the priority of many cases */
  bulkUpdateCasePriority: {
    input: {
      queue_id: string;
      case_ids?: ReadonlyArray<string>;
      all_matching?: true;
      filters?: CaseFilters;
      search?: string;
      priority: CasePriority;
    };
    output: {
      updated_count: number;
      updatedCount: number;
      skipped_count: number;
      interrupted_run_ids: ReadonlyArray<string>;
      skippedCount: number;
      interruptedRunIds: ReadonlyArray<string>;
    };
  };

  /** Change the status of many cases */
  bulkUpdateCaseStatus: {
    input: {
      queue_id: string;
      case_ids?: ReadonlyArray<string>;
      all_matching?: true;
      filters?: CaseFilters;
      search?: string;
      status: CaseStatus;
      reason?: string;
    };
    output: {
      updated_count: number;
      updatedCount: number;
      skipped_count: number;
      interrupted_run_ids: ReadonlyArray<string>;
      skippedCount: number;
      interruptedRunIds: ReadonlyArray<string>;
    };
  };

  /** Export the cases of a queue as a file, oldest first */
  exportCases: {
    input: {
      queue_id: string;
      format?: 'csv' | 'ndjson';
      status?: ReadonlyArray<CaseStatusFilter>;
      priority?: ReadonlyArray<CasePriority>;
      created_at_from?: string;
      created_at_to?: string;
      updated_at_from?: string;
      updated_at_to?: string;
      search?: string;
    };
  };

  /** Import cases from a file */
  importCases: {
    input: {
      queue_id: string;
      /** The bytes, as a whole */
      body: Bytes;
      /** What the bytes are */
      content_type?: string;
    };
    output: { accepted: number; rejected: number; errors: ReadonlyArray<{ line: number; message: string }> };
  };

  /** Search the cases of a queue */
  searchCases: {
    input: {
      queue_id: string;
      filters?: CaseFilters;
      search?: string;
      sort_by?: 'created_at' | 'updated_at' | 'priority' | 'postponed_to';
      sort_order?: 'asc' | 'desc';
      limit?: number;
      offset?: number;
    };
    output: { cases: ReadonlyArray<Case>; total: number; limit: number; offset: number };
    item: Case;
  };

  /** List the labels of a case */
  listLabelsOfCase: {
    input: { queue_id: string; case_id: string };
    output: { labels: ReadonlyArray<CaseLabel> };
  };

  /** Add labels to a case */
  linkCaseLabels: {
    input: { queue_id: string; case_id: string; labels: ReadonlyArray<NewCaseLabel> };
    output: { labels: ReadonlyArray<CaseLabel> };
  };

  /** Remove labels from a case */
  unlinkCaseLabels: {
    input: { queue_id: string; case_id: string; label_ids: ReadonlyArray<string> };
    output: { labels: ReadonlyArray<CaseLabel> };
  };

  /** List the labels of a queue */
  listCaseLabels: {
    input: { queue_id: string; limit?: number; offset?: number };
    output: { labels: ReadonlyArray<CountedCaseLabel>; total: number; limit: number; offset: number };
    item: CountedCaseLabel;
  };

  /** Create a label */
  createCaseLabel: {
    input: { queue_id: string; key: string; value: string; color_hue?: number };
    output: { label_id: string; label: CountedCaseLabel };
  };

  /** Update a label on all its cases */
  updateCaseLabel: {
    input: { queue_id: string; label_id: string; key?: string; value?: string; color_hue?: number };
    output: { label_id: string; label: CountedCaseLabel };
  };

  /** Delete a label and remove it from all cases */
  deleteCaseLabel: { input: { queue_id: string; label_id: string }; output: Success };

  /** List the queues of a team, by name */
  listQueues: {
    input: { teamId?: string; limit?: number; offset?: number };
    output: { queues: ReadonlyArray<Queue>; total: number; limit: number; offset: number };
    item: Queue;
  };

  /** Create a queue */
  createQueue: {
    input: { teamId?: string; name: string; description?: string | null };
    output: { queue_id: string; queue: Queue };
  };

  /** List the case triggers of an agent */
  listAgentCaseTriggers: {
    input: { agent_id: string; limit?: number; offset?: number };
    output: { case_triggers: ReadonlyArray<CaseTrigger>; total: number; limit: number; offset: number };
    item: CaseTrigger;
  };

  /** Assign an agent to the cases of a queue */
  createCaseTrigger: {
    input: { agent_id: string; case_queue_id: string; enabled?: boolean; concurrency?: number | null };
    output: { trigger_id: string; case_trigger: CaseTrigger };
  };

  /** Get a case trigger */
  getCaseTrigger: {
    input: { agent_id: string; trigger_id: string };
    output: { trigger_id: string; case_trigger: CaseTrigger };
  };

  /** Update a case trigger */
  updateCaseTrigger: {
    input: {
      agent_id: string;
      trigger_id: string;
      case_queue_id?: string;
      enabled?: boolean;
      concurrency?: number | null;
    };
    output: { trigger_id: string; case_trigger: CaseTrigger };
  };

  /** Delete a case trigger */
  deleteCaseTrigger: { input: { agent_id: string; trigger_id: string }; output: Success };

  /** List the artifacts visible to the credential, newest first */
  listArtifacts: {
    input: {
      status?: ReadonlyArray<ArtifactStatus>;
      visibility?: ReadonlyArray<ArtifactVisibility>;
      search?: string;
      limit?: number;
      offset?: number;
    };
    output: { artifacts: ReadonlyArray<Artifact>; total: number; limit: number; offset: number };
    item: Artifact;
  };

  /** Create an artifact */
  createArtifact: {
    input: {
      message: string;
      title?: string;
      visibility?: ArtifactVisibility;
      refresh_frequency?: ArtifactRefreshFrequency;
      model?: string;
      connection_ids?: ReadonlyArray<string>;
    };
    output: {
      id: string;
      artifact_id: string;
      team_id: string;
      title: string | null;
      status: ArtifactStatus;
      visibility: ArtifactVisibility;
      permission: ArtifactPermission;
      model: string;
      refresh_frequency: ArtifactRefreshFrequency | null;
      last_refresh_at: string | null;
      next_refresh_at: string | null;
      current_version: number | null;
      pending_user_questions: { questions: ReadonlyArray<Question> } | null;
      error: { code: string; message: string } | null;
      public_url: string | null;
      created_at: string;
      updated_at: string;
      artifact: Artifact;
    };
  };

  /** Get an artifact */
  getArtifact: {
    input: { artifactId: string };
    output: {
      id: string;
      artifact_id: string;
      team_id: string;
      title: string | null;
      status: ArtifactStatus;
      visibility: ArtifactVisibility;
      permission: ArtifactPermission;
      model: string;
      refresh_frequency: ArtifactRefreshFrequency | null;
      last_refresh_at: string | null;
      next_refresh_at: string | null;
      current_version: number | null;
      pending_user_questions: { questions: ReadonlyArray<Question> } | null;
      error: { code: string; message: string } | null;
      public_url: string | null;
      created_at: string;
      updated_at: string;
      artifact: Artifact;
    };
  };

  /** Update the title, visibility, model, refresh schedule or connections of an artifact */
  updateArtifact: {
    input: {
      artifactId: string;
      title?: string | null;
      visibility?: ArtifactVisibility;
      refresh_frequency?: ArtifactRefreshFrequency | null;
      model?: string;
      connection_ids?: ReadonlyArray<string>;
    };
    output: Artifact;
  };

  /** Delete an artifact with its messages and revisions */
  deleteArtifact: { input: { artifactId: string }; output: Success };

  /** Answer the questions of a waiting artifact */
  answerArtifact: {
    input: { artifactId: string; answers?: Answers };
    output: {
      id: string;
      artifact_id: string;
      team_id: string;
      title: string | null;
      status: ArtifactStatus;
      visibility: ArtifactVisibility;
      permission: ArtifactPermission;
      model: string;
      refresh_frequency: ArtifactRefreshFrequency | null;
      last_refresh_at: string | null;
      next_refresh_at: string | null;
      current_version: number | null;
      pending_user_questions: { questions: ReadonlyArray<Question> } | null;
      error: { code: string; message: string } | null;
      public_url: string | null;
      created_at: string;
      updated_at: string;
      artifact: Artifact;
    };
  };

  /** List the connections that an artifact may read */
  listArtifactConnections: {
    input: { artifactId: string; limit?: number; offset?: number };
    output: { connections: ReadonlyArray<ArtifactConnection>; total: number; limit: number; offset: number };
    item: ArtifactConnection;
  };

  /** Grant an artifact read access to a connection */
  addArtifactConnection: {
    input: { artifactId: string; connection_id: string };
    output: { connection_id: string; connection: ArtifactConnection };
  };

  /** Revoke an artifact's access to a connection */
  removeArtifactConnection: { input: { artifactId: string; connectionId: string }; output: Success };

  /** Copy an artifact with its current page, messages and connections */
  duplicateArtifact: {
    input: { artifactId: string; title?: string };
    output: {
      id: string;
      artifact_id: string;
      team_id: string;
      title: string | null;
      status: ArtifactStatus;
      visibility: ArtifactVisibility;
      permission: ArtifactPermission;
      model: string;
      refresh_frequency: ArtifactRefreshFrequency | null;
      last_refresh_at: string | null;
      next_refresh_at: string | null;
      current_version: number | null;
      pending_user_questions: { questions: ReadonlyArray<Question> } | null;
      error: { code: string; message: string } | null;
      public_url: string | null;
      created_at: string;
      updated_at: string;
      artifact: Artifact;
    };
  };

  /** Download the current page as HTML */
  exportArtifactHtml: { input: { artifactId: string } };

  /** Download the current page as PDF */
  exportArtifactPdf: { input: { artifactId: string } };

  /** List the messages of an artifact, oldest first */
  listArtifactMessages: {
    input: { artifactId: string; limit?: number; offset?: number };
    output: { messages: ReadonlyArray<ArtifactMessage>; total: number; limit: number; offset: number };
    item: ArtifactMessage;
  };

  /** Request a change of an artifact */
  postArtifactMessage: {
    input: { artifactId: string; message: string };
    output: {
      id: string;
      artifact_id: string;
      team_id: string;
      title: string | null;
      status: ArtifactStatus;
      visibility: ArtifactVisibility;
      permission: ArtifactPermission;
      model: string;
      refresh_frequency: ArtifactRefreshFrequency | null;
      last_refresh_at: string | null;
      next_refresh_at: string | null;
      current_version: number | null;
      pending_user_questions: { questions: ReadonlyArray<Question> } | null;
      error: { code: string; message: string } | null;
      public_url: string | null;
      created_at: string;
      updated_at: string;
      artifact: Artifact;
      message: ArtifactMessage;
    };
  };

  /** Publish an artifact to its team or to a public URL */
  publishArtifact: {
    input: { artifactId: string; visibility?: ArtifactVisibility; permission?: ArtifactPermission };
    output: {
      id: string;
      artifact_id: string;
      team_id: string;
      title: string | null;
      status: ArtifactStatus;
      visibility: ArtifactVisibility;
      permission: ArtifactPermission;
      model: string;
      refresh_frequency: ArtifactRefreshFrequency | null;
      last_refresh_at: string | null;
      next_refresh_at: string | null;
      current_version: number | null;
      pending_user_questions: { questions: ReadonlyArray<Question> } | null;
      error: { code: string; message: string } | null;
      public_url: string | null;
      created_at: string;
      updated_at: string;
      artifact: Artifact;
    };
  };

  /** Regenerate an artifact with current data */
  refreshArtifact: {
    input: { artifactId: string };
    output: {
      id: string;
      artifact_id: string;
      team_id: string;
      title: string | null;
      status: ArtifactStatus;
      visibility: ArtifactVisibility;
      permission: ArtifactPermission;
      model: string;
      refresh_frequency: ArtifactRefreshFrequency | null;
      last_refresh_at: string | null;
      next_refresh_at: string | null;
      current_version: number | null;
      pending_user_questions: { questions: ReadonlyArray<Question> } | null;
      error: { code: string; message: string } | null;
      public_url: string | null;
      created_at: string;
      updated_at: string;
      artifact: Artifact;
    };
  };

  /** Render the current page */
  renderArtifact: { input: { artifactId: string } };

  /** List the revisions of an artifact, newest first */
  listArtifactRevisions: {
    input: { artifactId: string; limit?: number; offset?: number };
    output: { revisions: ReadonlyArray<ArtifactRevision>; total: number; limit: number; offset: number };
    item: ArtifactRevision;
  };

  /** Render the page of a revision */
  renderArtifactRevision: { input: { artifactId: string; revisionId: string } };

  /** Restore an earlier revision of an artifact */
  restoreArtifactRevision: {
    input: { artifactId: string; revisionId: string };
    output: {
      id: string;
      artifact_id: string;
      team_id: string;
      title: string | null;
      status: ArtifactStatus;
      visibility: ArtifactVisibility;
      permission: ArtifactPermission;
      model: string;
      refresh_frequency: ArtifactRefreshFrequency | null;
      last_refresh_at: string | null;
      next_refresh_at: string | null;
      current_version: number | null;
      pending_user_questions: { questions: ReadonlyArray<Question> } | null;
      error: { code: string; message: string } | null;
      public_url: string | null;
      created_at: string;
      updated_at: string;
      artifact: Artifact;
      revision: ArtifactRevision;
    };
  };

  /** Stop the generation of an artifact */
  stopArtifact: {
    input: { artifactId: string };
    output: {
      id: string;
      artifact_id: string;
      team_id: string;
      title: string | null;
      status: ArtifactStatus;
      visibility: ArtifactVisibility;
      permission: ArtifactPermission;
      model: string;
      refresh_frequency: ArtifactRefreshFrequency | null;
      last_refresh_at: string | null;
      next_refresh_at: string | null;
      current_version: number | null;
      pending_user_questions: { questions: ReadonlyArray<Question> } | null;
      error: { code: string; message: string } | null;
      public_url: string | null;
      created_at: string;
      updated_at: string;
      artifact: Artifact;
    };
  };

  /** View the page of a published artifact */
  viewPublicArtifact: { input: { token: string } };

  /** Create a sandbox that a run will use */
  createSandbox: { input: Record<string, never>; output: { sandbox_id: string; expires_at: string } };

  /** List the files in a folder of a sandbox */
  listSandboxFiles: { input: { id: string; path?: string }; output: SandboxFiles };

  /** Upload a file to a sandbox */
  uploadSandboxFile: {
    input: { id: string; file: Bytes; path?: string };
    output: { path: string; size_bytes: number; file: SandboxFile };
  };

  /** Download a file of a sandbox */
  getSandboxFileContent: { input: { id: string; path?: string }; output: FileContent };

  /** Create a URL for the upload of one file */
  createSandboxUploadUrl: {
    input: { id: string; path: string };
    output: { upload_url: string; path: string; expires_in_seconds: number };
  };

  /** Download a file from a signed URL */
  downloadFile: { input: { token: string } };

  /** Upload a file to a signed URL */
  uploadFile: {
    input: {
      token: string;
      /** The bytes, as a whole */
      body: Bytes;
      /** What the bytes are */
      content_type?: string;
    };
    output: { path: string; file: SandboxFile };
  };

  /** Receive the redirect of an OAuth flow */
  oauthCallback: {
    input: {
      state?: string;
      code?: string;
      iss?: string;
      error?: string;
      error_description?: string;
      confirmed?: string;
    };
  };

  /** Receive the redirect of an OAuth flow with an MCP server */
  oauthCallbackOfConnection: {
    input: {
      connection_id: string;
      state?: string;
      code?: string;
      iss?: string;
      error?: string;
      error_description?: string;
      confirmed?: string;
    };
  };

  /** Get the client ID metadata document of this service */
  getOAuthClientMetadata: {
    input: Record<string, never>;
    output: {
      client_id: string;
      client_name: string;
      client_uri: string;
      redirect_uris: ReadonlyArray<string>;
      grant_types: ReadonlyArray<string>;
      response_types: ReadonlyArray<string>;
      token_endpoint_auth_method: string;
    };
  };

  /** Complete an OAuth flow whose redirect the client received */
  finalizeOAuth: {
    input: { state: string; code: string; iss?: string; redirect_uri?: string };
    output: Connection;
  };

  /** Check whether an MCP server supports OAuth, without storing anything */
  checkMcpOAuth: {
    input: { mcp_server_url: string };
    output: {
      supports_oauth: boolean;
      supports_dcr: boolean;
      authorization_endpoint?: string;
      token_endpoint?: string;
      scopes?: ReadonlyArray<string>;
      error?: string;
    };
  };

  /** Get a connection */
  getConnection: { input: { connection_id: string }; output: Connection };

  /** Update a connection */
  updateConnection: {
    input: {
      connection_id: string;
      name?: string;
      server_url?: string;
      auth_method?: ConnectionAuthMethod;
      headers?: Record<string, unknown>;
      api_key?: string;
    };
    output: Connection;
  };

  /** Delete a connection and revoke its tokens where the provider supports that */
  deleteConnection: { input: { connection_id: string }; output: { success: true; message: string } };

  /** List the connections of a team */
  listConnections: {
    input: { teamId?: string; type?: ConnectionType; limit?: number; offset?: number };
    output: {
      connections: ReadonlyArray<Connection>;
      total: number;
      limit: number;
      offset: number;
      integrations: ReadonlyArray<Connection>;
    };
    item: Connection;
  };

  /** Create a connection with headers, an API key, a secret URL or no authentication */
  createConnection: {
    input: {
      teamId?: string;
      name: string;
      type?: ConnectionType;
      provider?: string;
      server_url?: string;
      auth_method?: ConnectionAuthMethod;
      headers?: Record<string, unknown>;
      api_key?: string;
    };
    output: Connection;
  };

  /** List the tools of an MCP server without storing anything */
  probeMcpServer: {
    input: {
      teamId?: string;
      server_url?: string;
      connection_id?: string;
      headers?: Record<string, unknown>;
      api_key?: string;
    };
    output: {
      success: boolean;
      tools?: ReadonlyArray<{ name: string; description: string }>;
      error?: string;
    };
  };

  /** Start the OAuth flow with an MCP server and return its consent URL */
  authorizeMcpOAuth: {
    input: {
      teamId?: string;
      mcp_server_url: string;
      name?: string;
      return_url?: string;
      scopes?: ReadonlyArray<string>;
      reconnect_connection_id?: string;
      reconnect_instance_id?: string;
    };
    output: { authorization_url: string; state: string; connection_id: string; expires_at: string };
  };

  /** Start the OAuth flow with a provider and return its consent URL */
  startNativeOAuth: {
    input: {
      teamId?: string;
      provider: string;
      return_url?: string;
      name?: string;
      scopes?: ReadonlyArray<string>;
      reconnect_connection_id?: string;
      reconnect_instance_id?: string;
    };
    output: { authorization_url: string; state: string; connection_id: string; expires_at: string };
  };

  /** List the tool sets and connectors available to agents */
  listPluginCatalog: { input: Record<string, never>; output: { plugins: ReadonlyArray<Plugin> } };

  /** List the deliveries to the callback of a run, newest first */
  listRunDeliveries: {
    input: { run_id: string; status?: DeliveryStatus; limit?: number; offset?: number };
    output: { deliveries: ReadonlyArray<WebhookDelivery>; total: number; limit: number; offset: number };
    item: WebhookDelivery;
  };

  /** Redeliver an event to the callback of a run */
  redeliverRunDelivery: {
    input: { run_id: string; deliveryId: string };
    output: { deliveryId: string; status: DeliveryStatus; delivery: WebhookDelivery };
  };

  /** Get the signing secret of a team */
  getWebhookSecret: { input: { teamId?: string }; output: WebhookSecret };

  /** Rotate the signing secret of a team */
  rotateWebhookSecret: { input: { teamId?: string; overlap_seconds?: number }; output: WebhookSecret };

  /** List the webhooks of a team */
  listWebhooks: {
    input: { teamId?: string; limit?: number; offset?: number };
    output: { webhooks: ReadonlyArray<Webhook>; total: number; limit: number; offset: number };
    item: Webhook;
  };

  /** Create a webhook */
  createWebhook: {
    input: { teamId?: string; url: string; events: ReadonlyArray<EventName> };
    output: { subscriptionId: string; webhook: Webhook };
  };

  /** Get a webhook */
  getWebhook: {
    input: { teamId?: string; subscriptionId: string };
    output: { subscriptionId: string; webhook: Webhook };
  };

  /** Update a webhook */
  updateWebhook: {
    input: {
      teamId?: string;
      subscriptionId: string;
      url?: string;
      events?: ReadonlyArray<EventName>;
      enabled?: boolean;
    };
    output: { subscriptionId: string; webhook: Webhook };
  };

  /** Delete a webhook and drop its waiting deliveries */
  deleteWebhook: { input: { teamId?: string; subscriptionId: string }; output: Success };

  /** List the deliveries to a webhook, newest first */
  listWebhookDeliveries: {
    input: {
      teamId?: string;
      subscriptionId: string;
      status?: DeliveryStatus;
      limit?: number;
      offset?: number;
    };
    output: { deliveries: ReadonlyArray<WebhookDelivery>; total: number; limit: number; offset: number };
    item: WebhookDelivery;
  };

  /** Get a delivery with its attempts and payload */
  getWebhookDelivery: {
    input: { teamId?: string; subscriptionId: string; deliveryId: string };
    output: {
      deliveryId: string;
      status: DeliveryStatus;
      delivery: WebhookDelivery;
      attempts: ReadonlyArray<WebhookDeliveryAttempt>;
      payload: Event;
    };
  };

  /** Redeliver an event under the same ID, with the whole retry schedule */
  redeliverWebhook: {
    input: { teamId?: string; subscriptionId: string; deliveryId: string };
    output: { deliveryId: string; status: DeliveryStatus; delivery: WebhookDelivery };
  };

  /** Replay the events of a period */
  replayWebhooks: {
    input: { teamId?: string; subscriptionId: string; since: string; until?: string; only_dead?: boolean };
    output: {
      success: true;
      subscriptionId: string;
      replay_id: string;
      since: string;
      until: string;
      only_dead: boolean;
    };
  };

  /** Send a signed test event to a webhook and return the outcome */
  testWebhook: {
    input: { teamId?: string; subscriptionId: string };
    output: {
      subscriptionId: string;
      success: boolean;
      event: string;
      delivery_id: string;
      status_code: number | null;
      duration_ms: number;
      error: string | null;
      response_body: string | null;
    };
  };

  /** List the events of a team in order, after a cursor */
  listEvents: {
    input: { teamId?: string; after?: number; types?: ReadonlyArray<EventName>; limit?: number };
    output: { events: ReadonlyArray<Event>; next_cursor: string; has_more: boolean };
    item: Event;
  };

  /** Stream the events of a team */
  streamTeamEvents: {
    input: { teamId?: string; after?: number; types?: ReadonlyArray<EventName> };
    event: TeamEvent;
  };

  /** Send messages to the hosted MCP server */
  callMcp: {
    input: {
      toolsets?: string;
      output_schemas?: boolean;
      jsonrpc: '2.0';
      id?: string | number;
      method: string;
      params?: Record<string, unknown>;
    };
  };

  /** Get the entitlements of a team's plan and their use */
  getBillingEntitlements: { input: { teamId?: string }; output: Entitlements };

  /** Estimate the cost of tokens by the operator's prices */
  estimateCost: {
    input: { teamId?: string; model?: string; input_tokens?: number; output_tokens?: number };
    output: {
      model: string;
      input_tokens: number;
      output_tokens: number;
      estimated_cost: EstimatedCost | null;
    };
  };

  /** Get the usage of a team in this calendar month (UTC) */
  getBillingUsage: { input: { teamId?: string }; output: BillingUsage };

  /** Get the usage of each agent in this calendar month, most tokens first */
  getAgentUsage: {
    input: { teamId?: string; limit?: number; offset?: number };
    output: { agents: ReadonlyArray<AgentUsage>; total: number; limit: number; offset: number };
    item: AgentUsage;
  };

  /** Get the monthly budget of a team and its use */
  getBudget: { input: { teamId?: string }; output: Budget };

  /** Set the monthly budget of a team */
  putBudget: {
    input: {
      teamId?: string;
      max_tokens?: number | null;
      max_runs?: number | null;
      on_reached?: 'notify' | 'stop';
    };
    output: Budget;
  };
}

/** Requests and responses of the operations. */
export const operationTable = {
  listTeams: { method: 'GET', path: '/v2/teams', items: 'teams', paging: 'offset' },
  createTeam: { method: 'POST', path: '/v2/teams' },
  getTeam: { method: 'GET', path: '/v2/teams/{teamId}' },
  setTeamPlan: { method: 'PUT', path: '/v2/teams/{teamId}/plan' },
  listApiKeys: { method: 'GET', path: '/v2/teams/{teamId}/api-keys', items: 'api_keys', paging: 'offset' },
  createApiKey: { method: 'POST', path: '/v2/teams/{teamId}/api-keys' },
  deleteApiKey: { method: 'DELETE', path: '/v2/teams/{teamId}/api-keys/{keyId}' },
  listOAuthClients: {
    method: 'GET',
    path: '/v2/teams/{teamId}/oauth-clients',
    items: 'oauth_clients',
    paging: 'offset',
  },
  createOAuthClient: { method: 'POST', path: '/v2/teams/{teamId}/oauth-clients' },
  deleteOAuthClient: { method: 'DELETE', path: '/v2/teams/{teamId}/oauth-clients/{clientId}' },
  getAgent: { method: 'GET', path: '/v2/agents/{agent_id}' },
  updateAgent: { method: 'PATCH', path: '/v2/agents/{agent_id}' },
  deleteAgent: { method: 'DELETE', path: '/v2/agents/{agent_id}' },
  rollbackAgent: { method: 'POST', path: '/v2/agents/{agent_id}/rollback' },
  listAgents: { method: 'GET', path: '/v2/teams/{teamId}/agents', items: 'agents', paging: 'offset' },
  createAgent: { method: 'POST', path: '/v2/teams/{teamId}/agents' },
  listAgentRevisions: {
    method: 'GET',
    path: '/v2/agents/{agent_id}/revisions',
    items: 'builds',
    paging: 'offset',
  },
  createRevision: { method: 'POST', path: '/v2/agents/{agent_id}/revisions' },
  getRevision: { method: 'GET', path: '/v2/agents/{agent_id}/revisions/{build_id}' },
  updateRevision: { method: 'PATCH', path: '/v2/revisions/{build_id}' },
  promoteRevision: { method: 'POST', path: '/v2/revisions/{build_id}/promote' },
  resumeBuilderRun: { method: 'POST', path: '/v2/builder-runs/{builder_run_id}/resume' },
  getBuilderRunStatus: { method: 'GET', path: '/v2/builder-runs/{builder_run_id}/status' },
  acceptRevision: { method: 'POST', path: '/v2/revisions/{build_id}/accept' },
  getRevisionBuilderRun: { method: 'GET', path: '/v2/revisions/{build_id}/builder-run' },
  discardRevision: { method: 'POST', path: '/v2/revisions/{build_id}/discard' },
  generateRevision: { method: 'POST', path: '/v2/revisions/{build_id}/generate' },
  listAgentSchedules: {
    method: 'GET',
    path: '/v2/agents/{agent_id}/schedules',
    items: 'schedules',
    paging: 'offset',
  },
  createSchedule: { method: 'POST', path: '/v2/agents/{agent_id}/schedules' },
  updateSchedule: { method: 'PATCH', path: '/v2/agents/{agent_id}/schedules/{schedule_id}' },
  deleteSchedule: { method: 'DELETE', path: '/v2/agents/{agent_id}/schedules/{schedule_id}' },
  listAgentMemoryFiles: {
    method: 'GET',
    path: '/v2/agents/{agent_id}/memory/files',
    items: 'files',
    paging: 'offset',
  },
  getAgentMemoryFile: { method: 'GET', path: '/v2/agents/{agent_id}/memory/files/{path}' },
  putAgentMemoryFile: { method: 'PUT', path: '/v2/agents/{agent_id}/memory/files/{path}' },
  deleteAgentMemoryFile: { method: 'DELETE', path: '/v2/agents/{agent_id}/memory/files/{path}' },
  getEvalScores: { method: 'GET', path: '/v2/agent/{agentId}/eval-scores' },
  getRunEvaluation: { method: 'GET', path: '/v2/agent/{agentId}/runs/{runId}/evaluation' },
  getEvalRubrics: { method: 'GET', path: '/v2/agents/{agentId}/eval-rubrics' },
  createEvalRubric: { method: 'POST', path: '/v2/agents/{agentId}/eval-rubrics' },
  replaceEvalRubrics: { method: 'PUT', path: '/v2/agents/{agentId}/eval-rubrics' },
  updateEvalRubric: { method: 'PATCH', path: '/v2/agents/{agentId}/eval-rubrics/{rubric_id}' },
  deleteEvalRubric: {
    method: 'DELETE',
    path: '/v2/agents/{agentId}/eval-rubrics/{rubric_id}',
    gives: 'nothing',
  },
  getRunScreenshotTimeline: { method: 'GET', path: '/v2/agent-runs/{run_id}/screenshots/timeline' },
  getAgentRun: { method: 'GET', path: '/v2/agent/{agentId}/runs/{runId}' },
  getWorkflowExecutionReport: {
    method: 'GET',
    path: '/v2/agent/{agentId}/runs/{runId}/workflow-execution-report',
  },
  listRunSandboxFiles: { method: 'GET', path: '/v2/agents/{agent_id}/runs/{run_id}/sandbox/files' },
  getRunSandboxFileContent: {
    method: 'GET',
    path: '/v2/agents/{agent_id}/runs/{run_id}/sandbox/files/content',
  },
  getAgentRunScreenshotTimeline: {
    method: 'GET',
    path: '/v2/agents/{agent_id}/runs/{run_id}/screenshots/timeline',
  },
  listBrowserSessionPages: { method: 'GET', path: '/v2/browser-agent/session/{session_id}/pages' },
  getRun: { method: 'GET', path: '/v2/runs/{run_id}' },
  deleteRun: { method: 'DELETE', path: '/v2/runs/{run_id}' },
  streamRunEvents: { method: 'GET', path: '/v2/runs/{run_id}/events', gives: 'events' },
  listRunMessages: { method: 'GET', path: '/v2/runs/{run_id}/messages', items: 'messages', paging: 'offset' },
  postRunMessage: { method: 'POST', path: '/v2/runs/{run_id}/messages' },
  listRunSandboxFilesByRun: { method: 'GET', path: '/v2/runs/{run_id}/sandbox/files' },
  getRunSandboxFileContentByRun: { method: 'GET', path: '/v2/runs/{run_id}/sandbox/files/content' },
  stopRun: { method: 'POST', path: '/v2/runs/{run_id}/stop' },
  listRuns: { method: 'GET', path: '/v2/teams/{teamId}/runs', items: 'data', paging: 'offset' },
  startRun: { method: 'POST', path: '/v2/teams/{teamId}/runs' },
  respondToHumanRequest: { method: 'POST', path: '/v2/runs/{run_id}/human-requests/{request_id}/respond' },
  listHumanRequests: {
    method: 'GET',
    path: '/v2/teams/{teamId}/human-requests',
    items: 'human_requests',
    paging: 'offset',
  },
  getCase: { method: 'GET', path: '/v2/cases/{case_id}' },
  updateCase: { method: 'PATCH', path: '/v2/cases/{case_id}' },
  deleteCase: { method: 'DELETE', path: '/v2/cases/{case_id}' },
  listCaseRuns: { method: 'GET', path: '/v2/cases/{case_id}/runs', items: 'runs', paging: 'offset' },
  getQueue: { method: 'GET', path: '/v2/queues/{queue_id}' },
  updateQueue: { method: 'PATCH', path: '/v2/queues/{queue_id}' },
  deleteQueue: { method: 'DELETE', path: '/v2/queues/{queue_id}' },
  listQueueAgents: { method: 'GET', path: '/v2/queues/{queue_id}/agents' },
  listCases: { method: 'GET', path: '/v2/queues/{queue_id}/cases', items: 'cases', paging: 'offset' },
  createCases: { method: 'POST', path: '/v2/queues/{queue_id}/cases' },
  clearQueueCases: { method: 'DELETE', path: '/v2/queues/{queue_id}/cases' },
  bulkDeleteCases: { method: 'POST', path: '/v2/queues/{queue_id}/cases/bulk-delete' },
  bulkReprocessCases: { method: 'POST', path: '/v2/queues/{queue_id}/cases/bulk-reprocess' },
  bulkUpdateCasePriority: { method: 'POST', path: '/v2/queues/{queue_id}/cases/bulk-update-priority' },
  bulkUpdateCaseStatus: { method: 'POST', path: '/v2/queues/{queue_id}/cases/bulk-update-status' },
  exportCases: { method: 'GET', path: '/v2/queues/{queue_id}/cases/export', gives: 'response' },
  importCases: { method: 'POST', path: '/v2/queues/{queue_id}/cases/import', takes: 'bytes' },
  searchCases: {
    method: 'POST',
    path: '/v2/queues/{queue_id}/cases/search',
    items: 'cases',
    paging: 'offset',
  },
  listLabelsOfCase: { method: 'GET', path: '/v2/queues/{queue_id}/cases/{case_id}/labels' },
  linkCaseLabels: { method: 'POST', path: '/v2/queues/{queue_id}/cases/{case_id}/labels' },
  unlinkCaseLabels: { method: 'POST', path: '/v2/queues/{queue_id}/cases/{case_id}/labels/unlink' },
  listCaseLabels: { method: 'GET', path: '/v2/queues/{queue_id}/labels', items: 'labels', paging: 'offset' },
  createCaseLabel: { method: 'POST', path: '/v2/queues/{queue_id}/labels' },
  updateCaseLabel: { method: 'PATCH', path: '/v2/queues/{queue_id}/labels/{label_id}' },
  deleteCaseLabel: { method: 'DELETE', path: '/v2/queues/{queue_id}/labels/{label_id}' },
  listQueues: { method: 'GET', path: '/v2/teams/{teamId}/queues', items: 'queues', paging: 'offset' },
  createQueue: { method: 'POST', path: '/v2/teams/{teamId}/queues' },
  listAgentCaseTriggers: {
    method: 'GET',
    path: '/v2/agents/{agent_id}/case-triggers',
    items: 'case_triggers',
    paging: 'offset',
  },
  createCaseTrigger: { method: 'POST', path: '/v2/agents/{agent_id}/case-triggers' },
  getCaseTrigger: { method: 'GET', path: '/v2/agents/{agent_id}/case-triggers/{trigger_id}' },
  updateCaseTrigger: { method: 'PATCH', path: '/v2/agents/{agent_id}/case-triggers/{trigger_id}' },
  deleteCaseTrigger: { method: 'DELETE', path: '/v2/agents/{agent_id}/case-triggers/{trigger_id}' },
  listArtifacts: { method: 'GET', path: '/v2/artifacts', items: 'artifacts', paging: 'offset' },
  createArtifact: { method: 'POST', path: '/v2/artifacts' },
  getArtifact: { method: 'GET', path: '/v2/artifacts/{artifactId}' },
  updateArtifact: { method: 'PATCH', path: '/v2/artifacts/{artifactId}' },
  deleteArtifact: { method: 'DELETE', path: '/v2/artifacts/{artifactId}' },
  answerArtifact: { method: 'POST', path: '/v2/artifacts/{artifactId}/answer' },
  listArtifactConnections: {
    method: 'GET',
    path: '/v2/artifacts/{artifactId}/connections',
    items: 'connections',
    paging: 'offset',
  },
  addArtifactConnection: { method: 'POST', path: '/v2/artifacts/{artifactId}/connections' },
  removeArtifactConnection: {
    method: 'DELETE',
    path: '/v2/artifacts/{artifactId}/connections/{connectionId}',
  },
  duplicateArtifact: { method: 'POST', path: '/v2/artifacts/{artifactId}/duplicate' },
  exportArtifactHtml: { method: 'GET', path: '/v2/artifacts/{artifactId}/export/html', gives: 'response' },
  exportArtifactPdf: { method: 'GET', path: '/v2/artifacts/{artifactId}/export/pdf', gives: 'response' },
  listArtifactMessages: {
    method: 'GET',
    path: '/v2/artifacts/{artifactId}/messages',
    items: 'messages',
    paging: 'offset',
  },
  postArtifactMessage: { method: 'POST', path: '/v2/artifacts/{artifactId}/messages' },
  publishArtifact: { method: 'POST', path: '/v2/artifacts/{artifactId}/publish' },
  refreshArtifact: { method: 'POST', path: '/v2/artifacts/{artifactId}/refresh' },
  renderArtifact: { method: 'GET', path: '/v2/artifacts/{artifactId}/render', gives: 'response' },
  listArtifactRevisions: {
    method: 'GET',
    path: '/v2/artifacts/{artifactId}/revisions',
    items: 'revisions',
    paging: 'offset',
  },
  renderArtifactRevision: {
    method: 'GET',
    path: '/v2/artifacts/{artifactId}/revisions/{revisionId}/render',
    gives: 'response',
  },
  restoreArtifactRevision: {
    method: 'POST',
    path: '/v2/artifacts/{artifactId}/revisions/{revisionId}/restore',
  },
  stopArtifact: { method: 'POST', path: '/v2/artifacts/{artifactId}/stop' },
  viewPublicArtifact: { method: 'GET', path: '/v2/public/artifacts/{token}', gives: 'response' },
  createSandbox: { method: 'POST', path: '/v2/sandboxes' },
  listSandboxFiles: { method: 'GET', path: '/v2/sandboxes/{id}/files' },
  uploadSandboxFile: { method: 'POST', path: '/v2/sandboxes/{id}/files', takes: 'form' },
  getSandboxFileContent: { method: 'GET', path: '/v2/sandboxes/{id}/files/content' },
  createSandboxUploadUrl: { method: 'POST', path: '/v2/sandboxes/{id}/upload-urls' },
  downloadFile: { method: 'GET', path: '/v2/downloads/{token}', gives: 'response' },
  uploadFile: { method: 'PUT', path: '/v2/uploads/{token}', takes: 'bytes' },
  oauthCallback: { method: 'GET', path: '/v2/connections/oauth/callback', gives: 'response' },
  oauthCallbackOfConnection: {
    method: 'GET',
    path: '/v2/connections/oauth/callback/{connection_id}',
    gives: 'response',
  },
  getOAuthClientMetadata: { method: 'GET', path: '/v2/connections/oauth/client-metadata' },
  finalizeOAuth: { method: 'POST', path: '/v2/connections/oauth/finalize' },
  checkMcpOAuth: { method: 'POST', path: '/v2/connections/oauth/mcp/check' },
  getConnection: { method: 'GET', path: '/v2/connections/{connection_id}' },
  updateConnection: { method: 'PATCH', path: '/v2/connections/{connection_id}' },
  deleteConnection: { method: 'DELETE', path: '/v2/connections/{connection_id}' },
  listConnections: {
    method: 'GET',
    path: '/v2/teams/{teamId}/connections',
    items: 'connections',
    paging: 'offset',
  },
  createConnection: { method: 'POST', path: '/v2/teams/{teamId}/connections' },
  probeMcpServer: { method: 'POST', path: '/v2/teams/{teamId}/connections/mcp/probe' },
  authorizeMcpOAuth: { method: 'POST', path: '/v2/teams/{teamId}/connections/oauth/mcp/start' },
  startNativeOAuth: { method: 'POST', path: '/v2/teams/{teamId}/connections/oauth/native/{provider}/start' },
  listPluginCatalog: { method: 'GET', path: '/v2/plugins/catalog' },
  listRunDeliveries: {
    method: 'GET',
    path: '/v2/runs/{run_id}/deliveries',
    items: 'deliveries',
    paging: 'offset',
  },
  redeliverRunDelivery: { method: 'POST', path: '/v2/runs/{run_id}/deliveries/{deliveryId}/redeliver' },
  getWebhookSecret: { method: 'GET', path: '/v2/teams/{teamId}/webhook-secret' },
  rotateWebhookSecret: { method: 'POST', path: '/v2/teams/{teamId}/webhook-secret/rotate' },
  listWebhooks: { method: 'GET', path: '/v2/teams/{teamId}/webhooks', items: 'webhooks', paging: 'offset' },
  createWebhook: { method: 'POST', path: '/v2/teams/{teamId}/webhooks' },
  getWebhook: { method: 'GET', path: '/v2/teams/{teamId}/webhooks/{subscriptionId}' },
  updateWebhook: { method: 'PATCH', path: '/v2/teams/{teamId}/webhooks/{subscriptionId}' },
  deleteWebhook: { method: 'DELETE', path: '/v2/teams/{teamId}/webhooks/{subscriptionId}' },
  listWebhookDeliveries: {
    method: 'GET',
    path: '/v2/teams/{teamId}/webhooks/{subscriptionId}/deliveries',
    items: 'deliveries',
    paging: 'offset',
  },
  getWebhookDelivery: {
    method: 'GET',
    path: '/v2/teams/{teamId}/webhooks/{subscriptionId}/deliveries/{deliveryId}',
  },
  redeliverWebhook: {
    method: 'POST',
    path: '/v2/teams/{teamId}/webhooks/{subscriptionId}/deliveries/{deliveryId}/redeliver',
  },
  replayWebhooks: { method: 'POST', path: '/v2/teams/{teamId}/webhooks/{subscriptionId}/replay' },
  testWebhook: { method: 'POST', path: '/v2/teams/{teamId}/webhooks/{subscriptionId}/test' },
  listEvents: { method: 'GET', path: '/v2/teams/{teamId}/events', items: 'events', paging: 'cursor' },
  streamTeamEvents: { method: 'GET', path: '/v2/teams/{teamId}/events/stream', gives: 'events' },
  callMcp: { method: 'POST', path: '/v2/mcp', query: ['toolsets', 'output_schemas'], gives: 'response' },
  getBillingEntitlements: { method: 'GET', path: '/v2/teams/{teamId}/billing/entitlements' },
  estimateCost: { method: 'GET', path: '/v2/teams/{teamId}/billing/estimate' },
  getBillingUsage: { method: 'GET', path: '/v2/teams/{teamId}/billing/usage' },
  getAgentUsage: {
    method: 'GET',
    path: '/v2/teams/{teamId}/billing/usage/agents',
    items: 'agents',
    paging: 'offset',
  },
  getBudget: { method: 'GET', path: '/v2/teams/{teamId}/budget' },
  putBudget: { method: 'PUT', path: '/v2/teams/{teamId}/budget' },
} as const satisfies Record<keyof Operations, OperationEntry>;
