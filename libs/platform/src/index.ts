export { frozen } from './collections/frozen.js';
export { TransientMap } from './collections/transient-map.js';
export { TransientSet } from './collections/transient-set.js';
export { baseConfigSchema, type BaseConfig } from './config/base-config.js';
export { ConfigError, loadConfig, type Environment } from './config/load-config.js';
export {
  booleanText,
  secretsKeys,
  commaList,
  milliseconds,
  port,
  urlOf,
  wholeNumber,
} from './config/config-schemas.js';
export {
  HealthRegistry,
  type CheckState,
  type HealthCheck,
  type HealthOptions,
  type Readiness,
} from './health/health-registry.js';
export { HealthServer } from './health/health-server.js';
export { WorkGate } from './health/work-gate.js';
export { serializeError, type SerializedError } from './logging/error-serializer.js';
export { createLogger, Logger, type LoggerOptions, type LogLevel, type LogMethod } from './logging/logger.js';
export { NestLogger } from './logging/nest-logger.js';
export { scrub } from './logging/scrub.js';
export {
  currentContext,
  extendContext,
  runWithContext,
  type RequestContext,
} from './logging/request-context.js';
export {
  latencyBuckets,
  Metrics,
  type Counter,
  type Gauge,
  type GaugeOptions,
  type Histogram,
  type HistogramOptions,
  type MetricOptions,
} from './metrics/metrics.js';
export { PlatformModule, type PlatformOptions } from './platform.module.js';
export { isQuiet, noteActivity, onNextActivity } from './process/activity.js';
export { withLinkedSignal } from './process/linked-signal.js';
export { ServiceIdentity, type ServiceRoles } from './process/service-identity.js';
export { Shutdown, type ShutdownPhase, type ShutdownResult } from './process/shutdown.js';
export { installSignalHandlers } from './process/signal-handlers.js';
export { runToEnd, startProcess, type ProcessOptions } from './process/start-process.js';
export { isoTime } from './time/iso-time.js';
export {
  childTraceparent,
  newTraceparent,
  parseTraceparent,
  traceparentFrom,
} from './tracing/traceparent.js';
export {
  recordedTraceparent,
  Tracing,
  type Incoming,
  type OpenSpan,
  type SpanDraft,
} from './spans/tracing.js';
