import { z } from 'zod';
import { idSchema, timestampSchema } from './common.js';
import { named } from './named.js';

/** The most that one file may have, however it came. */
export const maxFileBytes = 100 * 1024 * 1024;

/** The most that a file in a form may have; larger ones go to an upload address. */
export const maxFormFileBytes = 10 * 1024 * 1024;

/** The most sandboxes that a team has made or used within the day that they live. */
export const maxSandboxesOfTeam = 10_000;

/** The most that an answer shows of a file; larger ones are downloaded. */
export const maxInlineFileBytes = 1024 * 1024;

export const sandboxFileSchema = named(
  'SandboxFile',
  z.object({
    name: z.string(),
    path: z.string(),
    type: z.enum(['file', 'dir']),
    /** For a folder, the total of its files. */
    size_bytes: z.int(),
    updated_at: timestampSchema,
  }),
);

export type SandboxFile = z.output<typeof sandboxFileSchema>;

export const sandboxFilesSchema = named('SandboxFiles', z.object({ files: z.array(sandboxFileSchema) }));

export const fileContentSchema = named(
  'FileContent',
  z.object({
    path: z.string(),
    /** Null for a file that is too large to be shown; `download_url` has it. */
    content: z.string().nullable(),
    encoding: z.enum(['utf-8', 'base64']),
    content_type: z.string(),
    size_bytes: z.int(),
    /** Signed, without a credential; good for an hour. */
    download_url: z.string(),
  }),
);

/** A path in a sandbox, relative to `/workspace` or beginning with it. What it may name is decided by the owner. */
export const filePathSchema = z.string().min(1).max(4096);

/** `path` of operations that read. */
export const filePathQuery = z.object({ path: filePathSchema.optional() });

/** A file on its way to a client as the services tell each other of it. The key names its bytes in the file store. */
export const handedFileSchema = z.object({
  path: z.string(),
  key: z.string(),
  size_bytes: z.int(),
  sha256: z.string(),
  content_type: z.string(),
  /** Saved instead of shown; else its type decides. */
  disposition: z.literal('attachment').optional(),
  updated_at: timestampSchema,
});

export type HandedFile = z.output<typeof handedFileSchema>;

/** A file in a sandbox as the services tell each other of it. */
export const storedFileSchema = handedFileSchema.extend({ sandbox_id: idSchema });

export type StoredSandboxFile = z.output<typeof storedFileSchema>;
