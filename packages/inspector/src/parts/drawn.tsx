import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useErrorBoundary } from 'preact/hooks'
import { failureText } from '../api/api-failure.ts'
import { Failed } from './states.tsx'

export interface DrawnProps {
  /** Another one is drawn anew, whatever became of the last. */
  readonly subject: unknown
  readonly children: ComponentChildren
}

/** A view, or a word on why it cannot be drawn: the rest of the page goes on. */
export function Drawn({ subject, children }: DrawnProps): JSX.Element {
  const [error, reset] = useErrorBoundary()
  useEffect(reset, [subject])
  if (error === undefined) return <>{children}</>
  return <Failed error={new Error(`This cannot be shown: ${failureText(error)}`)} retry={reset} />
}
