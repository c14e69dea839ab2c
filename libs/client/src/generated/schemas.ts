// Made from the OpenAPI document by `npm run client`; do not edit.
export interface Agent {
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
}

export interface AgentUsage {
  agent_id: string;
  name: string;
  runs: number;
  input_tokens: number;
  output_tokens: number;
  estimated_cost: EstimatedCost | null;
}

export type Answers = Record<string, string | ReadonlyArray<string>>;

export interface ApiError {
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
}

export interface ApiKey {
  id: string;
  name: string;
  scopes: ReadonlyArray<GrantedScope>;
  expires_at: string | null;
  created_at: string;
}

export interface Artifact {
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
  pending_user_questions: {
    questions: ReadonlyArray<Question>;
  } | null;
  error: {
    code: string;
    message: string;
  } | null;
  public_url: string | null;
  created_at: string;
  updated_at: string;
}

export interface ArtifactConnection {
  connection_id: string;
  artifact_id: string;
  name: string | null;
  type: ConnectionType | null;
  status: ConnectionStatus | null;
  created_at: string;
}

export interface ArtifactMessage {
  id: string;
  artifact_id: string;
  role: 'user' | 'assistant';
  content: string;
  created_at: string;
}

export type ArtifactPermission = 'view' | 'edit';

export type ArtifactRefreshFrequency =
  | 'every_15_minutes'
  | 'every_30_minutes'
  | 'hourly'
  | 'every_6_hours'
  | 'daily'
  | 'weekly'
  | 'monthly';

export interface ArtifactRevision {
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
}

export type ArtifactStatus =
  | 'not_started'
  | 'pending'
  | 'running'
  | 'waiting'
  | 'completed'
  | 'failed'
  | 'interrupted';

export type ArtifactVisibility = 'private' | 'team' | 'organization' | 'public';

export interface AssignmentBuildPublishedEvent {
  id: string;
  event: 'assignment.build.published';
  created_at: string;
  data: {
    agent_id: string;
    build_id: string;
    revision_number: number;
  };
}

export interface BillingPeriod {
  start: string;
  end: string;
}

export interface BillingUsage {
  period: BillingPeriod;
  plan: string;
  runs: {
    started: number;
    completed: number;
    failed: number;
    stopped: number;
  };
  active_seconds: number;
  messages: number;
  tool_calls: number;
  model: {
    input_tokens: number;
    output_tokens: number;
  };
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
}

export type BrowserAction = 'open' | 'click' | 'type' | 'read' | 'screenshot';

export interface BrowserPage {
  page_id: string;
  url: string;
  title: string;
  opened_at: string;
  closed_at: string | null;
}

export interface BrowserScreenshot {
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
}

export interface Budget {
  max_tokens: number | null;
  max_runs: number | null;
  on_reached: 'notify' | 'stop';
  used: {
    tokens: number;
    runs: number;
  };
  state: 'ok' | 'warning' | 'reached';
  period: BillingPeriod;
}

export interface BudgetFacts {
  max_tokens: number | null;
  max_runs: number | null;
  period: BillingPeriod;
  used: {
    tokens: number;
    runs: number;
  };
}

export interface BudgetReachedEvent {
  id: string;
  event: 'budget.reached';
  created_at: string;
  data: BudgetFacts;
}

export interface BudgetWarningEvent {
  id: string;
  event: 'budget.warning';
  created_at: string;
  data: BudgetFacts;
}

export interface Build {
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
}

export interface BuildConfig {
  version: 'v2';
  data: {
    models: {
      agent: {
        model: string;
      };
    };
    input: string;
    plugins?: ReadonlyArray<string>;
    connections: ReadonlyArray<string>;
    sub_agents: ReadonlyArray<string>;
    options: BuildOptions;
  };
}

export interface BuildConfigInput {
  version?: 'v2';
  data?: {
    models?: {
      agent?: {
        model?: string;
      };
    };
    input?:
      | string
      | ReadonlyArray<{
          role: string;
          content: string;
        }>;
    plugins?: ReadonlyArray<string>;
    connections?: ReadonlyArray<string>;
    sub_agents?: ReadonlyArray<string>;
    options?: BuildOptionsInput;
  };
}

export interface BuildOptions {
  max_steps: number;
  timeout_seconds: number;
  max_tokens?: number;
  temperature?: number;
}

export interface BuildOptionsInput {
  max_steps?: number;
  timeout_seconds?: number;
  max_tokens?: number;
  temperature?: number;
}

export type BuildStatus = 'draft' | 'live' | 'historic';

export interface BuilderRun {
  id: string;
  builder_run_id: string;
  build_id: string;
  agent_id: string;
  status: BuilderRunStatus;
  prompt: string;
  progress: {
    phase: string;
    percent: number;
  };
  pending_user_questions: {
    questions: ReadonlyArray<Question>;
  } | null;
  checkpoint_config: BuildConfig;
  proposed_config: BuildConfig | null;
  error: {
    code: string;
    message: string;
  } | null;
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
}

