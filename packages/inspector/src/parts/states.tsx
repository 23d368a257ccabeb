import type { ComponentChildren, JSX } from 'preact'
import { failureText } from '../api/api-failure.ts'
import type { Answer } from '../api/use-answer.ts'

/** What a view shows while there is nothing to show yet. */
function Loading({ what }: { readonly what: string }): JSX.Element {
  return (
    <div class="state" role="status">
      <span class="pulse" aria-hidden="true" />
      <p>Asking the gateway for {what} …</p>
    </div>
  )
}

export interface EmptyProps {
  readonly title: string
  readonly children?: ComponentChildren
}

/** Nothing is there, and that is an answer: it says why, and what would change it. */
export function Empty({ title, children }: EmptyProps): JSX.Element {
  return (
    <div class="state">
      <p class="state-title">{title}</p>
      {children}
    </div>
  )
}

export interface FailedProps {
  readonly error: unknown
  readonly retry?: () => void
}

export function Failed({ error, retry }: FailedProps): JSX.Element {
  return (
    <div class="state state-failed" role="alert">
      <p class="state-title">{failureText(error)}</p>
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  )
}

export interface AnsweredProps<T> {
  readonly answer: Answer<T>
  /** What is asked for, within a sentence. */
  readonly what: string
  readonly children: (value: T) => ComponentChildren
}

/** Draws an answer, or why there is none. What was known before a failure stays, with a word on it. */
export function Answered<T>({ answer, what, children }: AnsweredProps<T>): JSX.Element {
  const { value, error, reload } = answer
  if (value === undefined) {
    return error === undefined ? <Loading what={what} /> : <Failed error={error} retry={reload} />
  }
  return (
    <>
      {error !== undefined && <Failed error={error} retry={reload} />}
      {children(value)}
    </>
  )
}
