export { launch, type LaunchOptions } from './launch.js';
