import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useErrorBoundary } from 'preact/hooks'
import { failureText } from '../api/api-failure.ts'
import { Failed } from './states.tsx'

export interface ErrorBoundaryProps {
  /** When it changes, the error is cleared. */
  readonly resetKey: unknown
  readonly children: ComponentChildren
}

/** Shows an error instead of a view that fails to render. The rest of the page keeps working. */
export function ErrorBoundary({ resetKey, children }: ErrorBoundaryProps): JSX.Element {
  const [error, reset] = useErrorBoundary()
  useEffect(reset, [resetKey])
  if (error === undefined) return <>{children}</>
  return (
    <Failed error={new Error(`Could not display this view: ${failureText(error)}`)} retry={reset} />
  )
}
