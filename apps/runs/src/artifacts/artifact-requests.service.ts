import { answered, answerFaults } from '@aos/agent-runtime';
import { type Answers, AppError, maxArtifactMessages } from '@aos/contracts';
import { newId, type Page, type PageRequest } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { ArtifactHistory } from './artifact-history.js';
import { isBusy } from './artifact-state.js';
import type { ArtifactEntity, ArtifactMessageEntity, ArtifactRequest } from './artifact.entities.js';
import { ArtifactsRepository, type Viewer } from './artifacts.repository.js';
import { ArtifactDispatch } from './generation/artifact-dispatch.js';
import { ArtifactPermits, ArtifactStops } from './generation/artifact-permits.js';

/** Requests to change, regenerate, answer or stop an artifact. */
@Injectable()
export class ArtifactRequestsService {
  constructor(
    private readonly artifacts: ArtifactsRepository,
    private readonly history: ArtifactHistory,
    private readonly permits: ArtifactPermits,
    private readonly dispatch: ArtifactDispatch,
    private readonly stops: ArtifactStops,
  ) {}

  async messages(
    viewer: Viewer,
    artifactId: string,
    page: PageRequest,
  ): Promise<Page<ArtifactMessageEntity>> {
    await this.artifacts.get(viewer, artifactId);
    return this.history.messages(artifactId, page);
  }

  async post(
    viewer: Viewer,
    artifactId: string,
    text: string,
  ): Promise<{ artifact: ArtifactEntity; message: ArtifactMessageEntity }> {
    const artifact = await this.request(viewer, artifactId, 'message');
    await this.assertRoom(artifactId);
    return { artifact, message: await this.history.say(artifactId, 'user', text) };
  }

  refresh(viewer: Viewer, artifactId: string): Promise<ArtifactEntity> {
    return this.request(viewer, artifactId, 'refresh');
  }

  async answer(viewer: Viewer, artifactId: string, answers: Answers): Promise<ArtifactEntity> {
    const present = await this.artifacts.lock(viewer, artifactId);
    await this.permits.assertMayMake(viewer.teamId);
    const { pending_user_questions: pending, status } = present;
    if (status !== 'waiting' || !pending) {
      throw new AppError('invalid_state', `The artifact is ${status} and has no open questions.`);
    }
    const faults = answerFaults(pending.questions, answers);
    if (faults.length > 0) throw new AppError('invalid_request', faults.join('; '));
    await this.assertRoom(artifactId);
    const given = answered(pending.questions, answers);
    const said = given.map(({ question, answer }) => `${question}\n${answer}`).join('\n\n');
    await this.history.say(artifactId, 'user', said, { isAnswer: true });
    const artifact = await this.artifacts.move(artifactId, 'answer', {
      pending_user_questions: null,
      answers: [...present.answers, ...given],
      job_id: newId(),
    });
    this.dispatch.addAfterCommit(artifact!);
    return artifact!;
  }

  /** On one that is not busy a no-op. */
  async stop(viewer: Viewer, artifactId: string): Promise<ArtifactEntity> {
    const present = await this.artifacts.lock(viewer, artifactId);
    const stopped = await this.artifacts.move(artifactId, 'stop', {
      pending_user_questions: null,
      lease_token: null,
      lease_until: null,
    });
    if (!stopped) return present;
    this.stops.tell(artifactId);
    return stopped;
  }

  private async request(
    viewer: Viewer,
    artifactId: string,
    request: ArtifactRequest,
  ): Promise<ArtifactEntity> {
    const { status } = await this.artifacts.lock(viewer, artifactId);
    await this.permits.assertMayMake(viewer.teamId);
    if (isBusy(status))
      throw new AppError('invalid_state', `The artifact is ${status}: it has not ended yet.`);
    const artifact = await this.artifacts.move(artifactId, 'request', {
      request,
      is_scheduled: false,
      attempts: 0,
      error: null,
      ...(request === 'message' ? { answers: [] } : {}),
      lease_token: null,
      lease_until: null,
      job_id: newId(),
    });
    this.dispatch.addAfterCommit(artifact!);
    return artifact!;
  }

  /** With room for what the model says to it. */
  private async assertRoom(artifactId: string): Promise<void> {
    if ((await this.history.countMessages(artifactId)) + 1 < maxArtifactMessages) return;
    throw new AppError('limit_reached', `An artifact has at most ${maxArtifactMessages} messages.`);
  }
}
