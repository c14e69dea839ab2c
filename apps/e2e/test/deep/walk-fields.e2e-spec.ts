import { everyValue } from '../walks/choice.js';
import { describeFieldsWalk } from '../walks/describe-fields-walk.js';

describeFieldsWalk('hostile values, in every field of every operation, every value', everyValue);
