import type { JSX } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { failureText, isLocking } from '../api/api-failure.ts'

export interface SecretFieldProps {
  /** What to enter: "Token". */
  readonly label: string
  /** Rejects if the secret is wrong. */
  readonly unlock: (secret: string) => Promise<void>
  /** Whether the person can type at once. @default false */
  readonly hasFocus?: boolean
}

/** A field for a secret that opens the page. */
export function SecretField({ label, unlock, hasFocus = false }: SecretFieldProps): JSX.Element {
  const id = useId()
  const [problem, setProblem] = useState<string>()
  const [isTrying, setTrying] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (hasFocus) field.current?.focus()
  }, [hasFocus])

  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    const secret = field.current?.value.trim() ?? ''
    const name = label === 'Token' ? 'token' : label
    if (secret === '') return setProblem(`Enter the ${name}.`)
    setTrying(true)
    setProblem(undefined)
    try {
      await unlock(secret)
    } catch (error) {
      setProblem(isLocking(error) ? `Wrong ${name}.` : failureText(error))
      setTrying(false)
      field.current?.select()
    }
  }

  return (
    <form onSubmit={submit}>
      <label for={id}>{label}</label>
      <div class="field-row">
        <input
          id={id}
          ref={field}
          type="password"
          autocomplete="current-password"
          spellcheck={false}
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-problem`}
        />
        <button type="submit" class="primary" disabled={isTrying}>
          {isTrying ? 'Checking…' : 'Open'}
        </button>
      </div>
      <p id={`${id}-problem`} class="problem" role="alert">
        {problem}
      </p>
    </form>
  )
}
