import { everyValue } from '../walks/choice.js';
import { describeBadCredentials } from '../walks/describe-bad-credentials.js';

describeBadCredentials('bad credentials, over every operation, every value', everyValue);
