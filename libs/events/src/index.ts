export { EventsModule, type EventsOptions } from './events.module.js';
export { Consumes, ConsumesAsRecorded, ConsumesByStatement, type EventStatement } from './inbox/consumes.js';
export { inboxEntities } from './inbox/inbox.entities.js';
export { outboxEntities } from './outbox/outbox.entities.js';
export { newEvent, Outbox, type NewEvent, type OutboxRow } from './outbox/outbox.js';
export { OutboxLog } from './outbox/outbox-log.js';
export { recordedEvents, releasedEvents } from './outbox/outbox.sql.js';
export { EventEntries } from './streams/event-entries.js';
export { EventPublisher } from './streams/event-streams.js';
