import type { SandboxFile, StoredSandboxFile } from '@aos/contracts';
import { contentTypeOf } from '@aos/file-store';
import type { SandboxFileEntity } from './sandbox.entities.js';
import type { ListedEntry } from './sandboxes.repository.js';

export function toListedFile(folder: string, entry: ListedEntry): SandboxFile {
  return {
    name: entry.name,
    path: `${folder}/${entry.name}`,
    type: entry.is_folder ? 'dir' : 'file',
    size_bytes: Number(entry.size_bytes),
    updated_at: entry.updated_at.toISOString(),
  };
}

export function toSandboxFile(
  file: Pick<SandboxFileEntity, 'path' | 'size_bytes' | 'updated_at'>,
): SandboxFile {
  return {
    name: file.path.slice(file.path.lastIndexOf('/') + 1),
    path: file.path,
    type: 'file',
    size_bytes: Number(file.size_bytes),
    updated_at: file.updated_at.toISOString(),
  };
}

export function toStoredFile(file: SandboxFileEntity): StoredSandboxFile {
  return {
    sandbox_id: file.sandbox_id,
    path: file.path,
    key: file.key,
    size_bytes: Number(file.size_bytes),
    sha256: file.sha256,
    content_type: contentTypeOf(file.path),
    updated_at: file.updated_at.toISOString(),
  };
}
