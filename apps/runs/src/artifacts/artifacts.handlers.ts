import {
  answerArtifact,
  createArtifact,
  deleteArtifact,
  duplicateArtifact,
  getArtifact,
  listArtifactMessages,
  listArtifacts,
  postArtifactMessage,
  publishArtifact,
  refreshArtifact,
  stopArtifact,
  updateArtifact,
  type Req,
} from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { listAnswer } from '@aos/service';
import { Controller, Inject } from '@nestjs/common';
import type { ArtifactEntity } from './artifact.entities.js';
import { artifactAnswer, toArtifact, toMessage } from './artifact.mapper.js';
import { viewerOf } from './pages/viewer.js';
import { pagesOrigin, RunsSettings, type RunsConfig } from '../runs.config.js';
import { ArtifactConnectionsService } from './connections/artifact-connections.service.js';
import { ArtifactRequestsService } from './artifact-requests.service.js';
import { ArtifactsService } from './artifacts.service.js';

@Controller()
export class ArtifactsHandlers {
  private readonly origin: string;

  constructor(
    private readonly artifacts: ArtifactsService,
    private readonly requests: ArtifactRequestsService,
    private readonly connections: ArtifactConnectionsService,
    @Inject(RunsSettings) settings: RunsConfig,
  ) {
    this.origin = pagesOrigin(settings);
  }

  /** Asks first whether the connections are the team's, and writes then. */
  @Handles(createArtifact)
  async createArtifact({ body, ...caller }: Req<typeof createArtifact>) {
    await this.connections.assertKnown(caller.teamId, body.connection_ids ?? []);
    return async () => this.one(await this.artifacts.create(viewerOf(caller), body));
  }

  @Handles(listArtifacts)
  async listArtifacts({ query, ...caller }: Req<typeof listArtifacts>) {
    const page = await this.artifacts.page(viewerOf(caller), query);
    return listAnswer('artifacts', page, (row) => toArtifact(row, this.origin));
  }

  @Handles(getArtifact)
  async getArtifact({ params, ...caller }: Req<typeof getArtifact>) {
    return this.one(await this.artifacts.get(viewerOf(caller), params.artifactId));
  }

  @Handles(updateArtifact)
  async updateArtifact({ params, body, ...caller }: Req<typeof updateArtifact>) {
    await this.connections.assertKnown(caller.teamId, body.connection_ids ?? []);
    return async () =>
      toArtifact(await this.artifacts.update(viewerOf(caller), params.artifactId, body), this.origin);
  }

  @Handles(deleteArtifact)
  async deleteArtifact({ params, ...caller }: Req<typeof deleteArtifact>) {
    await this.artifacts.delete(viewerOf(caller), params.artifactId);
    return { success: true as const };
  }

  @Handles(listArtifactMessages)
  async listArtifactMessages({ params, query, ...caller }: Req<typeof listArtifactMessages>) {
    const page = await this.requests.messages(viewerOf(caller), params.artifactId, query);
    return listAnswer('messages', page, toMessage);
  }

  @Handles(postArtifactMessage)
  async postArtifactMessage({ params, body, ...caller }: Req<typeof postArtifactMessage>) {
    const posted = await this.requests.post(viewerOf(caller), params.artifactId, body.message);
    return { ...this.one(posted.artifact), message: toMessage(posted.message) };
  }

  @Handles(refreshArtifact)
  async refreshArtifact({ params, ...caller }: Req<typeof refreshArtifact>) {
    return this.one(await this.requests.refresh(viewerOf(caller), params.artifactId));
  }

  @Handles(answerArtifact)
  async answerArtifact({ params, body, ...caller }: Req<typeof answerArtifact>) {
    return this.one(await this.requests.answer(viewerOf(caller), params.artifactId, body.answers));
  }

  @Handles(stopArtifact)
  async stopArtifact({ params, ...caller }: Req<typeof stopArtifact>) {
    return this.one(await this.requests.stop(viewerOf(caller), params.artifactId));
  }

  @Handles(publishArtifact)
  async publishArtifact({ params, body, ...caller }: Req<typeof publishArtifact>) {
    return this.one(await this.artifacts.publish(viewerOf(caller), params.artifactId, body));
  }

  @Handles(duplicateArtifact)
  async duplicateArtifact({ params, body, ...caller }: Req<typeof duplicateArtifact>) {
    return this.one(await this.artifacts.duplicate(viewerOf(caller), params.artifactId, body.title));
  }

  private one(row: ArtifactEntity) {
    return artifactAnswer(row, this.origin);
  }
}
