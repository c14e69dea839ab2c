import { Shutdown } from '@aos/platform';
import { Module, type DynamicModule } from '@nestjs/common';
import { FileLinks } from './links/file-links.js';
import { createFileStore, type FileStoreSettings } from './file-store-settings.js';

/** Injection token of the FileStore. */
export const Files = Symbol('Files');

export interface FileStoreModuleSettings extends FileStoreSettings {
  readonly SECRETS_KEYS: string;
  readonly LINK_KEYS?: string;
  /** Without a slash at its end. */
  readonly PUBLIC_BASE_URL: string;
}

/** The file store of a service, and links to files. */
@Module({})
export class FileStoreModule {
  static forRoot(settings: FileStoreModuleSettings): DynamicModule {
    return {
      module: FileStoreModule,
      global: true,
      providers: [
        {
          provide: Files,
          inject: [Shutdown],
          useFactory: async (shutdown: Shutdown) => {
            const store = await createFileStore(settings);
            shutdown.add('close', 'file store', () => store.close());
            return store;
          },
        },
        {
          provide: FileLinks,
          useFactory: () =>
            new FileLinks(settings.LINK_KEYS ?? settings.SECRETS_KEYS, settings.PUBLIC_BASE_URL),
        },
      ],
      exports: [Files, FileLinks],
    };
  }
}
