// Made from the OpenAPI document by `npm run client`; do not edit.
import type { Bytes } from '../bytes.js';
import type {
  Agent,
  AgentUsage,
  Answers,
  ApiKey,
  Artifact,
  ArtifactConnection,
  ArtifactMessage,
  ArtifactPermission,
  ArtifactRefreshFrequency,
  ArtifactRevision,
  ArtifactStatus,
  ArtifactVisibility,
  BillingUsage,
  BrowserPage,
  BrowserScreenshot,
  Budget,
  Build,
  BuildConfigInput,
  BuildStatus,
  BuilderRun,
  BuilderRunStatus,
  Case,
  CaseEvent,
  CaseFilters,
  CaseLabel,
  CasePriority,
  CaseStatus,
  CaseStatusFilter,
  CaseTrigger,
  Connection,
  ConnectionAuthMethod,
  ConnectionType,
  CountedCaseLabel,
  DeliveryStatus,
  Entitlements,
  EstimatedCost,
  Evaluation,
  Event,
  EventName,
  FileContent,
  GrantedScope,
  HumanRequest,
  HumanRequestStatus,
  IssuedApiKey,
  IssuedOAuthClient,
  ListedAgent,
  MemoryFile,
  MemoryFileContent,
  NewCaseInput,
  NewCaseLabel,
  OAuthClient,
  PlatformRubric,
  Plugin,
  Question,
  Queue,
  Rubric,
  RubricInput,
  Run,
  RunBuild,
  RunEvent,
  RunMessage,
  RunSource,
  RunStatus,
  RunStep,
  SandboxFile,
  SandboxFiles,
  Schedule,
  ScheduleFrequency,
  Severity,
  Success,
  Team,
  TeamEvent,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryAttempt,
  WebhookSecret,
  Weekday,
} from './schemas.js';

