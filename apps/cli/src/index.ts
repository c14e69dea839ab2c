export { programOf } from './program.js';
