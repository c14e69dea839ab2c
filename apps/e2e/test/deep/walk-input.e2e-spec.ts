import { everyValue } from '../walks/choice.js';
import { describeInputWalk } from '../walks/describe-input-walk.js';

describeInputWalk('hostile and malformed input, over every operation, every value', everyValue);
