import { badCredentials } from '../../src/bad-credentials.js';
import type { ApiClient } from '../../src/api-client.js';
import { sampleRequest } from '../../src/sample-request.js';
import { connectToProduct, type ConnectedProduct } from '../../src/shared-product.js';
import { connectAdmin, newTeam, type Team } from '../../src/team.js';
import type { Choice } from './choice.js';
import { rowsOf } from './input-walk.js';

const cases = (choose: Choice) =>
  rowsOf(({ access }) => !['link', 'open'].includes(access)).flatMap(([name, operation, nth]) =>
    choose(Object.keys(badCredentials), nth).map((credential) => [name, credential, operation] as const),
  );

export function describeBadCredentials(title: string, choose: Choice): void {
  describe(title, () => {
    let product: ConnectedProduct;
    let admin: ApiClient;
    let team: Team;
    const bad = new Map<string, string>();

    beforeAll(async () => {
      product = await connectToProduct();
      admin = await connectAdmin(product);
      team = await newTeam(admin);
      const made = Object.entries(badCredentials).map(async ([name, make]) =>
        bad.set(name, await make(team)),
      );
      await Promise.all(made);
    });

    afterAll(async () => {
      await product?.disconnect();
    });

    it.each(cases(choose))('%s: 401 with %s', async (_, credential, operation) => {
      const headers = { authorization: bad.get(credential)! };
      const request = { ...sampleRequest(operation, team.id), token: null, headers };
      const answer = await admin.call(operation, request);
      expect([answer.status, answer.body]).toEqual([
        401,
        expect.objectContaining({ error: 'invalid_token' }),
      ]);
      expect(answer.headers['www-authenticate']).toMatch(
        /^Bearer error="invalid_token", resource_metadata="/,
      );
    });
  });
}
