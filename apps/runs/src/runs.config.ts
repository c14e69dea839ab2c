import { modelSettings } from '@aos/agent-runtime';
import { builtinModel, modelSchema } from '@aos/contracts';
import { egressSettings } from '@aos/egress';
import { checkFileStoreSettings, fileStoreSettings } from '@aos/file-store';
import { urlOf, wholeNumber } from '@aos/platform';
import { serviceConfigSchema } from '@aos/service';
import { z } from 'zod';

/** Settings of this service beside those of every service. */
export const runsConfigSchema = serviceConfigSchema
  .extend({
    ...modelSettings,
    ...egressSettings,
    ...fileStoreSettings,
    /** The address under which clients reach the service; links to files begin with it. */
    PUBLIC_BASE_URL: urlOf('http', 'https').default('http://127.0.0.1:8080').transform(withoutSlash),
    /** The total size of the files of a sandbox. */
    SANDBOX_MAX_BYTES: wholeNumber(1, 2 ** 40).default(2 ** 30),
    SANDBOX_MAX_FILES: wholeNumber(1, 100_000).default(5_000),
    /** A browser to be used instead of the one on the PATH. */
    CHROMIUM_PATH: z.string().min(1).optional(),
    PATH: z.string().default(''),
    /** Off: pages have no walls of Chromium between them and the machine. Never by itself. */
    BROWSER_SANDBOX: z.enum(['on', 'off'], 'must be on or off').default('on'),
    /** Browsers at the same time in one process; each takes 200 MiB and more. */
    BROWSER_MAX_SESSIONS: wholeNumber(1, 100).default(4),
    /** How long a tool of a connection may be silent; notifications of its progress begin the time anew. */
    CONNECTION_CALL_TIMEOUT_MS: wholeNumber(100, 3_600_000).default(120_000),
    /** How often it is measured what the files of teams take. */
    STORAGE_MEASURE_EVERY_MS: wholeNumber(100, 86_400_000).default(600_000),
    /** How much of a long run a model is shown. */
    MODEL_CONTEXT_CHARS: wholeNumber(1_000, 10_000_000).default(400_000),
    /** The default model of artifacts. */
    ARTIFACTS_MODEL: modelSchema.default(builtinModel),
    /** How long a page may be in the making. */
    ARTIFACT_TIMEOUT_MS: wholeNumber(1_000, 3_600_000).default(600_000),
    /** How often it is looked for artifacts that are due to be refreshed. */
    ARTIFACT_REFRESH_SWEEP_MS: wholeNumber(100, 3_600_000).default(5_000),
    /** Pages that one process prints at the same time; each takes a browser. */
    ARTIFACT_PDF_CONCURRENCY: wholeNumber(1, 100).default(4),
    /** The origin of artifact pages, if another than the gateway's. */
    ARTIFACTS_ORIGIN: urlOf('http', 'https').transform(withoutSlash).optional(),
    /** After how many days runs that have ended are deleted, with all that belongs to them; 0: never. */
    RUN_RETENTION_DAYS: wholeNumber(0, 36_500).default(0),
    /**
     * Which part of the service this process is: `serve` answers requests and carries no run on, `work` carries runs on
     * and answers none, so that both can be scaled apart.
     */
    RUN_WORKERS: z.enum(['both', 'serve', 'work'], 'must be both, serve or work').default('both'),
    /** Runs that one process works on at the same time. Most of that time they wait for models and tools. */
    RUN_CONCURRENCY: wholeNumber(1, 10_000).default(128),
    /** A run whose worker died is taken over after this time and a quarter of it more. */
    RUN_LEASE_MS: wholeNumber(1_000, 600_000).default(16_000),
  })
  .superRefine(checkFileStoreSettings);

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

export type RunsConfig = z.output<typeof runsConfigSchema>;

/** Injection token of the settings. */
export const RunsSettings = Symbol('RunsSettings');

/** How the address of a published page begins. */
export function pagesOrigin(settings: Pick<RunsConfig, 'ARTIFACTS_ORIGIN' | 'PUBLIC_BASE_URL'>): string {
  return settings.ARTIFACTS_ORIGIN ?? settings.PUBLIC_BASE_URL;
}

/** Whether a process with these settings works on runs. */
export function carriesRunsOn({ RUN_WORKERS: part }: Pick<RunsConfig, 'RUN_WORKERS'>): boolean {
  return part !== 'serve';
}
