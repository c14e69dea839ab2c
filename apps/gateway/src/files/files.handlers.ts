import { buffer } from 'node:stream/consumers';
import {
  commitFile,
  downloadFile,
  findFile,
  getRunSandboxFileContent,
  getRunSandboxFileContentByRun,
  getSandboxFileContent,
  maxInlineFileBytes,
  notFound,
  uploadFile,
  type Caller,
  type OperationResponse,
  type Req,
  type StoredSandboxFile,
} from '@aos/contracts';
import { FileLinks, Files, isText, type FileStore } from '@aos/file-store';
import { Handles, ServiceClient } from '@aos/messaging';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { storeFailure } from './store-failures.js';

type Content = OperationResponse<typeof getSandboxFileContent>;
type FileOwner = z.input<(typeof findFile)['request']>['of'];

/** Files, whose bytes go from the store to the client without crossing Redis. */
@Controller()
export class FilesHandlers {
  constructor(
    private readonly services: ServiceClient,
    @Inject(Files) private readonly files: FileStore,
    private readonly links: FileLinks,
  ) {}

  @Handles(getSandboxFileContent)
  getSandboxFileContent({ params, query, ...caller }: Req<typeof getSandboxFileContent>): Promise<Content> {
    return this.content(caller, { sandbox_id: params.id }, query.path);
  }

  @Handles(getRunSandboxFileContent)
  getRunSandboxFileContent({
    params,
    query,
    ...caller
  }: Req<typeof getRunSandboxFileContent>): Promise<Content> {
    return this.content(caller, params, query.path);
  }

  @Handles(getRunSandboxFileContentByRun)
  getRunSandboxFileContentByRun({
    params,
    query,
    ...caller
  }: Req<typeof getRunSandboxFileContentByRun>): Promise<Content> {
    return this.content(caller, params, query.path);
  }

  @Handles(uploadFile)
  async uploadFile({ params, upload }: Req<typeof uploadFile>) {
    const link = this.links.open('upload', params.token);
    if (!link || !upload) throw notFound('The upload address');
    const { key, size_bytes, sha256 } = upload;
    const file = await this.services.call(commitFile, {
      team_id: link.teamId,
      sandbox_id: link.sandboxId,
      path: link.path,
      key,
      size_bytes,
      sha256,
    });
    return { path: file.path, file };
  }

  @Handles(downloadFile)
  async downloadFile({ params }: Req<typeof downloadFile>): Promise<StoredSandboxFile> {
    const link = this.links.open('download', params.token);
    if (!link) throw notFound('The download address');
    const of = { sandbox_id: link.sandboxId };
    return this.services.call(findFile, { team_id: link.teamId, of, path: link.path });
  }

  private async content(
    { teamId, principal: { credentialId } }: Caller<'team'>,
    of: FileOwner,
    path: string | undefined,
  ): Promise<Content> {
    const file = await this.services.call(findFile, { team_id: teamId, of, path });
    const { sandbox_id: sandboxId, content_type: contentType, size_bytes: sizeBytes } = file;
    const bytes = sizeBytes > maxInlineFileBytes ? undefined : await this.read(file);
    const isShownAsText = bytes ? isText(bytes) : contentType.startsWith('text/');
    const encoding = isShownAsText ? 'utf-8' : 'base64';
    return {
      path: file.path,
      content: bytes?.toString(encoding) ?? null,
      encoding,
      content_type: contentType,
      size_bytes: sizeBytes,
      download_url: this.links.url('download', { teamId, sandboxId, path: file.path, credentialId }),
    };
  }

  private async read({ key }: StoredSandboxFile): Promise<Buffer> {
    try {
      return await buffer((await this.files.read(key)).stream);
    } catch (error) {
      throw storeFailure(error);
    }
  }
}
