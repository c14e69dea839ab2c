export { main, type Output } from './main.js';
