import type { ComponentChildren, JSX } from 'preact'
import { failureText } from '../api/api-failure.ts'
import type { Answer } from '../api/use-answer.ts'

function Loading({ what }: { readonly what: string }): JSX.Element {
  return (
    <div class="state" role="status">
      <span class="pulse" aria-hidden="true" />
      <p>Loading {what}…</p>
    </div>
  )
}

export interface EmptyProps {
  readonly title: string
  readonly children?: ComponentChildren
}

/** An empty state: explains why there is nothing to show, and how to change that. */
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
  /** What is loading, as part of a sentence: "the tools". */
  readonly what: string
  readonly children: (value: T) => ComponentChildren
}

/** Shows an answer, its loading state or its error. After a failed reload, the previous value stays visible. */
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
