import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiFailure, failureText } from '../api/api-failure.ts'

export interface TokenFormProps {
  /** Rejects when the token is not the right one. */
  readonly unlock: (token: string) => Promise<void>
}

export function TokenForm({ unlock }: TokenFormProps): JSX.Element {
  const [problem, setProblem] = useState<string>()
  const [isTrying, setTrying] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])

  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    const token = field.current?.value.trim() ?? ''
    if (token === '') return setProblem('Type the token first.')
    setTrying(true)
    setProblem(undefined)
    try {
      await unlock(token)
    } catch (error) {
      const isWrong = error instanceof ApiFailure && error.code === 'token'
      setProblem(isWrong ? 'That is not the token of this gateway.' : failureText(error))
      setTrying(false)
      field.current?.select()
    }
  }

  return (
    <main class="lock">
      <form onSubmit={submit} aria-labelledby="lock-title">
        <h1 id="lock-title">This gateway asks for a token</h1>
        <p>
          It is the value of <code>TOOLSEARCH_TOKEN</code> that the gateway was started with. It
          stays in this tab and is sent to this gateway only.
        </p>
        <label for="token">Token</label>
        <div class="field-row">
          <input
            id="token"
            ref={field}
            type="password"
            autocomplete="current-password"
            spellcheck={false}
            aria-invalid={problem !== undefined}
            aria-describedby="token-problem"
          />
          <button type="submit" class="primary" disabled={isTrying}>
            {isTrying ? 'Trying …' : 'Open'}
          </button>
        </div>
        <p id="token-problem" class="problem" role="alert">
          {problem}
        </p>
      </form>
    </main>
  )
}