export type BuilderRunStatus =
  | 'pending'
  | 'running'
  | 'waiting'
  | 'awaiting_review'
  | 'completed'
  | 'discarded'
  | 'failed';

export interface Case {
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
}

export interface CaseActor {
  type: 'credential' | 'run' | 'system';
  id: string | null;
}

export type CaseDisplayStatus =
  | 'pending'
  | 'completed'
  | 'failed'
  | 'in_progress'
  | 'needs_input'
  | 'postponed';

export interface CaseEvent {
  id: string;
  type: CaseEventType;
  actor: CaseActor;
  reason: string | null;
  created_at: string;
}

export type CaseEventType =
  | 'created'
  | 'claimed'
  | 'postponed'
  | 'released'
  | 'completed'
  | 'failed'
  | 'reprocessed'
  | 'updated'
  | 'handed_over';

export interface CaseFacts {
  case_id: string;
  queue_id: string;
  title: string;
  status: CaseStatus;
  run_id?: string;
}

export interface CaseFilters {
  status?: ReadonlyArray<CaseStatusFilter>;
  priority?: ReadonlyArray<CasePriority>;
  created_at_from?: string;
  created_at_to?: string;
  updated_at_from?: string;
  updated_at_to?: string;
  labels?: Record<string, ReadonlyArray<string>>;
}

export interface CaseLabel {
  id: string;
  label_id: string;
  key: string;
  value: string;
  color_hue: number;
}

export type CasePriority = 'none' | 'medium' | 'high';

export type CaseStatus = 'pending' | 'completed' | 'failed';

export type CaseStatusFilter =
  | 'pending'
  | 'completed'
  | 'failed'
  | 'in_progress'
  | 'needs_input'
  | 'postponed'
  | 'claimed';

export interface CaseTrigger {
  id: string;
  trigger_id: string;
  agent_id: string;
  case_queue_id: string;
  case_queue_name: string;
  enabled: boolean;
  concurrency: number | null;
  has_conflict: boolean;
  conflicting_agents: ReadonlyArray<{
    agent_id: string;
    name: string;
  }>;
  created_at: string;
  updated_at: string;
}

export interface Connection {
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
  headers: {
    plaintext: Record<string, string>;
  };
  has_headers: boolean;
  has_oauth_tokens: boolean;
  status: ConnectionStatus;
  broken_at: string | null;
  broken_reason: string | null;
  created_at: string;
  updated_at: string;
}

export interface ConnectionActionRequiredEvent {
  id: string;
  event: 'connection.action_required';
  created_at: string;
  data: ConnectionFacts;
}

export type ConnectionAuthMethod = 'oauth' | 'apikey' | 'headers' | 'url' | 'none';

export interface ConnectionFacts {
  connection_id: string;
  provider: string;
  name: string;
  status: ConnectionStatus;
  reason?: string;
}

export type ConnectionStatus = 'pending' | 'active' | 'broken';

export type ConnectionType = 'native' | 'custom_mcp';

export interface ConnectionUpdatedEvent {
  id: string;
  event: 'connection.updated';
  created_at: string;
  data: ConnectionFacts;
}

export interface CountedCaseLabel {
  id: string;
  label_id: string;
  key: string;
  value: string;
  color_hue: number;
  case_count: number;
}

export type DeliveryStatus = 'pending' | 'delivered' | 'dead' | 'skipped' | 'dropped';

export interface Entitlements {
  plan: string;
  features: {
    browser: boolean;
    code: boolean;
    mcp: boolean;
    artifacts: boolean;
  };
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
}

export interface EstimatedCost {
  amount: string;
  currency: string;
}

export interface Evaluation {
  id: string;
  run_id: string;
  created_at: string;
  status: EvaluationStatus;
  passed: number;
  total: number;
  results: ReadonlyArray<RubricResult>;
}

export type EvaluationStatus = 'ready' | 'in_progress' | 'unavailable';

export interface Event {
  id: string;
  event: string;
  created_at: string;
  data: Record<string, unknown>;
}

export type EventName =
  | 'budget.reached'
  | 'budget.warning'
  | 'assignment.build.published'
  | 'queue.case.claimed'
  | 'queue.case.completed'
  | 'queue.case.created'
  | 'connection.action_required'
  | 'connection.updated'
  | 'human_request.created'
  | 'human_request.responded'
  | 'run.completed'
  | 'run.failed'
  | 'run.file.created'
  | 'run.message.created'
  | 'run.paused'
  | 'run.started'
  | 'run.tool_call.completed';

