import { findChromium } from '@aos/browser';
import { exportArtifactPdf, type Operation } from '@aos/contracts';
import { fixtureTable } from '@aos/testing';
import type { ApiAnswer, ApiClient } from '../../src/api-client.js';
import { workingRequest } from '../../src/sample-request.js';
import { connectToProduct, type ConnectedProduct } from '../../src/shared-product.js';
import { connectAdmin, newTeam, type Team } from '../../src/team.js';

const hasChromium = (await findChromium({ path: process.env['PATH'] ?? '' })) !== undefined;

/** Without Chromium the export to PDF is refused. */
const isHere = (operation: Operation): boolean => operation !== exportArtifactPdf || hasChromium;

const withContent = fixtureTable.operations
  .filter((operation) => isHere(operation) && operation.status !== 204 && operation.kind === 'json')
  .map((operation) => [operation.operationId, operation] as const);

describe('OpenAPI leaves no field open', () => {
  let product: ConnectedProduct;
  let admin: ApiClient;
  let team: Team;

  beforeAll(async () => {
    product = await connectToProduct();
    admin = await connectAdmin(product);
    team = await newTeam(admin);
  });

  afterAll(async () => {
    await product?.disconnect();
  });

  async function success(operation: Operation): Promise<ApiAnswer> {
    const client = operation.access === 'admin' ? admin : team.client;
    return client.call(operation, await workingRequest(operation, team, product));
  }

  it.each(withContent)('%s: a missing or an undeclared field is found', async (_, operation) => {
    const answer = await success(operation);
    expect(answer.status).toBe(operation.status);
    const planted = [...withoutOneField(answer.body), ...withOneMore(answer.body)];
    expect(planted.length).toBeGreaterThan(1);
    for (const body of planted) {
      const changed = { ...answer, text: JSON.stringify(body) };
      expect([body, admin.contract.problemsOf(operation, changed)]).not.toEqual([body, []]);
    }
    expect(admin.contract.problemsOf(operation, answer)).toEqual([]);
  });
});

type Json = Record<string, unknown>;

/** The fields that the API declares optional. Every other field must be present. */
const optionalPlaces = [
  // The result of an MCP server check.
  /^\.(authorization_endpoint|token_endpoint|scopes)$/,
  /\.questions\.\d+\.(header|options|multi_select)$/,
  /\.options\.\d+\.description$/,
  /^(\.messages\.\d+|\.message)\.(text_content|tool_call|tool_result)$/,
  /\.results\.\d+\.(rubric_id|key)$/,
  /\.upcoming_runs$/,
  // What the run service alone knows of an agent.
  /^\.agents\.\d+\.case_(trigger_enabled|trigger_has_conflict|trigger_conflicting_agents|queue_name)$/,
  /\.steps\.\d+\.(input_tokens|output_tokens|tool_calls|error)$/,
];

function isOptional(place: string, value: unknown): boolean {
  // Present in a failed probe; null in operations that succeed.
  if (place === '.error' && typeof value === 'string') return true;
  // The sentence that stopRun may add; elsewhere a message is a thing.
  if (place === '.message' && typeof value === 'string') return true;
  return optionalPlaces.some((pattern) => pattern.test(place));
}

/** Objects whose keys are anybody's. */
const free = /\.response$|\.headers\.plaintext$|\.payload\.data$|^\.events\.\d+\.data$/;

/** One copy for each field at any depth, without that field. */
function withoutOneField(value: unknown, path = ''): unknown[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      withoutOneField(item, `${path}.${index}`).map((changed) => value.with(index, changed)),
    );
  }
  if (typeof value !== 'object' || value === null || free.test(path)) return [];
  return Object.entries(value as Json).flatMap(([key, inner]) => {
    const { [key]: _gone, ...rest } = value as Json;
    const place = `${path}.${key}`;
    const deeper = withoutOneField(inner, place).map((changed) => ({ ...value, [key]: changed }));
    return isOptional(place, inner) ? deeper : [rest, ...deeper];
  });
}

function withOneMore(value: unknown, path = ''): unknown[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      withOneMore(item, `${path}.${index}`).map((changed) => value.with(index, changed)),
    );
  }
  if (typeof value !== 'object' || value === null || free.test(path)) return [];
  return [
    { ...value, undeclared: 1 },
    ...Object.entries(value as Json).flatMap(([key, inner]) =>
      withOneMore(inner, `${path}.${key}`).map((changed) => ({ ...value, [key]: changed })),
    ),
  ];
}
