import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiFailure, failureText } from '../api/api-failure.ts'

export interface TokenFormProps {
  /** Rejects if the token is wrong. */
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
    if (token === '') return setProblem('Enter the token.')
    setTrying(true)
    setProblem(undefined)
    try {
      await unlock(token)
    } catch (error) {
      const isWrong = error instanceof ApiFailure && error.code === 'token'
      setProblem(isWrong ? 'Wrong token.' : failureText(error))
      setTrying(false)
      field.current?.select()
    }
  }

  return (
    <main class="lock">
      <form onSubmit={submit} aria-labelledby="lock-title">
        <h1 id="lock-title">This gateway requires a token</h1>
        <p>
          Enter the value of <code>TOOLSEARCH_TOKEN</code> that the gateway was started with. The
          page keeps it until you close this tab and sends it to this gateway only.
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
            {isTrying ? 'Checking…' : 'Open'}
          </button>
        </div>
        <p id="token-problem" class="problem" role="alert">
          {problem}
        </p>
      </form>
    </main>
  )
}
