import { z } from 'zod';
import { idSchema, secret, timestampSchema } from './common.js';
import { named } from './named.js';
import { questionSchema } from './questions.js';

export const maxArtifactsOfTeam = 500;
export const maxArtifactMessages = 1_000;
/** Older ones go when there are more; the current one stays. */
export const maxArtifactRevisions = 50;
export const maxArtifactConnections = 20;
export const maxArtifactPageBytes = 1024 * 1024;

export const artifactStatuses = [
  'not_started',
  'pending',
  'running',
  'waiting',
  'completed',
  'failed',
  'interrupted',
] as const;
export const artifactVisibilities = ['private', 'team', 'organization', 'public'] as const;
export const artifactPermissions = ['view', 'edit'] as const;
export const artifactRefreshFrequencies = [
  'every_15_minutes',
  'every_30_minutes',
  'hourly',
  'every_6_hours',
  'daily',
  'weekly',
  'monthly',
] as const;
export const artifactRevisionSources = ['message', 'refresh', 'restore', 'duplicate'] as const;

/** waiting: it has questions · interrupted: it was stopped. */
export const artifactStatusSchema = named('ArtifactStatus', z.enum(artifactStatuses));
/**
 * private: for the credential that made it · team and organization: for the team · public: for anybody who has
 * `public_url`, too.
 */
export const artifactVisibilitySchema = named('ArtifactVisibility', z.enum(artifactVisibilities));
/** Stored and shown for clients of other platforms; scopes decide who may change an artifact. */
export const artifactPermissionSchema = named('ArtifactPermission', z.enum(artifactPermissions));
export const artifactRefreshFrequencySchema = named(
  'ArtifactRefreshFrequency',
  z.enum(artifactRefreshFrequencies),
);

export type ArtifactStatus = z.output<typeof artifactStatusSchema>;
export type ArtifactVisibility = z.output<typeof artifactVisibilitySchema>;
export type ArtifactPermission = z.output<typeof artifactPermissionSchema>;
export type ArtifactRefreshFrequency = z.output<typeof artifactRefreshFrequencySchema>;
export type ArtifactRevisionSource = (typeof artifactRevisionSources)[number];

export const artifactTitleSchema = z.string().trim().min(1).max(200);
export const artifactMessageTextSchema = z.string().trim().min(1).max(20_000);

export const artifactSchema = named(
  'Artifact',
  z.object({
    id: idSchema,
    artifact_id: idSchema,
    team_id: idSchema,
    title: z.string().nullable(),
    status: artifactStatusSchema,
    visibility: artifactVisibilitySchema,
    permission: artifactPermissionSchema,
    /** The model that generates the page. */
    model: z.string(),
    refresh_frequency: artifactRefreshFrequencySchema.nullable(),
    last_refresh_at: timestampSchema.nullable(),
    next_refresh_at: timestampSchema.nullable(),
    /** The version of the page that is shown; null while there is none. */
    current_version: z.int().nullable(),
    pending_user_questions: z.object({ questions: z.array(questionSchema) }).nullable(),
    /** Why the last page was not made. */
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    /** While it is public. Whoever has it sees the page. */
    public_url: secret(z.string().nullable()),
    created_at: timestampSchema,
    updated_at: timestampSchema,
  }),
);

export type Artifact = z.output<typeof artifactSchema>;

export const artifactMessageSchema = named(
  'ArtifactMessage',
  z.object({
    id: idSchema,
    artifact_id: idSchema,
    role: z.enum(['user', 'assistant']),
    content: z.string(),
    created_at: timestampSchema,
  }),
);

export const artifactRevisionSchema = named(
  'ArtifactRevision',
  z.object({
    id: idSchema,
    revision_id: idSchema,
    artifact_id: idSchema,
    version: z.int(),
    /** The title of the page. */
    title: z.string(),
    source: z.enum(artifactRevisionSources),
    /** The restored version, if this revision restores one. */
    restored_version: z.int().nullable(),
    is_current: z.boolean(),
    size_bytes: z.int(),
    created_at: timestampSchema,
  }),
);

/** A page as the services tell each other of it; the gateway sends it as a document, confined. */
export const artifactPageSchema = z.object({
  title: z.string(),
  /** The whole document. */
  html: z.string(),
  /** Shown in place, or saved. */
  disposition: z.enum(['inline', 'attachment']),
});

export type ArtifactPage = z.output<typeof artifactPageSchema>;

/**
 * The Content-Security-Policy of pages: inline styles and data images; no scripts, no network. The gateway adds
 * directives that only a header can carry.
 */
export const artifactPagePolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  'font-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
