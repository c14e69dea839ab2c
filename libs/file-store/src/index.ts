export { parseRange, type RequestedRange } from './bytes/byte-range.js';
export { contentTypeOf, extensionOf, isText } from './names/content-type.js';
export { FileLinks, linkSeconds, type LinkedFile } from './links/file-links.js';
export { InvalidFileKey } from './names/file-key.js';
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
export { sandboxFilePath, sandboxPath, sandboxRoot, type SandboxPathCheck } from './names/sandbox-path.js';
export {
  linkKeysOf,
  signLink,
  verifyLink,
  type LinkClaims,
  type LinkKeys,
  type LinkKind,
} from './links/signed-links.js';
