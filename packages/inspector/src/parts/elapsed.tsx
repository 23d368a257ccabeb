import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { formatMilliseconds } from './format.ts'

/** The time since a moment, in milliseconds of the browser's clock. Counts up. */
export function Elapsed({ since }: { readonly since: number }): JSX.Element {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 200)
    return () => clearInterval(timer)
  }, [])
  return <span class="elapsed">{formatMilliseconds(Math.max(0, now - since))}</span>
}
