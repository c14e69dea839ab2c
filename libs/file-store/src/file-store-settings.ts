import { isAbsolute } from 'node:path';
import { secretsKeys } from '@aos/platform';
import { z } from 'zod';
import type { FileStore } from './file-store.js';
import { FolderFileStore } from './folder/folder-file-store.js';

/** The settings of every service that stores files; its config is extended with them. */
export const fileStoreSettings = {
  /** Keys from which those that sign links are derived, where services have `SECRETS_KEYS` of their own. */
  LINK_KEYS: secretsKeys.optional(),
  /** Where files are, unless they are in S3. */
  FILES_DIR: z.string().refine(isAbsolute, 'must be an absolute path').optional(),
  /** S3 is used when these four are set. */
  S3_ENDPOINT: z
    .string()
    .refine(
      (text) => /^https?:\/\//.test(text) && URL.canParse(text),
      'must be a URL that begins with http:// or https://',
    )
    .optional(),
  S3_BUCKET: z.string().min(1).optional(),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  /** Off where the bucket is a part of the host name. */
  S3_FORCE_PATH_STYLE: z
    .enum(['true', 'false'], 'must be true or false')
    .transform((text) => text === 'true')
    .default(true),
};

export type FileStoreSettings = z.output<z.ZodObject<typeof fileStoreSettings>>;

const s3Variables = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;

/** What no field can see alone. As the last rule of a config it names the variable: `schema.superRefine(…)`. */
export function checkFileStoreSettings(settings: FileStoreSettings, context: z.RefinementCtx): void {
  for (const { variable, reason } of problemsOf(settings)) {
    context.addIssue({ code: 'custom', path: [variable], message: reason });
  }
}

/** The store that the settings ask for: S3 when it is set, else the folder. Throws when they ask for neither. */
export async function createFileStore(settings: FileStoreSettings): Promise<FileStore> {
  const [problem] = problemsOf(settings);
  if (problem) throw new Error(`${problem.variable}: ${problem.reason}`);
  if (!settings.S3_ENDPOINT) return new FolderFileStore(settings.FILES_DIR!);
  // The SDK costs 20 MiB and 0.2 s of a process; who stores files in a folder does without.
  const { S3FileStore } = await import('./s3/s3-file-store.js');
  return new S3FileStore({
    endpoint: settings.S3_ENDPOINT,
    bucket: settings.S3_BUCKET!,
    region: settings.S3_REGION,
    accessKeyId: settings.S3_ACCESS_KEY_ID!,
    secretAccessKey: settings.S3_SECRET_ACCESS_KEY!,
    forcePathStyle: settings.S3_FORCE_PATH_STYLE,
  });
}

function problemsOf(settings: FileStoreSettings): { variable: string; reason: string }[] {
  const missing = s3Variables.filter((name) => !settings[name]);
  const given = s3Variables.find((name) => settings[name]);
  if (given) return missing.map((variable) => ({ variable, reason: `is required when ${given} is set` }));
  if (settings.FILES_DIR) return [];
  return [{ variable: 'FILES_DIR', reason: 'is required unless S3_ENDPOINT and S3_BUCKET are set' }];
}
