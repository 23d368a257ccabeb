interface Exported {
  readonly code: number
  readonly error?: Error
}

interface Exporter<Data> {
  export(data: Data, onResult: (result: Exported) => void): void
}

/**
 * Warns when an exporter fails after it has worked, because OpenTelemetry drops the data silently.
 *
 * @param what what cannot be sent, such as `Traces`
 */
export function reportFailures<Data, Each extends Exporter<Data>>(
  exporter: Each & Exporter<Data>,
  what: string,
  onWarning: (message: string) => void,
): Each {
  const send = exporter.export.bind(exporter)
  let hasFailed = false
  exporter.export = (data, onResult) =>
    send(data, (result) => {
      if (result.code !== 0 && !hasFailed) {
        onWarning(`${what} cannot be sent to "telemetry.otlpUrl": ${result.error?.message}`)
      }
      hasFailed = result.code !== 0
      onResult(result)
    })
  return exporter
}
