import {
  AppError,
  commitFile,
  createSandbox,
  createSandboxUploadUrl,
  discardFile,
  findFile,
  listRunSandboxFiles,
  listRunSandboxFilesByRun,
  listSandboxFiles,
  stageFile,
  uploadSandboxFile,
  type OperationResponse,
  type Req,
  type SandboxFile,
  type StoredSandboxFile,
} from '@aos/contracts';
import { FileLinks, linkSeconds } from '@aos/file-store';
import { Handles, HandlesInternal } from '@aos/messaging';
import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import { RunsRepository } from '../run-core/runs.repository.js';
import { toSandboxFile, toStoredFile } from './sandbox-file.mapper.js';
import { acceptFilePath, acceptFolderPath } from './sandbox-paths.js';
import { SandboxesService } from './sandboxes.service.js';

type FilesAnswer = OperationResponse<typeof listSandboxFiles>;

@Controller()
export class SandboxesHandlers {
  constructor(
    private readonly sandboxes: SandboxesService,
    private readonly runs: RunsRepository,
    private readonly links: FileLinks,
  ) {}

  @Handles(createSandbox)
  async createSandbox({ teamId }: Req<typeof createSandbox>) {
    return this.sandboxes.create(teamId);
  }

  @Handles(createSandboxUploadUrl)
  async createSandboxUploadUrl({
    principal: { credentialId },
    teamId,
    params: { id: sandboxId },
    body,
  }: Req<typeof createSandboxUploadUrl>) {
    const path = acceptFilePath(body.path);
    await this.sandboxes.assertExists(teamId, sandboxId);
    const uploadUrl = this.links.url('upload', { teamId, sandboxId, path, credentialId });
    return { upload_url: uploadUrl, path, expires_in_seconds: linkSeconds };
  }

  @Handles(uploadSandboxFile)
  async uploadSandboxFile({
    teamId,
    params: { id: sandboxId },
    body,
    upload,
  }: Req<typeof uploadSandboxFile>) {
    if (!upload) throw new AppError('invalid_request', 'file: the form has no file.');
    const path = body.path ?? upload.name;
    if (path === undefined)
      throw new AppError('invalid_request', 'path: is required when the file has no name.');
    const { file } = await this.sandboxes.commit({ teamId, sandboxId, path, staged: upload });
    const shown = toSandboxFile(file);
    return { path: file.path, size_bytes: shown.size_bytes, file: shown };
  }

  @Handles(listSandboxFiles)
  async listSandboxFiles({ teamId, params, query }: Req<typeof listSandboxFiles>): Promise<FilesAnswer> {
    const folder = acceptFolderPath(query.path);
    await this.sandboxes.assertExists(teamId, params.id);
    return { files: await this.sandboxes.list(params.id, folder) };
  }

  @Handles(listRunSandboxFiles)
  async listRunSandboxFiles({
    teamId,
    params,
    query,
  }: Req<typeof listRunSandboxFiles>): Promise<FilesAnswer> {
    const folder = acceptFolderPath(query.path);
    const run = await this.runs.getOfAgent(teamId, params.agent_id, params.run_id);
    return { files: await this.sandboxes.list(run.sandbox_id, folder) };
  }

  @Handles(listRunSandboxFilesByRun)
  async listRunSandboxFilesByRun({
    teamId,
    params,
    query,
  }: Req<typeof listRunSandboxFilesByRun>): Promise<FilesAnswer> {
    const folder = acceptFolderPath(query.path);
    const run = await this.runs.get(teamId, params.run_id);
    return { files: await this.sandboxes.list(run.sandbox_id, folder) };
  }

  @HandlesInternal(stageFile)
  async stageFile({
    team_id: teamId,
    sandbox_id: sandboxId,
    path,
    size_bytes: sizeBytes,
  }: Req<typeof stageFile>): Promise<{ key: string; max_bytes: number }> {
    const { key, maxBytes } = await this.sandboxes.stage({ teamId, sandboxId, path, sizeBytes });
    return { key, max_bytes: maxBytes };
  }

  @HandlesInternal(discardFile)
  async discardFile({ sandbox_id, key }: Req<typeof discardFile>): Promise<Record<string, never>> {
    await this.sandboxes.discard(sandbox_id, key);
    return {};
  }

  @HandlesInternal(commitFile)
  async commitFile({
    team_id: teamId,
    sandbox_id: sandboxId,
    path,
    ...staged
  }: Req<typeof commitFile>): Promise<SandboxFile> {
    return toSandboxFile((await this.sandboxes.commit({ teamId, sandboxId, path, staged })).file);
  }

  @HandlesInternal(findFile)
  async findFile({ team_id, of, path }: Req<typeof findFile>): Promise<StoredSandboxFile> {
    const wanted = path === undefined ? undefined : acceptFilePath(path);
    return toStoredFile(await this.sandboxes.find(await this.sandboxOf(team_id, of), wanted));
  }

  private async sandboxOf(teamId: string, of: z.output<(typeof findFile)['request']>['of']): Promise<string> {
    if ('sandbox_id' in of) {
      await this.sandboxes.assertExists(teamId, of.sandbox_id);
      return of.sandbox_id;
    }
    const { run_id: runId, agent_id: agentId } = of;
    const run =
      agentId === undefined
        ? await this.runs.get(teamId, runId)
        : await this.runs.getOfAgent(teamId, agentId, runId);
    return run.sandbox_id;
  }
}
