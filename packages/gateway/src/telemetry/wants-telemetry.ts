import type { TelemetryConfig } from '../config/team-config.ts'

/** Where the API of OpenTelemetry keeps the providers that a program has registered. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1')

/** Whether the configuration asks for traces or metrics. */
export function isExported(config: TelemetryConfig | undefined): config is TelemetryConfig {
  return config?.otlpUrl !== undefined || config?.metricsPort !== undefined
}

/** Whether anybody reads traces or metrics: the configuration says where, or the embedding program does. */
export function wantsTelemetry(config: TelemetryConfig | undefined): boolean {
  return isExported(config) || REGISTERED in globalThis
}
