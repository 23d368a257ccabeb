import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'

type Json = { readonly [key: string]: unknown }

/** A span as the collector has received it. */
interface ReceivedSpan {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly status: { readonly code?: number }
}

/** An OTLP collector over HTTP with JSON, which keeps what it receives. */
export interface TestCollector {
  readonly url: string
  readonly headers: IncomingHttpHeaders[]
  spans(): ReceivedSpan[]
  /** The data points of a metric, with their attributes. */
  points(metric: string): { attributes: Readonly<Record<string, unknown>>; point: Json }[]
  resource(): Readonly<Record<string, unknown>>
  /** Everything that was received, as text. */
  text(): string
  setStatus(status: number): void
  close(): Promise<void>
}

export async function startCollector(): Promise<TestCollector> {
  const bodies: { path: string; body: Json }[] = []
  const headers: IncomingHttpHeaders[] = []
  let status = 200
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const bytes = Buffer.concat(chunks)
      const isZipped = request.headers['content-encoding'] === 'gzip'
      if (status === 200) {
        const text = (isZipped ? gunzipSync(bytes) : bytes).toString()
        bodies.push({ path: request.url!, body: JSON.parse(text) })
        headers.push(request.headers)
      }
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const list = (value: unknown) => (value ?? []) as Json[]

  return {
    url: `http://127.0.0.1:${port}/otlp`,
    headers,
    spans: () =>
      bodies
        .filter(({ path }) => path === '/otlp/v1/traces')
        .flatMap(({ body }) => list(body.resourceSpans))
        .flatMap((resource) => list(resource.scopeSpans))
        .flatMap((scope) => list(scope.spans))
        .map(
          (span) => ({ ...span, attributes: record(span.attributes) }) as unknown as ReceivedSpan,
        ),
    points: (name) =>
      bodies
        .filter(({ path }) => path === '/otlp/v1/metrics')
        .flatMap(({ body }) => list(body.resourceMetrics))
        .flatMap((resource) => list(resource.scopeMetrics))
        .flatMap((scope) => list(scope.metrics))
        .filter((metric) => metric.name === name)
        .flatMap((metric) => {
          const data = (metric.histogram ?? metric.sum ?? metric.gauge) as Json
          return list(data.dataPoints)
        })
        .map((point) => ({ attributes: record(point.attributes), point })),
    resource: () => {
      const [first] = bodies.flatMap(({ body }) => list(body.resourceSpans ?? body.resourceMetrics))
      return record((first?.resource as Json | undefined)?.attributes)
    },
    text: () => JSON.stringify(bodies),
    setStatus(next) {
      status = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function record(attributes: unknown): Readonly<Record<string, unknown>> {
  const entries = (attributes ?? []) as { key: string; value: Record<string, unknown> }[]
  return Object.fromEntries(entries.map(({ key, value }) => [key, Object.values(value)[0]]))
}
