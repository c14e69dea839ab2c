import {
  broadcasts,
  callersOf,
  frontRole,
  obligationsOf,
  serviceNames,
  serviceOfRole,
  servicesCalledBy,
  sourcesOf,
  storedKeys,
  type ContractTable,
} from '@aos/contracts';
import { broadcastChannel } from '../broadcasts/broadcasts.js';
import { jobPrefix } from '../jobs/job-queues.js';
import { eventStream, type KeyNames } from '../redis/redis-connections.js';
import { replyChannels, requestStream, waitingAnswers } from '../rpc/wire/rpc-names.js';

/** What every connection of a service says of itself and asks of the server. INFO is asked before each use of one. */
const ofConnections =
  `+ping +quit +select +time +info +client|id +client|setname +client|setinfo +client|unblock
  +multi +exec +discard +watch +unwatch +script|exists +script|load +pubsub|numsub`.split(/\s+/);

/**
 * For keys that a role has for itself: data commands, also of scripts, whose commands are held to the same rights. Not
 * those that tell the names of all keys, and none that are called dangerous or change functions.
 */
const onOwnKeys = `+@read +@write -@dangerous -@admin -@scripting -scan -randomkey -dbsize +eval +evalsha`;

/**
 * The rights of a role at Redis, as ACL SETUSER takes them, from what contracts declare: whom it answers, whom it asks, whose
 * events it consumes, its jobs, and its own keys. Each selector in brackets allows some commands on some keys or channels.
 */
export function redisRules(role: string, names: KeyNames, table: ContractTable): string[] {
  const service = serviceOfRole(role);
  const heard = broadcasts.filter(({ listeners }) => listeners.some((listener) => listener === role));
  return [
    'resetchannels',
    '-@all',
    ...ofConnections,
    '+subscribe',
    '+unsubscribe',
    ...serviceNames.map((asked) => `&${replyChannels(names, asked, role)}*`),
    ...heard.map((broadcast) => `&${broadcastChannel(names, broadcast)}`),
    selector(
      '+get +unlink',
      serviceNames.map((asked) => `~${waitingAnswers(names, asked, role)}*`),
    ),
    ...(service === role ? answering(service, names, table) : []),
    ...asking(role, names, table),
    // A process of any role puts what it recorded on the stream of its service.
    selector('+xadd', [`%W~${eventStream(names, service)}`]),
    selector(
      '+xreadgroup +xgroup|create',
      sourcesOf(role, table).map((source) => `~${eventStream(names, source)}`),
    ),
    selector('+publish', sent(role, names)),
    selector(onOwnKeys, own(role, names, table)),
  ].filter((rule) => rule !== '');
}

/** A service reads requests to it, and answers those who may ask. */
function answering(service: string, names: KeyNames, table: ContractTable): string[] {
  const callers = callersOf(service, table);
  const streams = [
    requestStream(names, service),
    ...callers.map((role) => requestStream(names, service, role)),
  ];
  const answered = [frontRole, ...callers];
  return [
    selector(
      '+xreadgroup +xgroup|create +xinfo|groups +xrange +xdel +xtrim',
      streams.map((stream) => `~${stream}`),
    ),
    selector(
      '+publish',
      answered.map((role) => `&${replyChannels(names, service, role)}*`),
    ),
    selector(
      '+set',
      answered.map((role) => `%W~${waitingAnswers(names, service, role)}*`),
    ),
  ];
}

/** The streams of its own at other services: it adds requests, takes them back, and reads none. */
function asking(role: string, names: KeyNames, table: ContractTable): string[] {
  const services = servicesCalledBy(role, serviceNames, table);
  const streams = services.map((service) => `%W~${requestStream(names, service, role)}`);
  return [selector('+xadd +xdel', streams)];
}

function sent(role: string, names: KeyNames): string[] {
  return broadcasts
    .filter(({ senders }) => senders.some((sender) => sender === role))
    .map((broadcast) => `&${broadcastChannel(names, broadcast)}`);
}

function own(role: string, names: KeyNames, table: ContractTable): string[] {
  const jobs = obligationsOf(serviceOfRole(role), table).jobs;
  const stored = storedKeys.filter(({ owner }) => owner === role).map(({ name }) => names.key(name));
  return [
    ...jobs.map(({ name }) => `~${jobPrefix(names)}:${name}:*`),
    ...stored.flatMap((key) => [`~${key}`, `~${key}:*`]),
  ];
}

/** None where there is nothing to allow. */
function selector(commands: string, patterns: readonly string[]): string {
  return patterns.length === 0 ? '' : `(${commands} ${patterns.join(' ')})`;
}