/** What each operation takes and gives. Streams have an `event`, lists an `item`; a download gives the response itself. */
export interface Operations {
  /** List teams */
  listTeams: {
    input: {
      limit?: number;
      offset?: number;
    };
    output: {
      teams: ReadonlyArray<Team>;
      total: number;
      limit: number;
      offset: number;
    };
    item: Team;
  };
  /** Create a team and its first API key */
  createTeam: {
    input: {
      name?: string;
    };
    output: {
      team_id: string;
      team: Team;
      api_key: IssuedApiKey;
    };
  };
  /** Read a team */
  getTeam: {
    input: {
      teamId?: string;
    };
    output: {
      team_id: string;
      team: Team;
    };
  };
  /** Set the plan of a team */
  setTeamPlan: {
    input: {
      teamId?: string;
      plan: 'self_hosted' | 'free' | 'trial' | 'standard';
    };
    output: {
      team_id: string;
      team: Team;
    };
  };
  /** List the API keys of a team */
  listApiKeys: {
    input: {
      teamId?: string;
      limit?: number;
      offset?: number;
    };
    output: {
      api_keys: ReadonlyArray<ApiKey>;
      total: number;
      limit: number;
      offset: number;
    };
    item: ApiKey;
  };
  /** Issue an API key */
  createApiKey: {
    input: {
      teamId?: string;
      name?: string;
      scopes?: ReadonlyArray<GrantedScope>;
      expires_at?: string | null;
    };
    output: {
      api_key_id: string;
      api_key: IssuedApiKey;
    };
  };
  /** Revoke an API key */
  deleteApiKey: {
    input: {
      teamId?: string;
      keyId: string;
    };
    output: Success;
  };
  /** List the OAuth clients of a team */
  listOAuthClients: {
    input: {
      teamId?: string;
      limit?: number;
      offset?: number;
    };
    output: {
      oauth_clients: ReadonlyArray<OAuthClient>;
      total: number;
      limit: number;
      offset: number;
    };
    item: OAuthClient;
  };
  /** Register an OAuth client for the client credentials grant */
  createOAuthClient: {
    input: {
      teamId?: string;
      name?: string;
      scopes?: ReadonlyArray<GrantedScope>;
    };
    output: {
      client_id: string;
      oauth_client: IssuedOAuthClient;
    };
  };
  /** Delete an OAuth client */
  deleteOAuthClient: {
    input: {
      teamId?: string;
      clientId: string;
    };
    output: Success;
  };
  /** Read an agent */
  getAgent: {
    input: {
      agent_id: string;
    };
    output: {
      agent_id: string;
      agent: Agent;
    };
  };
  /** Change an agent */
  updateAgent: {
    input: {
      agent_id: string;
      name?: string;
      description?: string | null;
      agentic_memory_enabled?: boolean;
    };
    output: {
      agent_id: string;
      agent: Agent;
    };
  };
  /** Delete an agent */
  deleteAgent: {
    input: {
      agent_id: string;
    };
    output: {
      success: true;
      schedules_deleted: number;
    };
  };
  /** Make the previous live revision live again */
  rollbackAgent: {
    input: {
      agent_id: string;
    };
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
    input: {
      teamId?: string;
      include_schedules?: boolean;
      limit?: number;
      offset?: number;
    };
    output: {
      agents: ReadonlyArray<ListedAgent>;
      total: number;
      limit: number;
      offset: number;
    };
    item: ListedAgent;
  };
  /** Create an agent with a live first revision */
  createAgent: {
    input: {
      teamId?: string;
      name?: string;
      description?: string | null;
      agentic_memory_enabled?: boolean;
      build?: {
        name?: string;
        config?: BuildConfigInput;
      };
    };
    output: {
      agent_id: string;
      agent: Agent;
      build: Build;
      warnings: ReadonlyArray<string>;
    };
  };
  /** List the revisions of an agent, newest first */
  listAgentRevisions: {
    input: {
      agent_id: string;
      limit?: number;
      offset?: number;
    };
    output: {
      builds: ReadonlyArray<Build>;
      total: number;
      limit: number;
      offset: number;
    };
    item: Build;
  };
  /** Create a draft revision */
  createRevision: {
    input: {
      agent_id: string;
      name?: string;
      config?: BuildConfigInput;
      source_build_id?: string;
    };
    output: {
      build_id: string;
      status: BuildStatus;
      build: Build;
      warnings: ReadonlyArray<string>;
    };
  };
  /** Read a revision */
  getRevision: {
    input: {
      agent_id: string;
      build_id: string;
    };
    output: {
      build_id: string;
      status: BuildStatus;
      build: Build;
      warnings: ReadonlyArray<string>;
    };
  };
  /** Change a revision */
  updateRevision: {
    input: {
      build_id: string;
      name?: string;
      config?: BuildConfigInput;
      revision_name?: string | null;
      revision_description?: string | null;
    };
    output: {
      build_id: string;
      status: BuildStatus;
      build: Build;
      warnings: ReadonlyArray<string>;
    };
  };
  /** Publish a revision as the live build */
  promoteRevision: {
    input: {
      build_id: string;
      revision_name?: string;
      revision_description?: string;
      require?: {
        min_pass_rate?: number;
        min_evaluated?: number;
      };
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
    input: {
      builder_run_id: string;
      answers?: Answers;
    };
    output: {
      builder_run_id: string;
      status: BuilderRunStatus;
      builder_run: BuilderRun;
    };
  };
  /** Read a builder run */
  getBuilderRunStatus: {
    input: {
      builder_run_id: string;
    };
    output: {
      builder_run_id: string;
      status: BuilderRunStatus;
      builder_run: BuilderRun;
    };
  };
  /** Accept the proposal of the latest builder run */
  acceptRevision: {
    input: {
      build_id: string;
    };
    output: {
      build_id: string;
      status: BuildStatus;
      build: Build;
      warnings: ReadonlyArray<string>;
      builder_run: BuilderRun;
    };
  };
  /** Read the latest builder run of a revision */
  getRevisionBuilderRun: {
    input: {
      build_id: string;
    };
    output: {
      builder_run_id: string;
      status: BuilderRunStatus;
      builder_run: BuilderRun;
    };
  };
  /** Drop the proposal of the latest builder run */
  discardRevision: {
    input: {
      build_id: string;
    };
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
    input: {
      build_id: string;
      prompt?: string;
    };
    output: {
      builder_run_id: string;
      status: BuilderRunStatus;
      builder_run: BuilderRun;
    };
  };
  /** List the schedules of an agent */
  listAgentSchedules: {
    input: {
      agent_id: string;
      limit?: number;
      offset?: number;
    };
    output: {
      schedules: ReadonlyArray<Schedule>;
      total: number;
      limit: number;
      offset: number;
    };
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
  /** Change a schedule */
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
  deleteSchedule: {
    input: {
      agent_id: string;
      schedule_id: string;
    };
    output: Success;
  };
  /** List the memory files of an agent */
  listAgentMemoryFiles: {
    input: {
      agent_id: string;
      limit?: number;
      offset?: number;
    };
    output: {
      files: ReadonlyArray<MemoryFile>;
      total: number;
      limit: number;
      offset: number;
    };
    item: MemoryFile;
  };
  /** Read a memory file */
  getAgentMemoryFile: {
    input: {
      agent_id: string;
      path: string;
    };
    output: MemoryFileContent;
  };
  /** Write a memory file */
  putAgentMemoryFile: {
    input: {
      agent_id: string;
      path: string;
      content: string;
    };
    output: MemoryFileContent;
  };
  /** Delete a memory file */
  deleteAgentMemoryFile: {
    input: {
      agent_id: string;
      path: string;
    };
    output: Success;
  };
  /** Read how the runs of an agent were judged, and the trend */
  getEvalScores: {
    input: {
      agentId: string;
      since?: string;
      scope?: 'all' | 'custom';
      revision_id?: string;
    };
    output: {
      total_evaluated: number;
      with_issues: number;
      flag_distribution: ReadonlyArray<{
        flag: string;
        label: string;
        count: number;
      }>;
      trend: ReadonlyArray<{
        date: string;
        evaluated: number;
        with_issues: number;
      }>;
    };
  };
  /** Read how a run was judged */
  getRunEvaluation: {
    input: {
      agentId: string;
      runId: string;
    };
    output: {
      data: Evaluation | null;
    };
  };
  /** Read the rubrics by which runs of a revision are judged */
  getEvalRubrics: {
    input: {
      agentId: string;
      build_id?: string;
    };
    output: {
      rubrics: ReadonlyArray<Rubric>;
      platform_rubrics: ReadonlyArray<PlatformRubric>;
    };
  };
  /** Add a rubric to a revision */
  createEvalRubric: {
    input: {
      agentId: string;
      title: string;
      description: string;
      severity?: Severity;
      sort_order?: number;
      build_id?: string;
    };
    output: {
      rubric_id: string;
      rubric: Rubric;
    };
  };
  /** Give a revision a whole set of rubrics */
  replaceEvalRubrics: {
    input: {
      agentId: string;
      rubrics?: ReadonlyArray<RubricInput>;
      build_id?: string;
    };
    output: {
      rubrics: ReadonlyArray<Rubric>;
    };
  };
  /** Change a rubric */
  updateEvalRubric: {
    input: {
      agentId: string;
      rubric_id: string;
      title?: string;
      description?: string;
      severity?: Severity;
      sort_order?: number;
    };
    output: {
      rubric_id: string;
      rubric: Rubric;
    };
  };
  /** Delete a rubric */
  deleteEvalRubric: {
    input: {
      agentId: string;
      rubric_id: string;
    };
  };
  /** Read what the browser of a run showed, action by action */
  getRunScreenshotTimeline: {
    input: {
      run_id: string;
    };
    output: {
      run_id: string;
      screenshots: ReadonlyArray<BrowserScreenshot>;
      total: number;
    };
  };
  /** Read a run with everything around it */
  getAgentRun: {
    input: {
      agentId: string;
      runId: string;
    };
    output: {
      run_id: string;
      status: RunStatus;
      run: Run;
      pending_human_request: HumanRequest | null;
      agent: {
        id: string;
        agent_id: string;
        name: string;
      };
      build: RunBuild;
      human_requests: ReadonlyArray<HumanRequest>;
      files_total: number;
      messages_total: number;
      case: Case | null;
      evaluation: Evaluation | null;
    };
  };
  /** Read what a run did, step by step */
  getWorkflowExecutionReport: {
    input: {
      agentId: string;
      runId: string;
    };
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
  /** List what is in a folder of the sandbox of a run */
  listRunSandboxFiles: {
    input: {
      agent_id: string;
      run_id: string;
      path?: string;
    };
    output: SandboxFiles;
  };
  /** Read a file of the sandbox of a run */
  getRunSandboxFileContent: {
    input: {
      agent_id: string;
      run_id: string;
      path?: string;
    };
    output: FileContent;
  };
  /** Read what the browser of a run showed, action by action */
  getAgentRunScreenshotTimeline: {
    input: {
      agent_id: string;
      run_id: string;
    };
    output: {
      run_id: string;
      screenshots: ReadonlyArray<BrowserScreenshot>;
      total: number;
    };
  };
  /** List the pages that a browser session has had open */
  listBrowserSessionPages: {
    input: {
      session_id: string;
    };
    output: {
      session_id: string;
      run_id: string;
      pages: ReadonlyArray<BrowserPage>;
    };
  };
  /** Read a run */
  getRun: {
    input: {
      run_id: string;
    };
    output: {
      run_id: string;
      status: RunStatus;
      run: Run;
      pending_human_request: HumanRequest | null;
    };
  };
  /** Delete a run that has ended */
  deleteRun: {
    input: {
      run_id: string;
    };
    output: Success;
  };
  /** Follow the events of a run */
  streamRunEvents: {
    input: {
      run_id: string;
      after?: number;
    };
    event: RunEvent;
  };
  /** List the messages of a run, oldest first */
  listRunMessages: {
    input: {
      run_id: string;
      limit?: number;
      offset?: number;
    };
    output: {
      messages: ReadonlyArray<RunMessage>;
      total: number;
      limit: number;
      offset: number;
    };
    item: RunMessage;
  };
  /** Send a message to a run */
  postRunMessage: {
    input: {
      run_id: string;
      message: string;
    };
    output: {
      run_id: string;
      status: RunStatus;
      message: RunMessage;
    };
  };
  /** List what is in a folder of the sandbox of a run */
  listRunSandboxFilesByRun: {
    input: {
      run_id: string;
      path?: string;
    };
    output: SandboxFiles;
  };
  /** Read a file of the sandbox of a run */
  getRunSandboxFileContentByRun: {
    input: {
      run_id: string;
      path?: string;
    };
    output: FileContent;
  };
  /** Stop a run */
  stopRun: {
    input: {
      run_id: string;
    };
    output: {
      run_id: string;
      status: RunStatus;
      success: true;
      message?: string;
    };
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
    output: {
      data: ReadonlyArray<Run>;
      total: number;
    };
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
    output: {
      run_id: string;
      status: RunStatus;
      run: Run;
    };
  };
  /** Answer what a run has asked */
  respondToHumanRequest: {
    input: {
      run_id: string;
      request_id: string;
      approved?: boolean;
      comment?: string;
      answers?: Answers;
    };
    output: {
      request_id: string;
      status: HumanRequestStatus;
      human_request: HumanRequest;
    };
  };
  /** List what runs have asked people */
  listHumanRequests: {
    input: {
      teamId?: string;
      status?: HumanRequestStatus;
      assignee?: string;
      overdue?: boolean;
      limit?: number;
      offset?: number;
    };
    output: {
      human_requests: ReadonlyArray<HumanRequest>;
      total: number;
      limit: number;
      offset: number;
    };
    item: HumanRequest;
  };
  /** Read a case and what happened to it */
  getCase: {
    input: {
      case_id: string;
    };
    output: {
      case_id: string;
      status: CaseStatus;
      case: Case;
      events: ReadonlyArray<CaseEvent>;
    };
  };
  /** Change a case */
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
    output: {
      case_id: string;
      status: CaseStatus;
      case: Case;
      interrupted_run_ids: ReadonlyArray<string>;
    };
  };
  /** Delete a case */
  deleteCase: {
    input: {
      case_id: string;
    };
    output: {
      success: true;
      interrupted_run_ids: ReadonlyArray<string>;
    };
  };
  /** List the runs that worked on a case, newest first */
  listCaseRuns: {
    input: {
      case_id: string;
      limit?: number;
      offset?: number;
    };
    output: {
      runs: ReadonlyArray<Run>;
      total: number;
      limit: number;
      offset: number;
    };
    item: Run;
  };
  /** Read a queue */
  getQueue: {
    input: {
      queue_id: string;
    };
    output: {
      queue_id: string;
      queue: Queue;
    };
  };
  /** Change a queue */
  updateQueue: {
    input: {
      queue_id: string;
      name?: string;
      description?: string | null;
    };
    output: {
      queue_id: string;
      queue: Queue;
    };
  };
  /** Delete a queue with its cases */
  deleteQueue: {
    input: {
      queue_id: string;
    };
    output: {
      success: true;
      deleted_case_count: number;
      interrupted_run_ids: ReadonlyArray<string>;
      deletedCount: number;
      interruptedRunIds: ReadonlyArray<string>;
    };
  };
  /** See which agents put cases into a queue, and which take them */
  listQueueAgents: {
    input: {
      queue_id: string;
    };
    output: {
      queue_name: string;
      producers: ReadonlyArray<{
        agent_id: string;
        name: string;
      }>;
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
    output: {
      cases: ReadonlyArray<Case>;
      total: number;
      limit: number;
      offset: number;
    };
    item: Case;
  };
  /** Put cases into a queue */
  createCases: {
    input: {
      queue_id: string;
      case?: NewCaseInput;
      cases?: ReadonlyArray<NewCaseInput>;
    };
    output: {
      added_cases: ReadonlyArray<Case>;
    };
  };
  /** Delete all cases of a queue */
  clearQueueCases: {
    input: {
      queue_id: string;
    };
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
  /** Make many cases pending again */
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
  /** Read the cases of a queue as a file, oldest first */
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
  /** Put the rows of a file into a queue */
  importCases: {
    input: {
      queue_id: string;
      /** The bytes, as a whole */
      body: Bytes;
      /** What the bytes are */
      content_type?: string;
    };
    output: {
      accepted: number;
      rejected: number;
      errors: ReadonlyArray<{
        line: number;
        message: string;
      }>;
    };
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
    output: {
      cases: ReadonlyArray<Case>;
      total: number;
      limit: number;
      offset: number;
    };
    item: Case;
  };
  /** List the labels of a case */
  listLabelsOfCase: {
    input: {
      queue_id: string;
      case_id: string;
    };
    output: {
      labels: ReadonlyArray<CaseLabel>;
    };
  };
  /** Give labels to a case */
  linkCaseLabels: {
    input: {
      queue_id: string;
      case_id: string;
      labels: ReadonlyArray<NewCaseLabel>;
    };
    output: {
      labels: ReadonlyArray<CaseLabel>;
    };
  };
  /** Take labels from a case */
  unlinkCaseLabels: {
    input: {
      queue_id: string;
      case_id: string;
      label_ids: ReadonlyArray<string>;
    };
    output: {
      labels: ReadonlyArray<CaseLabel>;
    };
  };
  /** List the labels of a queue */
  listCaseLabels: {
    input: {
      queue_id: string;
      limit?: number;
      offset?: number;
    };
    output: {
      labels: ReadonlyArray<CountedCaseLabel>;
      total: number;
      limit: number;
      offset: number;
    };
    item: CountedCaseLabel;
  };
  /** Make a label */
  createCaseLabel: {
    input: {
      queue_id: string;
      key: string;
      value: string;
      color_hue?: number;
    };
    output: {
      label_id: string;
      label: CountedCaseLabel;
    };
  };
  /** Change a label, for all cases that have it */
  updateCaseLabel: {
    input: {
      queue_id: string;
      label_id: string;
      key?: string;
      value?: string;
      color_hue?: number;
    };
    output: {
      label_id: string;
      label: CountedCaseLabel;
    };
  };
  /** Delete a label, and take it from all cases */
  deleteCaseLabel: {
    input: {
      queue_id: string;
      label_id: string;
    };
    output: Success;
  };
  /** List the queues of a team, by name */
  listQueues: {
    input: {
      teamId?: string;
      limit?: number;
      offset?: number;
    };
    output: {
      queues: ReadonlyArray<Queue>;
      total: number;
      limit: number;
      offset: number;
    };
    item: Queue;
  };
  /** Make a queue */
  createQueue: {
    input: {
      teamId?: string;
      name: string;
      description?: string | null;
    };
    output: {
      queue_id: string;
      queue: Queue;
    };
  };
  /** List the case triggers of an agent */
  listAgentCaseTriggers: {
    input: {
      agent_id: string;
      limit?: number;
      offset?: number;
    };
    output: {
      case_triggers: ReadonlyArray<CaseTrigger>;
      total: number;
      limit: number;
      offset: number;
    };
    item: CaseTrigger;
  };
  /** Let an agent work on the cases of a queue */
  createCaseTrigger: {
    input: {
      agent_id: string;
      case_queue_id: string;
      enabled?: boolean;
      concurrency?: number | null;
    };
    output: {
      trigger_id: string;
      case_trigger: CaseTrigger;
    };
  };
  /** Read a case trigger */
  getCaseTrigger: {
    input: {
      agent_id: string;
      trigger_id: string;
    };
    output: {
      trigger_id: string;
      case_trigger: CaseTrigger;
    };
  };
  /** Change a case trigger */
  updateCaseTrigger: {
    input: {
      agent_id: string;
      trigger_id: string;
      case_queue_id?: string;
      enabled?: boolean;
      concurrency?: number | null;
    };
    output: {
      trigger_id: string;
      case_trigger: CaseTrigger;
    };
  };
  /** Delete a case trigger */
  deleteCaseTrigger: {
    input: {
      agent_id: string;
      trigger_id: string;
    };
    output: Success;
  };
  /** List the artifacts that the credential may see, newest first */
  listArtifacts: {
    input: {
      status?: ReadonlyArray<ArtifactStatus>;
      visibility?: ReadonlyArray<ArtifactVisibility>;
      search?: string;
      limit?: number;
      offset?: number;
    };
    output: {
      artifacts: ReadonlyArray<Artifact>;
      total: number;
      limit: number;
      offset: number;
    };
    item: Artifact;
  };
  /** Have a page made */
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
      artifact: Artifact;
    };
  };
  /** Read an artifact */
  getArtifact: {
    input: {
      artifactId: string;
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
      artifact: Artifact;
    };
  };
  /** Change the title, visibility, model, refreshing or connections of an artifact */
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
  deleteArtifact: {
    input: {
      artifactId: string;
    };
    output: Success;
  };
  /** Answer the questions of an artifact that waits */
  answerArtifact: {
    input: {
      artifactId: string;
      answers?: Answers;
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
      artifact: Artifact;
    };
  };
  /** List the connections that an artifact may read with */
  listArtifactConnections: {
    input: {
      artifactId: string;
      limit?: number;
      offset?: number;
    };
    output: {
      connections: ReadonlyArray<ArtifactConnection>;
      total: number;
      limit: number;
      offset: number;
    };
    item: ArtifactConnection;
  };
  /** Let an artifact read with a connection */
  addArtifactConnection: {
    input: {
      artifactId: string;
      connection_id: string;
    };
    output: {
      connection_id: string;
      connection: ArtifactConnection;
    };
  };
  /** Take a connection from an artifact */
  removeArtifactConnection: {
    input: {
      artifactId: string;
      connectionId: string;
    };
    output: Success;
  };
  /** Copy an artifact: its current page, messages and connections */
  duplicateArtifact: {
    input: {
      artifactId: string;
      title?: string;
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
      artifact: Artifact;
    };
  };
  /** Save the current page as an HTML file */
  exportArtifactHtml: {
    input: {
      artifactId: string;
    };
  };
  /** Save the current page as a PDF file */
  exportArtifactPdf: {
    input: {
      artifactId: string;
    };
  };
  /** Read what was said about an artifact, in order */
  listArtifactMessages: {
    input: {
      artifactId: string;
      limit?: number;
      offset?: number;
    };
    output: {
      messages: ReadonlyArray<ArtifactMessage>;
      total: number;
      limit: number;
      offset: number;
    };
    item: ArtifactMessage;
  };
  /** Ask for a change of the page */
  postArtifactMessage: {
    input: {
      artifactId: string;
      message: string;
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
      artifact: Artifact;
      message: ArtifactMessage;
    };
  };
  /** Share an artifact: with its team, or by an address that needs no credential */
  publishArtifact: {
    input: {
      artifactId: string;
      visibility?: ArtifactVisibility;
      permission?: ArtifactPermission;
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
      artifact: Artifact;
    };
  };
  /** Have the page made anew with the figures of today */
  refreshArtifact: {
    input: {
      artifactId: string;
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
      artifact: Artifact;
    };
  };
  /** See the current page */
  renderArtifact: {
    input: {
      artifactId: string;
    };
  };
  /** List the revisions of the page, newest first */
  listArtifactRevisions: {
    input: {
      artifactId: string;
      limit?: number;
      offset?: number;
    };
    output: {
      revisions: ReadonlyArray<ArtifactRevision>;
      total: number;
      limit: number;
      offset: number;
    };
    item: ArtifactRevision;
  };
  /** See the page of a revision */
  renderArtifactRevision: {
    input: {
      artifactId: string;
      revisionId: string;
    };
  };
  /** Show the page of an earlier revision again */
  restoreArtifactRevision: {
    input: {
      artifactId: string;
      revisionId: string;
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
      artifact: Artifact;
      revision: ArtifactRevision;
    };
  };
  /** Stop the making of a page */
  stopArtifact: {
    input: {
      artifactId: string;
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
      artifact: Artifact;
    };
  };
  /** See the page of a published artifact */
  viewPublicArtifact: {
    input: {
      token: string;
    };
  };
  /** Make a sandbox, to fill it before a run uses it */
  createSandbox: {
    input: Record<string, never>;
    output: {
      sandbox_id: string;
      expires_at: string;
    };
  };
  /** List what is in a folder of a sandbox */
  listSandboxFiles: {
    input: {
      id: string;
      path?: string;
    };
    output: SandboxFiles;
  };
  /** Put a file into a sandbox */
  uploadSandboxFile: {
    input: {
      id: string;
      file: Bytes;
      path?: string;
    };
    output: {
      path: string;
      size_bytes: number;
      file: SandboxFile;
    };
  };
  /** Read a file of a sandbox */
  getSandboxFileContent: {
    input: {
      id: string;
      path?: string;
    };
    output: FileContent;
  };
  /** Get an address to which one file can be sent */
  createSandboxUploadUrl: {
    input: {
      id: string;
      path: string;
    };
    output: {
      upload_url: string;
      path: string;
      expires_in_seconds: number;
    };
  };
  /** Get a file from a download address */
  downloadFile: {
    input: {
      token: string;
    };
  };
  /** Send a file to an upload address */
  uploadFile: {
    input: {
      token: string;
      /** The bytes, as a whole */
      body: Bytes;
      /** What the bytes are */
      content_type?: string;
    };
    output: {
      path: string;
      file: SandboxFile;
    };
  };
  /** Where the browser comes back after a consent */
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
  /** Where the browser comes back after a consent with the authorization server of an MCP server */
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
  /** What authorization servers are told of this service: its client id metadata document */
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
  /** End a consent whose redirect the client took itself */
  finalizeOAuth: {
    input: {
      state: string;
      code: string;
      iss?: string;
      redirect_uri?: string;
    };
    output: Connection;
  };
  /** See whether an MCP server supports OAuth; nothing is stored */
  checkMcpOAuth: {
    input: {
      mcp_server_url: string;
    };
    output: {
      supports_oauth: boolean;
      supports_dcr: boolean;
      authorization_endpoint?: string;
      token_endpoint?: string;
      scopes?: ReadonlyArray<string>;
      error?: string;
    };
  };
  /** Read a connection */
  getConnection: {
    input: {
      connection_id: string;
    };
    output: Connection;
  };
  /** Change a connection */
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
  /** Delete a connection; its tokens are revoked where the provider takes that */
  deleteConnection: {
    input: {
      connection_id: string;
    };
    output: {
      success: true;
      message: string;
    };
  };
  /** List the connections of a team */
  listConnections: {
    input: {
      teamId?: string;
      type?: ConnectionType;
      limit?: number;
      offset?: number;
    };
    output: {
      connections: ReadonlyArray<Connection>;
      total: number;
      limit: number;
      offset: number;
      integrations: ReadonlyArray<Connection>;
    };
    item: Connection;
  };
  /** Make a connection with headers, an API key, a secret address, or nothing to authenticate with */
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
  /** Ask an MCP server for its tools, once */
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
      tools?: ReadonlyArray<{
        name: string;
        description: string;
      }>;
      error?: string;
    };
  };
  /** Begin to connect with an MCP server: gives the address at which a person consents */
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
    output: {
      authorization_url: string;
      state: string;
      connection_id: string;
      expires_at: string;
    };
  };
  /** Begin to connect with a provider: gives the address at which a person consents */
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
    output: {
      authorization_url: string;
      state: string;
      connection_id: string;
      expires_at: string;
    };
  };
  /** List what agents can be given: tool sets and connectors */
  listPluginCatalog: {
    input: Record<string, never>;
    output: {
      plugins: ReadonlyArray<Plugin>;
    };
  };
  /** List the deliveries to the callback of a run, newest first */
  listRunDeliveries: {
    input: {
      run_id: string;
      status?: DeliveryStatus;
      limit?: number;
      offset?: number;
    };
    output: {
      deliveries: ReadonlyArray<WebhookDelivery>;
      total: number;
      limit: number;
      offset: number;
    };
    item: WebhookDelivery;
  };
  /** Send a delivery to the callback of a run again */
  redeliverRunDelivery: {
    input: {
      run_id: string;
      deliveryId: string;
    };
    output: {
      deliveryId: string;
      status: DeliveryStatus;
      delivery: WebhookDelivery;
    };
  };
  /** Read the signing secret of a team */
  getWebhookSecret: {
    input: {
      teamId?: string;
    };
    output: WebhookSecret;
  };
  /** Replace the signing secret of a team */
  rotateWebhookSecret: {
    input: {
      teamId?: string;
      overlap_seconds?: number;
    };
    output: WebhookSecret;
  };
  /** List the webhooks of a team */
  listWebhooks: {
    input: {
      teamId?: string;
      limit?: number;
      offset?: number;
    };
    output: {
      webhooks: ReadonlyArray<Webhook>;
      total: number;
      limit: number;
      offset: number;
    };
    item: Webhook;
  };
  /** Subscribe an address to events */
  createWebhook: {
    input: {
      teamId?: string;
      url: string;
      events: ReadonlyArray<EventName>;
    };
    output: {
      subscriptionId: string;
      webhook: Webhook;
    };
  };
  /** Read a webhook */
  getWebhook: {
    input: {
      teamId?: string;
      subscriptionId: string;
    };
    output: {
      subscriptionId: string;
      webhook: Webhook;
    };
  };
  /** Change a webhook */
  updateWebhook: {
    input: {
      teamId?: string;
      subscriptionId: string;
      url?: string;
      events?: ReadonlyArray<EventName>;
      enabled?: boolean;
    };
    output: {
      subscriptionId: string;
      webhook: Webhook;
    };
  };
  /** Delete a webhook; deliveries that wait are dropped */
  deleteWebhook: {
    input: {
      teamId?: string;
      subscriptionId: string;
    };
    output: Success;
  };
  /** List the deliveries to a webhook, newest first */
  listWebhookDeliveries: {
    input: {
      teamId?: string;
      subscriptionId: string;
      status?: DeliveryStatus;
      limit?: number;
      offset?: number;
    };
    output: {
      deliveries: ReadonlyArray<WebhookDelivery>;
      total: number;
      limit: number;
      offset: number;
    };
    item: WebhookDelivery;
  };
  /** Read a delivery with all its attempts and what was sent */
  getWebhookDelivery: {
    input: {
      teamId?: string;
      subscriptionId: string;
      deliveryId: string;
    };
    output: {
      deliveryId: string;
      status: DeliveryStatus;
      delivery: WebhookDelivery;
      attempts: ReadonlyArray<WebhookDeliveryAttempt>;
      payload: Event;
    };
  };
  /** Send a delivery again, with its id, from the first try on */
  redeliverWebhook: {
    input: {
      teamId?: string;
      subscriptionId: string;
      deliveryId: string;
    };
    output: {
      deliveryId: string;
      status: DeliveryStatus;
      delivery: WebhookDelivery;
    };
  };
  /** Send the events of a time again */
  replayWebhooks: {
    input: {
      teamId?: string;
      subscriptionId: string;
      since: string;
      until?: string;
      only_dead?: boolean;
    };
    output: {
      success: true;
      subscriptionId: string;
      replay_id: string;
      since: string;
      until: string;
      only_dead: boolean;
    };
  };
  /** Send a signed example to a webhook, once, and tell what came of it */
  testWebhook: {
    input: {
      teamId?: string;
      subscriptionId: string;
    };
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
  /** Read the events of a team in order, from a cursor on */
  listEvents: {
    input: {
      teamId?: string;
      after?: number;
      types?: ReadonlyArray<EventName>;
      limit?: number;
    };
    output: {
      events: ReadonlyArray<Event>;
      next_cursor: string;
      has_more: boolean;
    };
    item: Event;
  };
  /** Follow the events of a team */
  streamTeamEvents: {
    input: {
      teamId?: string;
      after?: number;
      types?: ReadonlyArray<EventName>;
    };
    event: TeamEvent;
  };
  /** Speak with the hosted MCP server */
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
  /** What a team's plan gives it, and how much of it is used */
  getBillingEntitlements: {
    input: {
      teamId?: string;
    };
    output: Entitlements;
  };
  /** What tokens of a model cost, by the operator's prices */
  estimateCost: {
    input: {
      teamId?: string;
      model?: string;
      input_tokens?: number;
      output_tokens?: number;
    };
    output: {
      model: string;
      input_tokens: number;
      output_tokens: number;
      estimated_cost: EstimatedCost | null;
    };
  };
  /** What a team has used in this calendar month, UTC */
  getBillingUsage: {
    input: {
      teamId?: string;
    };
    output: BillingUsage;
  };
  /** What each agent of a team has used in this calendar month, most tokens first */
  getAgentUsage: {
    input: {
      teamId?: string;
      limit?: number;
      offset?: number;
    };
    output: {
      agents: ReadonlyArray<AgentUsage>;
      total: number;
      limit: number;
      offset: number;
    };
    item: AgentUsage;
  };
  /** The monthly budget of a team, and how much of it is used */
  getBudget: {
    input: {
      teamId?: string;
    };
    output: Budget;
  };
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
