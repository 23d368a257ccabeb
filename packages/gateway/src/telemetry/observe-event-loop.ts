import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Meter } from '@opentelemetry/api'
import { METRICS } from './attribute-names.ts'

/** Reports the longest delay of the event loop since the last collection. Returns a function that stops it. */
export function observeEventLoop(meter: Meter): () => void {
  const delay = monitorEventLoopDelay()
  delay.enable()
  const gauge = meter.createObservableGauge(METRICS.eventLoopDelay, {
    unit: 's',
    description: 'The longest delay of the event loop since the last collection.',
  })
  gauge.addCallback((result) => {
    result.observe(delay.max / 1e9)
    delay.reset()
  })
  return () => delay.disable()
}
