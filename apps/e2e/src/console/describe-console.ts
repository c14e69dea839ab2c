import { describeWhere } from '@aos/testing';
import { connectToProduct, type ConnectedProduct } from '../shared-product.js';
import { connectAdmin, newTeam, type Team } from '../team.js';
import { chromiumNeeded, ConsoleBrowser } from './console-browser.js';

/** What a suite of the console has from its first test on. */
export class ConsoleStage {
  product!: ConnectedProduct;
  browser!: ConsoleBrowser;
  team!: Team;

  get base(): string {
    return this.product.urls[0]!;
  }

  async open(teamName: string): Promise<void> {
    this.product = await connectToProduct();
    this.browser = await ConsoleBrowser.start();
    this.team = await newTeam(await connectAdmin(this.product), teamName);
  }

  async close(): Promise<void> {
    await this.browser?.close();
    await this.product?.disconnect();
  }
}

/** A suite in a real browser, with a team of its own. After no test may a page have complained. */
export function describeConsole(name: string, teamName: string, suite: (stage: ConsoleStage) => void): void {
  describeWhere(chromiumNeeded, name, () => {
    const stage = new ConsoleStage();

    beforeAll(() => stage.open(teamName));

    afterEach(() => {
      expect(stage.browser.problems.splice(0)).toEqual([]);
    });

    suite(stage);

    // Behind what the suite itself does in the end.
    afterAll(() => stage.close());
  });
}
