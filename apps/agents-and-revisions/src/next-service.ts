export { service } from './service.js';
