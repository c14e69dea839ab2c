export { GatheringRedis } from './gathering-redis.js';
export { PreparedQuery, streamOf, type PreparedStatement } from './prepared-query.js';
