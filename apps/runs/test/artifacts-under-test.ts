import {
  createArtifact,
  getArtifact,
  listArtifactMessages,
  listArtifactRevisions,
  renderArtifact,
  type Artifact,
  type ArtifactStatus,
} from '@aos/contracts';
import { eventually, type ServiceCall } from '@aos/testing';
import type { RunsClient } from './runs-under-test.js';

/** What tests do with artifacts. */
export interface ArtifactsClient {
  /** Gives the id of a new one. */
  create(message: string, more?: object, call?: ServiceCall): Promise<string>;
  show(artifactId: string, call?: ServiceCall): Promise<Artifact>;
  /** Gives the id of a new one whose page is there. */
  completed(message?: string, more?: object): Promise<string>;
  /** The page as it is shown. */
  page(artifactId: string): Promise<string>;
  /** The artifact once it has one of these statuses. */
  reach(artifactId: string, ...statuses: ArtifactStatus[]): Promise<Artifact>;
  /** What was said: `user: …`, in order. */
  said(artifactId: string): Promise<string[]>;
  /** The versions that are kept, newest first. */
  versions(artifactId: string): Promise<number[]>;
}

/** An instruction that the built-in model follows. */
export function script(...steps: string[]): string {
  return ['Show our runs', '```steps', ...steps, '```'].join('\n');
}

export function artifactsClient(runs: Pick<RunsClient, 'call'>): ArtifactsClient {
  const succeed = async <T>(answer: Promise<{ status: number; body: T; text: string }>): Promise<T> => {
    const { status, body, text } = await answer;
    if (status >= 300) throw new Error(`Answered ${status}: ${text}`);
    return body;
  };
  const show = async (artifactId: string, call: ServiceCall = {}) =>
    (await succeed(runs.call(getArtifact, { params: { artifactId }, ...call }))).artifact as Artifact;
  const create: ArtifactsClient['create'] = async (message, more = {}, call = {}) =>
    (await succeed(runs.call(createArtifact, { body: { message, ...more }, ...call }))).artifact_id;
  const client: ArtifactsClient = {
    create,
    show,
    completed: async (message = 'Show our runs', more = {}) => {
      const id = await create(message, more);
      await client.reach(id, 'completed');
      return id;
    },
    page: async (artifactId) => (await succeed(runs.call(renderArtifact, { params: { artifactId } }))).html,
    reach: (artifactId, ...statuses) =>
      eventually(
        async () => {
          const artifact = await show(artifactId);
          if (statuses.includes(artifact.status)) return artifact;
          const told = artifact.error ? `: ${artifact.error.message}` : '';
          throw new Error(`The artifact is ${artifact.status}${told}, not ${statuses.join(' or ')}`);
        },
        { timeoutMs: 30_000 },
      ),
    said: async (artifactId) => {
      const { messages } = await succeed(runs.call(listArtifactMessages, { params: { artifactId } }));
      return messages.map(({ role, content }) => `${role}: ${content}`);
    },
    versions: async (artifactId) => {
      const { revisions } = await succeed(runs.call(listArtifactRevisions, { params: { artifactId } }));
      return revisions.map(({ version }) => version);
    },
  };
  return client;
}
