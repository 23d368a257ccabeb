import type { TelemetryConfig } from '../config/team-config.ts'
import { createRequestTelemetry, type RequestTelemetry } from './create-telemetry.ts'
import { observeEventLoop } from './observe-event-loop.ts'
import { isExported, wantsTelemetry } from './wants-telemetry.ts'

/** Telemetry with the means to end it. */
export interface OpenTelemetry extends RequestTelemetry {
  /** Sends what is left, for a bounded time. Never rejects. */
  close(): Promise<void>
}

export interface OpenTelemetryOptions {
  readonly version: string
  /** Called when data cannot be sent, once each time. Must not throw. */
  readonly onWarning?: (message: string) => void
}

const SCOPE = 'toolsearch-gateway'

/**
 * Opens what the configuration asks for. Otherwise, if the program that embeds the gateway has set up
 * OpenTelemetry, its providers are used. Otherwise, returns undefined and loads nothing. Never registers
 * providers of its own for the whole process.
 *
 * Rejects if the port of the Prometheus endpoint cannot be used.
 */
export async function openTelemetry(
  config: TelemetryConfig | undefined,
  { version, onWarning = () => {} }: OpenTelemetryOptions,
): Promise<OpenTelemetry | undefined> {
  if (!wantsTelemetry(config)) return undefined
  const api = await import('@opentelemetry/api')
  if (!isExported(config)) {
    const tracer = api.trace.getTracer(SCOPE, version)
    const meter = api.metrics.getMeter(SCOPE, version)
    const stop = observeEventLoop(meter)
    return { ...createRequestTelemetry({ api, tracer, meter }), close: async () => stop() }
  }
  const { openProviders } = await import('./open-providers.ts')
  const providers = await openProviders(config, { version, onWarning })
  const tracer = providers.tracers.getTracer(SCOPE, version)
  const meter = providers.meters.getMeter(SCOPE, version)
  const stop = observeEventLoop(meter)
  return {
    ...createRequestTelemetry({ api, tracer, meter }),
    close: () => providers.close().finally(stop),
  }
}
