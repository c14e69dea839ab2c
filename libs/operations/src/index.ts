export { listAnswer } from './list-answer.js';
export { OperationsModule } from './operations.module.js';
export { passingRefusal } from './passing-refusal.js';
