import { randomUUID } from 'node:crypto'
import type { MeterProvider, TracerProvider } from '@opentelemetry/api'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  type MetricReader,
  PeriodicExportingMetricReader,
  MeterProvider as SdkMeterProvider,
} from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { TelemetryConfig } from '../config/team-config.ts'
import { reportFailures } from './report-failures.ts'

export interface Providers {
  readonly tracers: TracerProvider
  readonly meters: MeterProvider
  /** Sends what is left, for a bounded time. Never rejects. */
  close(): Promise<void>
}

export interface OpenProvidersOptions {
  readonly version: string
  readonly onWarning: (message: string) => void
}

const CLOSE_MS = 3_000

/** Sets up export over OTLP and the Prometheus endpoint. Rejects if its port cannot be used. */
export async function openProviders(
  config: TelemetryConfig,
  { version, onWarning }: OpenProvidersOptions,
): Promise<Providers> {
  const { otlpUrl, otlpHeaders, metricsPort, metricsHost } = config
  // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence.
  const resource = resourceFromAttributes({
    'service.name': 'toolsearch-gateway',
    'service.version': version,
    'service.instance.id': randomUUID(),
  }).merge(detectResources({ detectors: [envDetector] }))
  const readers: MetricReader[] = []
  if (metricsPort !== undefined) {
    const endpoint = new PrometheusExporter({
      port: metricsPort,
      host: metricsHost,
      preventServerStart: true,
      // There is only one scope.
      withoutScopeInfo: true,
    })
    await endpoint.startServer().catch((error: NodeJS.ErrnoException) => {
      throw new Error(
        `The Prometheus endpoint cannot use ${metricsHost}:${metricsPort} (${error.code}). Change "telemetry.metricsPort".`,
      )
    })
    readers.push(endpoint)
  }
  const target = (path: string) => ({
    url: `${otlpUrl?.replace(/\/+$/, '')}${path}`,
    headers: { ...otlpHeaders },
  })
  if (otlpUrl !== undefined) {
    const exporter = new OTLPMetricExporter(target('/v1/metrics'))
    readers.push(
      new PeriodicExportingMetricReader({
        exporter: reportFailures(exporter, 'Metrics', onWarning),
      }),
    )
  }
  const tracers = new BasicTracerProvider({
    resource,
    spanProcessors:
      otlpUrl === undefined
        ? []
        : [
            new BatchSpanProcessor(
              reportFailures(new OTLPTraceExporter(target('/v1/traces')), 'Traces', onWarning),
            ),
          ],
  })
  const meters = new SdkMeterProvider({ resource, readers })
  return {
    tracers,
    meters,
    async close() {
      const closed = Promise.allSettled([tracers.shutdown(), meters.shutdown()])
      let timer: NodeJS.Timeout | undefined
      const timeout = new Promise((resolve) => {
        timer = setTimeout(resolve, CLOSE_MS)
      })
      await Promise.race([closed, timeout])
      clearTimeout(timer)
    },
  }
}
