import { maxArtifactRevisions, notFound, type ArtifactRevisionSource } from '@aos/contracts';
import { findPage, newId, Transactions, type Page, type PageRequest } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { LessThanOrEqual, type Repository } from 'typeorm';
import { ArtifactMessageEntity, ArtifactRevisionEntity } from './artifact.entities.js';

/** A page as it is kept: what it calls itself, and what stands in its body. */
export interface MadePage {
  readonly title: string;
  readonly body: string;
}

/** All but the page itself. */
export type RevisionFacts = Omit<ArtifactRevisionEntity, 'body'>;

const facts = {
  id: true,
  artifact_id: true,
  version: true,
  title: true,
  size_bytes: true,
  source: true,
  restored_version: true,
  created_at: true,
} as const;

/** Messages and revisions of artifacts. Callers have read or locked the artifact before. */
@Injectable()
export class ArtifactHistory {
  constructor(private readonly transactions: Transactions) {}

  messages(artifactId: string, page: PageRequest): Promise<Page<ArtifactMessageEntity>> {
    return findPage(this.said, { where: { artifact_id: artifactId }, order: { seq: 'ASC' } }, page);
  }

  /** The newest of them, in order. */
  async lastMessages(artifactId: string, most: number): Promise<ArtifactMessageEntity[]> {
    const where = { artifact_id: artifactId };
    return (await this.said.find({ where, order: { seq: 'DESC' }, take: most })).reverse();
  }

  /** Its artifact is locked, so that no other message gets the same place. */
  async say(
    artifactId: string,
    role: ArtifactMessageEntity['role'],
    content: string,
    { isAnswer = false }: { isAnswer?: boolean } = {},
  ): Promise<ArtifactMessageEntity> {
    const seq = (await this.countMessages(artifactId)) + 1;
    const id = newId();
    await this.said.insert({
      id,
      artifact_id: artifactId,
      seq,
      role,
      content,
      is_answer: isAnswer,
      created_at: () => 'now()',
    });
    return this.said.findOneByOrFail({ id });
  }

  /** None is ever taken away, so their number is the place of the last. */
  countMessages(artifactId: string): Promise<number> {
    return this.said.countBy({ artifact_id: artifactId });
  }

  async revisions(artifactId: string, page: PageRequest): Promise<Page<RevisionFacts>> {
    const options = {
      where: { artifact_id: artifactId },
      order: { version: 'DESC' },
      select: facts,
    } as const;
    return findPage(this.pages, options, page);
  }

  async revision(artifactId: string, revisionId: string): Promise<ArtifactRevisionEntity> {
    const row = await this.pages.findOneBy({ id: revisionId, artifact_id: artifactId });
    if (!row) throw notFound('The revision');
    return row;
  }

  async version(artifactId: string, version: number | null): Promise<ArtifactRevisionEntity | undefined> {
    if (version === null) return undefined;
    return (await this.pages.findOneBy({ artifact_id: artifactId, version })) ?? undefined;
  }

  /** Its artifact is locked. The oldest go when there are too many. */
  async add(
    artifactId: string,
    version: number,
    page: MadePage,
    { source, restoredVersion = null }: { source: ArtifactRevisionSource; restoredVersion?: number | null },
  ): Promise<RevisionFacts> {
    const id = newId();
    await this.pages.insert({
      id,
      artifact_id: artifactId,
      version,
      title: page.title,
      body: page.body,
      size_bytes: Buffer.byteLength(page.body),
      source,
      restored_version: restoredVersion,
      created_at: () => 'now()',
    });
    const gone = version - maxArtifactRevisions;
    if (gone > 0) await this.pages.delete({ artifact_id: artifactId, version: LessThanOrEqual(gone) });
    return this.pages.findOneOrFail({ where: { id }, select: facts });
  }

  async copyMessages(fromId: string, toId: string): Promise<void> {
    const messages = await this.said.find({ where: { artifact_id: fromId }, order: { seq: 'ASC' } });
    if (messages.length === 0) return;
    await this.said.insert(messages.map((message) => ({ ...message, id: newId(), artifact_id: toId })));
  }

  async delete(artifactId: string): Promise<void> {
    await this.said.delete({ artifact_id: artifactId });
    await this.pages.delete({ artifact_id: artifactId });
  }

  private get said(): Repository<ArtifactMessageEntity> {
    return this.transactions.repository(ArtifactMessageEntity);
  }

  private get pages(): Repository<ArtifactRevisionEntity> {
    return this.transactions.repository(ArtifactRevisionEntity);
  }
}
