import { someValues } from './walks/choice.js';
import { describeFieldsWalk } from './walks/describe-fields-walk.js';

describeFieldsWalk('hostile values, in every field of every operation, some values', someValues(3));
