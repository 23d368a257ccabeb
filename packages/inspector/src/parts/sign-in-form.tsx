import type { JSX } from 'preact'
import { SecretField, type SecretFieldProps } from './secret-field.tsx'

export type SignInFormProps = Pick<SecretFieldProps, 'unlock'>

/** Sends the person to the identity provider, or takes an API key. */
export function SignInForm({ unlock }: SignInFormProps): JSX.Element {
  const back = new URLSearchParams({ return: `${location.pathname}${location.hash}` })
  return (
    <main class="lock">
      <section aria-labelledby="lock-title">
        <h1 id="lock-title">Sign in</h1>
        <p>Sign in with the account of your organisation.</p>
        <p>
          <a class="button primary" href={`/sign-in?${back}`}>
            Sign in
          </a>
        </p>
        <details>
          <summary>Use an API key</summary>
          <SecretField label="API key" unlock={unlock} />
        </details>
      </section>
    </main>
  )
}
