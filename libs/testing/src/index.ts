export { eventually, type EventuallyOptions } from './eventually.js';
export * from './fixture/fixture-contracts.js';
export { fixtureConsumerService, fixtureService } from './fixture/fixture.services.js';
export { startEmbedded, startStores, type Stores } from './infrastructure/stores.js';
export { testConfig, testEnvironment } from './infrastructure/test-config.js';
export { createTestDatabase, testServerUrl, type TestDatabase } from './infrastructure/test-database.js';
export { appEntry, fixtureEntries } from './services/entries.js';
export { startServiceProcess, type ServiceProcess } from './services/service-process.js';
