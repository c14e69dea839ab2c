import { openDatabase, startReceiver } from '@aos/testing';
import type { OAuthParties } from './oauth-surroundings.js';
import type { Product } from './stack.js';

/** Holds the address at which the run tells where its product is. */
export const sharedProductVariable = 'TEST_SHARED_PRODUCT';

export interface SharedProductPlace {
  readonly urls: readonly string[];
  readonly adminKey: string;
  readonly databaseUrl: string;
  readonly oauth: OAuthParties;
}

export interface ConnectedProduct extends Product {
  /** The product goes on. */
  disconnect(): Promise<void>;
}

/** The address of a product that runs elsewhere, and its administrator's key: `npm run e2e-at`. */
const { AOS_BASE_URL: address, AOS_ADMIN_KEY: adminKeyThere } = process.env;

/** What can be seen of the product from anywhere. */
export interface Deployment extends Pick<Product, 'urls' | 'adminKey'> {
  disconnect(): Promise<void>;
}

/**
 * The product at the address of `AOS_BASE_URL`, or else the one that the files of a run share: for tests that need no
 * more than HTTP, and so can be run against any installation.
 */
export async function connectToDeployment(): Promise<Deployment> {
  if (!address) return connectToProduct();
  if (!adminKeyThere) throw new Error('AOS_ADMIN_KEY is not set: tests make teams of their own');
  return { urls: [address], adminKey: adminKeyThere, disconnect: async () => undefined };
}

/**
 * The whole product, as all files of a run share it: for those that have teams of their own, and that stop, starve and
 * configure nothing. The others start a stack of their own, which costs them some seconds.
 */
export async function connectToProduct(): Promise<ConnectedProduct> {
  const address = process.env[sharedProductVariable];
  if (!address) throw new Error(`${sharedProductVariable} is not set: run the tests through their target`);
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`The product did not start: ${await answer.text()}`);
  const { databaseUrl, ...place } = (await answer.json()) as SharedProductPlace;
  const database = openDatabase(databaseUrl);
  const receiver = await startReceiver();
  return {
    ...place,
    database,
    receiver,
    disconnect: async () => {
      await receiver.close();
      await database.close();
    },
  };
}
