import {
  addArtifactConnection,
  createArtifact,
  getArtifact,
  listArtifactRevisions,
  publishArtifact,
  type Artifact,
} from '@aos/contracts';
import { eventually } from '@aos/testing';
import type { CallOptions } from './api-client.js';
import { makeConnection } from './sample-connections.js';
import type { Team } from './team.js';

const asking = 'Show our runs\n```steps\nask Which ones?\n```';

async function artifactIn(team: Team, message: string, status: Artifact['status']): Promise<string> {
  const { artifact_id: artifactId } = await team.client.succeed<{ artifact_id: string }>(createArtifact, {
    body: { message },
  });
  return eventually(async () => {
    const { artifact } = await team.client.succeed<{ artifact: Artifact }>(getArtifact, {
      params: { artifactId },
    });
    if (artifact.status !== status) throw new Error(`The artifact is ${artifact.status}`);
    return artifactId;
  });
}

/** One with a page. */
export function makeArtifact(team: Team): Promise<string> {
  return artifactIn(team, 'Show our runs', 'completed');
}

export async function makeArtifactRevision({ client }: Team, artifactId: string): Promise<string> {
  const { revisions } = await client.succeed<{ revisions: { id: string }[] }>(listArtifactRevisions, {
    params: { artifactId },
  });
  return revisions[0]!.id;
}

export async function attachConnection(team: Team, artifactId: string, serverUrl: string): Promise<string> {
  const connectionId = await makeConnection(team, serverUrl);
  const request = { params: { artifactId }, body: { connection_id: connectionId } };
  await team.client.succeed(addArtifactConnection, request);
  return connectionId;
}

/** One that waits for an answer, and the answer. */
export async function answerable(team: Team): Promise<CallOptions> {
  const artifactId = await artifactIn(team, asking, 'waiting');
  return { params: { artifactId }, body: { answers: { 'Which ones?': 'All' } } };
}

/** Gives the address that needs no credential. */
export async function publishOpenly({ client }: Team, artifactId: string): Promise<string> {
  const request = { params: { artifactId }, body: { visibility: 'public' } };
  return (await client.succeed<{ public_url: string }>(publishArtifact, request)).public_url;
}

/** The end of the address of a published page. */
export async function publicToken(team: Team): Promise<string> {
  const artifactId = await makeArtifact(team);
  const url = await publishOpenly(team, artifactId);
  return url.slice(url.lastIndexOf('/') + 1);
}
