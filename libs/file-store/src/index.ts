export { parseRange, type RequestedRange } from './byte-range.js';
export { contentTypeOf, extensionOf, isText } from './content-type.js';
export { FileLinks, linkSeconds, type LinkedFile } from './file-links.js';
export { InvalidFileKey } from './file-key.js';
export type {
  ByteRange,
  FileReading,
  FileStore,
  ListedFile,
  ListOptions,
  ReadOptions,
  StoredFile,
  WriteOptions,
} from './file-store.js';
export { Files, FileStoreModule, type FileStoreModuleSettings } from './file-store.module.js';
export { FileNotFound, FileStoreUnavailable, FileTooLarge } from './file-store-errors.js';
export {
  checkFileStoreSettings,
  createFileStore,
  fileStoreSettings,
  type FileStoreSettings,
} from './file-store-settings.js';
export { sandboxFilePath, sandboxPath, sandboxRoot, type SandboxPathCheck } from './sandbox-path.js';
export {
  linkKeysOf,
  signLink,
  verifyLink,
  type LinkClaims,
  type LinkKeys,
  type LinkKind,
} from './signed-links.js';
