export { GatheringRedis, ioredisNotice } from './gathering-redis.js';
export { pgNotice, PreparedQuery, streamOf, type PreparedStatement } from './prepared-query.js';