export interface FileContent {
  path: string;
  content: string | null;
  encoding: 'utf-8' | 'base64';
  content_type: string;
  size_bytes: number;
  download_url: string;
}

export type GrantedScope =
  | '*'
  | 'team:read'
  | 'team:admin'
  | 'agents:read'
  | 'agents:write'
  | 'runs:read'
  | 'runs:write'
  | 'approvals:write'
  | 'evals:read'
  | 'evals:write'
  | 'queues:read'
  | 'queues:write'
  | 'files:read'
  | 'sandboxes:write'
  | 'artifacts:read'
  | 'artifacts:write'
  | 'connections:read'
  | 'connections:write'
  | 'webhooks:manage'
  | 'billing:read'
  | 'mcp:call';

export interface HumanRequest {
  id: string;
  request_id: string;
  run_id: string;
  type: HumanRequestType;
  title: string;
  description: string | null;
  questions?: ReadonlyArray<Question>;
  status: HumanRequestStatus;
  response: Record<string, unknown> | null;
  votes: ReadonlyArray<{
    user_id: string;
    approved: boolean;
    comment: string | null;
    voted_at: string;
  }>;
  assignee: string | null;
  due_at: string | null;
  on_timeout: 'deny' | 'fail';
  required_approvals: number;
  responded_at: string | null;
  created_at: string;
}

export interface HumanRequestCreatedEvent {
  id: string;
  event: 'human_request.created';
  created_at: string;
  data: HumanRequestFacts;
}

export interface HumanRequestFacts {
  run_id: string;
  request_id: string;
  type: HumanRequestType;
  title: string;
}

export interface HumanRequestRespondedEvent {
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
}

export type HumanRequestStatus = 'pending' | 'answered' | 'cancelled' | 'expired';

export type HumanRequestType = 'approval' | 'question';

export interface IssuedApiKey {
  id: string;
  name: string;
  scopes: ReadonlyArray<GrantedScope>;
  expires_at: string | null;
  created_at: string;
  key: string;
}

export interface IssuedOAuthClient {
  id: string;
  client_id: string;
  name: string;
  scopes: ReadonlyArray<GrantedScope>;
  created_at: string;
  client_secret: string;
}

export interface JsonRpcRequest {
  jsonrpc: '2.0';
  id?: string | number;
  method: string;
  params?: Record<string, unknown>;
}

export interface JsonRpcResponse {
  jsonrpc: '2.0';
  id: string | number | null;
  result?: Record<string, unknown>;
  error?: {
    code: number;
    message: string;
    data?: unknown;
  };
}

export interface ListedAgent {
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
  case_trigger_conflicting_agents?: ReadonlyArray<{
    agent_id: string;
    name: string;
  }>;
  case_queue_name?: string | null;
}

export interface MemoryFile {
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
}

export interface MemoryFileContent {
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
}

export type MessageRole = 'user' | 'assistant' | 'tool' | 'system';

export type MessageType = 'text' | 'thinking' | 'tool_call' | 'tool_result' | 'human_request' | 'system';

export interface NewCaseInput {
  title: string;
  data?: unknown;
  labels?: ReadonlyArray<NewCaseLabel>;
  priority?: CasePriority;
  postponed_to?: string;
}

export interface NewCaseLabel {
  key: string;
  value: string;
}

export interface OAuthClient {
  id: string;
  client_id: string;
  name: string;
  scopes: ReadonlyArray<GrantedScope>;
  created_at: string;
}

export interface PlatformRubric {
  key: string;
  title: string;
  label: string;
  description: string;
  cause: string | null;
  severity: Severity;
}

export interface Plugin {
  name: string;
  type: PluginType;
  title: string;
  description: string;
  tools: ReadonlyArray<{
    name: string;
    description: string;
  }>;
  configured: boolean;
}

export type PluginType = 'tool' | 'connector' | 'mcp';

export interface Question {
  question: string;
  header?: string;
  options?: ReadonlyArray<{
    label: string;
    description?: string;
  }>;
  multi_select?: boolean;
}

export interface Queue {
  id: string;
  queue_id: string;
  team_id: string;
  name: string;
  description: string | null;
  folder_id: null;
  has_approvals: boolean;
  case_counts: {
    pending: number;
    completed: number;
    failed: number;
  };
  created_at: string;
  updated_at: string;
}

export interface QueueCaseClaimedEvent {
  id: string;
  event: 'queue.case.claimed';
  created_at: string;
  data: CaseFacts;
}

export interface QueueCaseCompletedEvent {
  id: string;
  event: 'queue.case.completed';
  created_at: string;
  data: CaseFacts;
}

export interface QueueCaseCreatedEvent {
  id: string;
  event: 'queue.case.created';
  created_at: string;
  data: CaseFacts;
}

export interface Rubric {
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
}

export interface RubricInput {
  title: string;
  description: string;
  severity?: Severity;
  sort_order?: number;
}

