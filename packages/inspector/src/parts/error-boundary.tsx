import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useErrorBoundary } from 'preact/hooks'
import { failureText } from '../api/api-failure.ts'
import { Failed } from './states.tsx'

export interface ErrorBoundaryProps {
  /** A change resets the error. */
  readonly subject: unknown
  readonly children: ComponentChildren
}

/** Shows an error instead of a view that fails to render. The rest of the page keeps working. */
export function ErrorBoundary({ subject, children }: ErrorBoundaryProps): JSX.Element {
  const [error, reset] = useErrorBoundary()
  useEffect(reset, [subject])
  if (error === undefined) return <>{children}</>
  return (
    <Failed error={new Error(`Could not display this view: ${failureText(error)}`)} retry={reset} />
  )
}