export interface RubricResult {
  rubric_id?: string;
  key?: string;
  title: string;
  version: number;
  passed: boolean | null;
  severity: Severity;
  comment: string;
}

export interface Run {
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
  usage: {
    steps: number;
    tool_calls: number;
    input_tokens: number;
    output_tokens: number;
  };
  eval_summary: {
    passed: number;
    total: number;
    has_issues: boolean;
  } | null;
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
  updated_at: string;
}

export interface RunBuild {
  id: string;
  build_id: string;
  agent_id: string;
  name: string;
  revision_number: number;
  config: BuildConfig;
}

export interface RunCompletedEvent {
  id: string;
  event: 'run.completed';
  created_at: string;
  data: RunFacts;
}

export interface RunError {
  code: RunErrorCode;
  message: string;
}

export type RunErrorCode =
  | 'model_error'
  | 'invalid_script'
  | 'failed_by_agent'
  | 'timeout'
  | 'max_steps_exceeded'
  | 'budget_exceeded'
  | 'human_request_expired'
  | 'agent_unavailable'
  | 'connection_unavailable'
  | 'output_too_large'
  | 'output_truncated'
  | 'content_filtered'
  | 'model_protocol_error'
  | 'limit_reached'
  | 'worker_lost'
  | 'internal_error';

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

export interface RunFacts {
  run_id: string;
  status: RunStatus;
  agent_id: string;
  build_id: string;
  team_id: string;
  source: RunSource;
  case_id?: string;
  result?: string;
  error?: RunError;
}

export interface RunFailedEvent {
  id: string;
  event: 'run.failed';
  created_at: string;
  data: RunFacts;
}

export interface RunFileCreatedEvent {
  id: string;
  event: 'run.file.created';
  created_at: string;
  data: {
    run_id: string;
    path: string;
    size_bytes: number;
  };
}

export interface RunMessage {
  id: string;
  seq: number;
  type: MessageType;
  role: MessageRole;
  text_content?: string;
  tool_call?: ToolCall;
  tool_result?: ToolResult;
  timestamp: string;
}

export interface RunMessageCreatedEvent {
  id: string;
  event: 'run.message.created';
  created_at: string;
  data: {
    run_id: string;
    message_id: string;
    role: MessageRole;
    type: MessageType;
  };
}

export interface RunPausedEvent {
  id: string;
  event: 'run.paused';
  created_at: string;
  data: RunFacts;
}

export type RunSource = 'api' | 'schedule' | 'case' | 'agent' | 'mcp';

export interface RunStartedEvent {
  id: string;
  event: 'run.started';
  created_at: string;
  data: RunFacts;
}

export type RunStatus = 'pending' | 'running' | 'waiting' | 'completed' | 'failed' | 'stopped';

export interface RunStep {
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
}

export type RunStopReason =
  | 'requested'
  | 'agent_deleted'
  | 'parent_stopped'
  | 'parent_failed'
  | 'case_deleted'
  | 'case_reset'
  | 'case_settled';

export interface RunToolCallCompletedEvent {
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
}

export interface SandboxFile {
  name: string;
  path: string;
  type: 'file' | 'dir';
  size_bytes: number;
  updated_at: string;
}

export interface SandboxFiles {
  files: ReadonlyArray<SandboxFile>;
}

export interface Schedule {
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
}

export type ScheduleFrequency =
  | 'every_5_minutes'
  | 'every_15_minutes'
  | 'hourly'
  | 'daily'
  | 'workday'
  | 'weekly'
  | 'monthly'
  | 'custom';

export type Severity = 'critical' | 'medium' | 'low';

export interface ShownRunError {
  code: RunErrorCode;
  message: string;
  advice: string;
}

export type StepKind = 'model' | 'tool' | 'human' | 'wait';

export type StepStatus = 'running' | 'completed' | 'failed' | 'cancelled';

export interface Success {
  success: true;
}

export interface Team {
  id: string;
  name: string;
  plan: string;
  created_at: string;
}

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

export interface ToolCall {
  id: string;
  name: string;
  arguments: Record<string, unknown>;
}

export interface ToolResult {
  tool_call_id: string;
  result?: unknown;
  error?: string;
}

export interface Webhook {
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
}

export interface WebhookDelivery {
  id: string;
  event: string;
  status: DeliveryStatus;
  attempts: number;
  next_attempt_at: string | null;
  created_at: string;
  delivered_at: string | null;
}

export interface WebhookDeliveryAttempt {
  number: number;
  attempted_at: string;
  status_code: number | null;
  duration_ms: number;
  error: string | null;
  response_body: string | null;
}

export interface WebhookSecret {
  secret: string;
  created_at: string;
  previous_expires_at: string | null;
}

export type Weekday = 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday';
